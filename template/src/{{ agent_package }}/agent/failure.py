"""An error that callers may know of: by an id, never by its text."""

import logging
import uuid

logger = logging.getLogger(__name__)


class Failure(Exception):  # noqa: N818  # the domain's word, not an error's name
    """Something broke. The log has the traceback under `correlation_id`; `said` is for callers."""

    def __init__(self, error: BaseException, said: str = "The agent failed.") -> None:
        self.correlation_id = str(uuid.uuid4())
        self.error_class = type(error).__name__
        super().__init__(f"{said} Reference: {self.correlation_id}")
        logger.error("failure %s", self.correlation_id, exc_info=error)

    @classmethod
    def of(cls, error: Exception) -> "Failure":
        """The failure that an error is, or comes to."""
        return error if isinstance(error, Failure) else cls(error)

    def as_logged(self) -> str:
        """How the chat log names it."""
        return f"{self.error_class} {self.correlation_id}"
