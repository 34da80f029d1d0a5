"""The verb `secrets check`: what is missing or wrong in the settings, without showing any."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from .env_example import EXAMPLE, Example, read_example
from .env_file import ENV_FILE, EnvFile, read_env_file
from .errors import AgentNewError
from .kept_out import why_not_kept_out
from .project import find_project
from .terminal import say


def secrets_check(*, production: bool = False) -> None:
    """AgentNewError tells every problem at once."""
    project = find_project().root
    example = read_example(project)
    file = read_env_file(project / ENV_FILE)
    settings = {**file.values, **os.environ}  # what the process has wins, even when it is empty
    for_production = production or settings.get("APP_ENV") == "production"
    for line in (*_no_file(project), *_unknown(file, example)):
        say(f"warning: {line}")
    problems = [
        *_missing(example, settings, for_production),
        *file.problems,
        *filter(None, [why_not_kept_out(project, ENV_FILE)]),
        *example.problems,
    ]
    if problems:
        raise AgentNewError(
            "The settings are not in order. Please change this:"
            + "".join(f"\n  - {problem}" for problem in problems)
        )
    print(f"The settings are in order for {'production' if for_production else 'development'}.")


def _no_file(project: Path) -> Iterator[str]:
    if not os.path.lexists(project / ENV_FILE):
        yield f"there is no {ENV_FILE}, only the environment; `agent-new secrets init` writes one."


def _missing(example: Example, settings: Mapping[str, str], production: bool) -> Iterator[str]:
    for name in example.required:
        if _lacks(name, settings) and not (production and name in example.required_in_production):
            yield f"`{name}` is {_how(name, settings)}, and it is required: {_where_to_set(name)}"
    if production:
        if not example.required_in_production:
            yield (
                f"{EXAMPLE} marks nothing as `# required in production`, so nobody can tell what "
                "production needs: `agent-new update` brings the marks"
            )
        for name in example.required_in_production:
            if _lacks(name, settings):
                yield (
                    f"`{name}` is {_how(name, settings)}, and production requires it: "
                    f"{_where_to_set(name)}"
                )


def _lacks(name: str, settings: Mapping[str, str]) -> bool:
    return not settings.get(name, "").strip()


def _how(name: str, settings: Mapping[str, str]) -> str:
    return "empty" if name in settings else "missing"


def _where_to_set(name: str) -> str:
    if name in os.environ:
        return f"the environment has it empty, which wins over {ENV_FILE}; set it or unset it there"
    return f"set it in {ENV_FILE} or in the environment"


def _unknown(file: EnvFile, example: Example) -> Iterator[str]:
    from difflib import get_close_matches

    for setting in file.settings:
        if setting.name in example.names:
            continue
        near = get_close_matches(setting.name.upper(), sorted(example.names), n=1, cutoff=0.75)
        way = f"did you mean `{near[0]}`?" if near else "if it is yours, add a line for it there."
        yield f"{EXAMPLE} does not know {setting.told} of {ENV_FILE}; {way}"
