"""Whether the process was told to stop, before its open connections have ended."""

import signal


def told_to_stop() -> bool:
    """ASGI says it only when all streams have ended, and some of them wait to hear it.

    uvicorn handles the signal by a method of its server, which is how sse-starlette learns of it, too.
    """
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return bool(getattr(server, "should_exit", False))
