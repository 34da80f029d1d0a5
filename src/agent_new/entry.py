"""Where every run starts: the first question is on the screen before the heavy imports."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

from .errors import AgentNewError, StoppedError, UsageError
from .reserved import COMMANDS
from .terminal import can_ask, say, survive_any_encoding


def main() -> NoReturn:
    survive_any_encoding()
    _stop_like_ctrl_c()
    _forget_outer_repository()
    code = 0
    try:
        code = _run(sys.argv[1:])
    except AgentNewError as error:
        _end(error)
    except BrokenPipeError:  # whoever read our output has gone, so nobody is left to tell
        os._exit(1)
    except OSError as error:  # a full disk, a read-only folder
        _end(AgentNewError(f"The machine refused: {error}. Mend that, then try again."))
    except (KeyboardInterrupt, EOFError):
        _end(StoppedError("Stopped. Nothing was written."))
    sys.exit(code)


def _run(argv: list[str]) -> int:
    typed = argv[1:] if argv[:1] == ["new"] else argv
    if can_ask() and len(typed) <= 1 and not any(word.startswith("-") for word in typed):
        from .answers import given_answers
        from .new import Wanted, new

        new(Wanted(given_answers(typed[0] if typed else None, [], None)))
        return 0
    from .cli import run

    return run(argv)


def _end(error: AgentNewError) -> NoReturn:
    stopped = isinstance(error, StoppedError)
    say(f"\n{error}" if stopped else f"error: {error}")
    if isinstance(error, UsageError):
        verb = next((word for word in sys.argv[1:] if word in COMMANDS), "new")
        say(f"See `agent-new {verb} --help`.")
    sys.stdout.flush()
    # the thread that imports copier may still run, and Python would wait for its import lock
    os._exit(error.exit_code)


def _stop_like_ctrl_c() -> None:
    """SIGTERM and SIGHUP clean up in the same way as Ctrl-C."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # `nohup` stays in force
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)
    # a shell starts background jobs with SIGINT ignored; kill -INT shall still stop us
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _forget_outer_repository() -> None:
    """Run from a git hook, git would otherwise take the hook's repository for ours."""
    for name in (
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_COMMON_DIR",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
    ):
        os.environ.pop(name, None)
