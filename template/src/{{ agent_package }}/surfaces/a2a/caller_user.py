"""Our caller, as the SDK knows users."""

from a2a.auth.user import User
from a2a.server.context import ServerCallContext
from a2a.server.routes import DefaultServerCallContextBuilder
from starlette.requests import Request

from ...contracts import Caller


class CallerUser(User):
    """The SDK stores tasks under `user_name`, so it is the owner and not a display name."""

    def __init__(self, caller: Caller, server: tuple[str, int | None] | None = None) -> None:
        """`server` is the socket that was called, where there is one."""
        self.caller = caller
        self.server = server

    @property
    def is_authenticated(self) -> bool:
        """The gate let it in."""
        return True

    @property
    def user_name(self) -> str:
        """The owner of everything that this caller makes."""
        return self.caller.owner


class CallerContextBuilder(DefaultServerCallContextBuilder):
    """Puts the caller that the gate found into the SDK's call context."""

    def build_user(self, request: Request) -> User:
        """The user of a request."""
        return CallerUser(request.state.caller, request.scope.get("server"))


def user_of(context: ServerCallContext) -> CallerUser:
    """The user behind a call of the SDK."""
    assert isinstance(context.user, CallerUser)
    return context.user


def caller_of(context: ServerCallContext) -> Caller:
    """The caller behind a call of the SDK."""
    return user_of(context).caller
