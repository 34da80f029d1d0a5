"""Writes the pages of `docs/reference` that the code already says: `python docs/generate.py`.

With `--rendered`, in the environment of a rendered project named `my-agent`,
it prints the page of its commands instead.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "docs/reference"
WRITTEN = "<!-- Written by `just docs`, that is `python docs/generate.py`. -->"
RENDERED = ("", "serve", "migrate", "log", "prompt", "token")


def commands_page() -> str:
    """`agent-new --help`, of every command."""
    helps = [f"```text\n$ agent-new {words}\n{said}```" for words, said in _helps()]
    return "\n\n".join(["# Commands of agent-new", WRITTEN, *helps, _EXAMPLES]) + "\n"


_EXAMPLES = """## For example

```sh
agent-new --version
agent-new my-agent --defaults --no-install --no-git
agent-new other-agent --defaults --no-install --no-git --data auth=oidc --data surfaces=mcp --into agents
```

Exit codes: 0 done, 1 error, 2 usage, 3 conflicts, 4 an update is there, 130 stopped. What each error means stands in [errors.md](errors.md)."""


def _helps() -> list[tuple[str, str]]:
    os.environ |= {"COLUMNS": "100", "NO_COLOR": "1"}
    from typer.main import get_command

    from agent_new import cli

    said = []
    for command in _commands(get_command(cli.app)):
        words = [*command, "--help"]
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
            cli.app(args=words, prog_name="agent-new", obj=[])
        lines = [line.rstrip() for line in out.getvalue().strip().splitlines()]
        said.append((" ".join(words), "\n".join(lines) + "\n"))
    return said


def _commands(command: object, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The command and all under it, by the words that lead to each."""
    yield words
    for name, inner in getattr(command, "commands", {}).items():
        yield from _commands(inner, (*words, name))


def questions_page() -> str:
    """The questions of `copier.yml`."""
    import yaml

    config = yaml.safe_load((ROOT / "copier.yml").read_text(encoding="utf-8"))
    asked = {
        key: question
        for key, question in config.items()
        if not key.startswith("_") and question.get("when") is not False
    }
    rows = [
        f"| `{key}` | {q['help']} | {_kind(q)} | {_default(q['default'])} | {_limits(key, q)} |"
        for key, q in asked.items()
    ]
    table = ["| key | question | type | default | allowed |", "|---|---|---|---|---|", *rows]
    return "\n\n".join(["# Questions", WRITTEN, "\n".join(table), _GIVE, _reserved()]) + "\n"


_GIVE = (
    "`--data KEY=VALUE` answers one, `--data-file FILE` many, in YAML; a list is `a,b` or `none`."
)


def _reserved() -> str:
    from agent_new.reserved import AGENT_PREFIXES, AGENT_REASONS, REASONS

    both = "; ".join(sorted(set(REASONS.values())))
    agents = "; ".join(sorted(set(AGENT_REASONS.values()) - set(REASONS.values())))
    starts = "; ".join(AGENT_PREFIXES.values())
    return (
        f"Reserved for both names: {both}. For an agent also: {agents}. {starts}. "
        "What is refused is told with its reason and a name that would do; nothing is changed silently."
    )


def _kind(question: dict[str, Any]) -> str:
    if question.get("multiselect"):
        return "list"
    return {"str": "text", "bool": "yes or no"}[question["type"]]


def _default(default: object) -> str:
    match default:
        case bool():
            return "`true`" if default else "`false`"
        case list():
            return ", ".join(f"`{item}`" for item in default)
        case str() if "{{" in default:
            return "from `agent_name`"
    return f"`{default}`"


def _limits(key: str, question: dict[str, Any]) -> str:
    from agent_new.names import LONGEST, SHORTEST
    from agent_new.questions import BY_KEY
    from agent_new.text import URL_LIMIT

    if choices := question.get("choices"):
        return ", ".join(f"`{choice}`" for choice in choices)
    if question["type"] == "bool":
        return "yes, no"
    if key in ("agent_name", "domain_package"):
        return f"{SHORTEST} to {LONGEST} characters, no reserved name"
    if key == "organization_url":
        return f"a web address, up to {URL_LIMIT} characters"
    verdict = BY_KEY[key].verdict
    longest = max(n for n in range(1, 1000) if verdict and not verdict("x" * n))
    return f"one line, up to {longest} characters"


def rendered_page(name: str = "my-agent") -> str:
    """`uv run my-agent --help` of every command; runs where that package can be imported."""
    from importlib import import_module

    os.environ |= {"COLUMNS": "100", "NO_COLOR": "1"}
    cli = import_module(f"{name.replace('-', '_')}.cli")
    sys.argv[0] = name
    helps = []
    for command in RENDERED:
        words = [command, "--help"] if command else ["--help"]
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
            cli.main(words)
        helps.append(f"```text\n$ uv run {name} {' '.join(words)}\n{out.getvalue().rstrip()}\n```")
    return "\n\n".join(["# Commands of a rendered agent", _RENDERED_BY, *helps, _RUN]) + "\n"


_RENDERED_BY = "<!-- Written by `just docs`; `my-agent` stands for the name of yours. -->"
_RUN = """## For example

```sh
my-agent migrate
my-agent log --limit 5
my-agent prompt
AUTH_ISSUER=development my-agent token --kind machine --subject mch_1 --minutes 5
```

In a project, `uv run` stands before each."""


PAGES = {"commands.md": commands_page, "questions.md": questions_page}


def main() -> None:
    """Write the pages, or print the one of a project."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rendered", action="store_true", help="print that of a rendered project")
    if parser.parse_args().rendered:
        sys.stdout.write(rendered_page())
        return
    for name, page in PAGES.items():
        (REFERENCE / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
