"""What can stop agent-new, each with its exit code and a text that tells the way out."""

from __future__ import annotations

from collections.abc import Sequence


class AgentNewError(Exception):
    """Shown as its text alone; anything else that is raised is a fault of ours and keeps its trace."""

    exit_code = 1


class UsageError(AgentNewError):
    """The command as it was typed cannot be carried out."""

    exit_code = 2


class ProblemsError(UsageError):
    """All that is wrong with the answers, told at once."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        lines = "".join(f"\n  - {problem}" for problem in self.problems)
        super().__init__(f"Nothing was written. Please change this:{lines}")


class StoppedError(AgentNewError):
    """The person, or the system, asked us to stop."""

    exit_code = 130
