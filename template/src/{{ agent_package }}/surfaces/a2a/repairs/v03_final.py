"""On the 0.3 wire, the last event of a stream that waits for the caller says `final: false`."""

from typing import Any

WAITING = ("input-required", "auth-required")


def with_final(result: Any) -> None:
    """Mark the event after which the stream ends."""
    if isinstance(result, dict) and result.get("kind") == "status-update":
        result["final"] = result["final"] or result["status"]["state"] in WAITING
