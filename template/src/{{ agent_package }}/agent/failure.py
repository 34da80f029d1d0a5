"""An error that callers may know of: by an id, never by its text."""

import logging
import uuid

logger = logging.getLogger(__name__)


class Failure(Exception):  # noqa: N818  # the domain's word, not an error's name
    """Something broke. The log has the traceback under `correlation_id`; `said` is for callers."""

    def __init__(
        self, error: BaseException, said: str = "The agent failed.", look_at: str = ""
    ) -> None:
        """`look_at` tells the reader of the log where to look."""
        self.correlation_id = str(uuid.uuid4())
        self.error_class = type(error).__name__
        super().__init__(f"{said} Reference: {self.correlation_id}")
        hint = f": {look_at}" if look_at else ""
        logger.error("failure %s%s", self.correlation_id, hint, exc_info=error)

    @classmethod
    def of(cls, error: Exception) -> "Failure":
        """The failure that an error is, or comes to."""
        return error if isinstance(error, Failure) else cls(error)

    def as_logged(self) -> str:
        """How the chat log names it."""
        return f"{self.error_class} {self.correlation_id}"


class Busy(Failure):
    """The turn was not begun; a later try may be."""
