"""The command line in full; `entry` takes the short way round it when only a name was typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from .about import installed_version
from .answers import given_answers
from .new import Wanted, new

_WORDS = ("new", "update", "strip", "rename", "secrets", "add")
_HAVE_VERBS = ("secrets", "add")
_TAKE_A_VALUE = ("--data", "-d", "--data-file", "--into", "--to", "--kind", "--schedule")

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: it must survive any code page
    help=(
        "Make the repository of an agent. `agent-new NAME` is the same as `agent-new new NAME`; "
        "`agent-new new --help` shows its options."
    ),
)


Act = Callable[[], int | None]
"""A verb, ready to run; what it returns is the exit code, None is 0."""


def run(argv: Sequence[str]) -> int:
    """Parse first and act afterwards, so that typer never sees our errors or a Ctrl-C."""
    actions: list[Act] = []
    try:
        app(args=_command_first(argv), prog_name="agent-new", obj=actions)
    except SystemExit as end:
        if end.code:
            raise
    return max((act() or 0 for act in actions), default=0)


def _command_first(argv: Sequence[str]) -> list[str]:
    """`agent-new --json demo` is `agent-new new --json demo`."""
    if list(argv) in (["--help"], ["--version"]):
        return list(argv)
    words = list(argv)
    at = _first_word(words)
    if at is None or words[at] not in _WORDS:
        return ["new", *words]
    first = [words.pop(at)]
    if first[0] in _HAVE_VERBS and (at := _first_word(words)) is not None:
        first.append(words.pop(at))
    return [*first, *words]


def _first_word(words: Sequence[str]) -> int | None:
    """Where the first one stands that is neither an option nor its value."""
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "--":
        at += 2 if words[at] in _TAKE_A_VALUE else 1
    return at if at < len(words) else None


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"agent-new {installed_version()}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


@app.command("new")
def _new(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Small letters, digits, hyphens: my-agent."),
    ] = None,
    defaults: Annotated[
        bool, typer.Option("--defaults", help="Ask nothing; take the usual answers.")
    ] = False,
    data: Annotated[
        list[str] | None,
        typer.Option("--data", "-d", metavar="KEY=VALUE", help="An answer; may be repeated."),
    ] = None,
    data_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Answers as YAML; --data wins over it.")
    ] = None,
    into: Annotated[str, typer.Option(metavar="DIR", help="The parent folder.")] = ".",
    no_install: Annotated[
        bool, typer.Option("--no-install", help="Do not install or check the project.")
    ] = False,
    no_git: Annotated[bool, typer.Option("--no-git", help="Make no git repository.")] = False,
    serve: Annotated[bool, typer.Option("--serve", help="Run its server afterwards.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Ask nothing; print one JSON object on stdout.")
    ] = False,
) -> None:
    """Make a new agent's repository in DIR/NAME."""

    def act() -> None:
        given = given_answers(name, data or [], data_file)
        new(Wanted(given, into, defaults, not no_install, not no_git, serve, json))

    context.obj.append(act)


_Data = Annotated[
    list[str] | None,
    typer.Option("--data", "-d", metavar="KEY=VALUE", help="Another answer; may be repeated."),
]
_NoTest = Annotated[
    bool, typer.Option("--no-test", help="Do not run the project's own tests before and after.")
]


@app.command("update")
def _update(
    context: typer.Context,
    to: Annotated[
        str | None, typer.Option("--to", metavar="TAG", help="A version; default: the newest here.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only tell; exit code 4 if there is an update.")
    ] = False,
    data: _Data = None,
    no_test: _NoTest = False,
) -> None:
    """Bring the project of this folder to a newer template, or change an answer of it."""

    def act() -> int:
        from .update import Wanted, update

        return update(Wanted(given_answers(None, data or [], None), to, check, not no_test))

    context.obj.append(act)


@app.command("strip")
def _strip(context: typer.Context, no_test: _NoTest = False) -> None:
    """Take the example out of the project of this folder; what you made of it stays."""

    def act() -> int:
        from .strip import strip

        return strip(test=not no_test)

    context.obj.append(act)


@app.command("rename")
def _rename(
    context: typer.Context,
    package: Annotated[
        str, typer.Argument(metavar="PACKAGE", help="Small letters, digits, underscores: billing.")
    ],
    no_test: _NoTest = False,
) -> None:
    """Rename the domain package of the project of this folder, your own files included."""

    def act() -> int:
        from .rename import rename

        return rename(package, test=not no_test)

    context.obj.append(act)


_secrets = typer.Typer(help="The settings of the project of this folder, kept in its `.env`.")
app.add_typer(_secrets, name="secrets")


@_secrets.command("init")
def _secrets_init(
    context: typer.Context,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only tell what would be written.")
    ] = False,
) -> None:
    """Write `.env` from `.env.example`, readable by you only; one that is there stays."""

    def act() -> None:
        from .secrets_init import secrets_init

        secrets_init(dry_run=dry_run)

    context.obj.append(act)


@_secrets.command("check")
def _secrets_check(
    context: typer.Context,
    production: Annotated[
        bool,
        typer.Option("--production", help="Check what production requires, as APP_ENV does."),
    ] = False,
) -> None:
    """Tell what is missing or wrong in the settings, all at once and never with a value."""

    def act() -> None:
        from .secrets_check import secrets_check

        secrets_check(production=production)

    context.obj.append(act)


_add = typer.Typer(help="A tool or a job for the project of this folder; it works from the start.")
app.add_typer(_add, name="add")


@_add.command("tool")
def _add_tool(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Small letters, digits, underscores: find_policy.")
    ],
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            metavar="visual|discovery",
            help="visual makes a claim, with a chart and a citation; discovery lists options.",
        ),
    ] = None,
) -> None:
    """Add a tool: its file, its data in the domain package, its test, its line in the catalog."""

    def act() -> None:
        from .add_tool import add_tool

        add_tool(name, kind)

    context.obj.append(act)


@_add.command("cron")
def _add_cron(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Small letters, digits, underscores: send_digest.")
    ],
    schedule: Annotated[
        str | None,
        typer.Option(
            "--schedule",
            metavar="SCHEDULE",
            help="Minute, hour, day, month, weekday, in UTC: '0 6 * * *'.",
        ),
    ] = None,
) -> None:
    """Add a job: its file, its test, its line among the jobs, its schedule in `vercel.json`."""

    def act() -> None:
        from .add_cron import add_cron

        add_cron(name, schedule)

    context.obj.append(act)
