"""`uv run <agent> serve|migrate|log|prompt|token`."""

import argparse
import asyncio
import sys
from collections.abc import Sequence

from .ports import need_free
from .settings import ConfigurationError, load_settings

HTTP_PORT = 8000

LOG_QUERY = """\
SELECT created_at, role, tool_name, refusal_rule, tool_citation, text
FROM chat_messages ORDER BY created_at DESC LIMIT :limit"""


def main(argv: Sequence[str] | None = None) -> None:
    """Entry point of the console script."""
    args = _parser().parse_args(argv)
    try:
        args.run(args)
    except ConfigurationError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Run the agent and look after it.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="serve the agent")
    serve.add_argument("--host", default="127.0.0.1")
    serve.add_argument("--port", type=int, default=HTTP_PORT)
    serve.set_defaults(run=_serve)

    migrate = commands.add_parser("migrate", help="bring the database to the schema of this code")
    migrate.add_argument(
        "--tasks-of",
        metavar="ISSUER|SUBJECT",
        help="give the tasks that a2a-sdk 0.3 left, which have no owner, to this caller",
    )
    migrate.set_defaults(run=lambda args: asyncio.run(_migrate(args.tasks_of)))

    log = commands.add_parser("log", help="show the newest rows of the chat log, newest first")
    log.add_argument("--limit", type=int, default=20)
    log.set_defaults(run=lambda args: asyncio.run(_log(args.limit)))

    prompt = commands.add_parser("prompt", help="print the system prompt as the model gets it")
    prompt.set_defaults(run=_prompt)

    token = commands.add_parser("token", help="print a token of this machine, for development")
    token.add_argument("--kind", choices=("session", "machine"), default="session")
    token.add_argument("--subject", metavar="NAME", help="who it is about; default: developer")
    token.add_argument("--scope", action="append", help="of a machine; may be repeated")
    token.add_argument("--minutes", type=int, default=60)
    token.set_defaults(run=_token)
    return parser


def _serve(args: argparse.Namespace) -> None:
    import uvicorn

    settings = load_settings()  # problems are told here, without uvicorn's traceback
    need_free(args.host, args.port, "--port ", HTTP_PORT)
    uvicorn.run(
        f"{__package__}.app:start",
        factory=True,
        host=args.host,
        port=args.port,
        timeout_graceful_shutdown=round(settings.shutdown_seconds),
    )


async def _migrate(owner: str | None) -> None:
    if owner and not all(owner.partition("|")):
        raise ConfigurationError(
            f"{owner!r} is no owner. Write issuer and subject: https://issuer.example.com|user_1"
        )
    from .persistence.engine import open_engine
    from .persistence.migrate import migrate
    from .persistence.old_tasks import give_tasks, tasks_of_nobody

    settings = load_settings()
    engine = open_engine(settings.database_url_unpooled or settings.database_url)
    changed = await migrate(engine)
    print("The schema was brought up to date." if changed else "The schema is up to date.")
    given = await give_tasks(engine, owner) if owner else 0
    left = await tasks_of_nobody(engine)
    await engine.dispose()
    if given:
        print(f"{given} tasks of nobody are those of {owner} now.")
    if left:
        print(
            f"{left} tasks have no owner, so nobody sees them. To give them to a caller: "
            'migrate --tasks-of "ISSUER|SUBJECT"'
        )


async def _log(limit: int) -> None:
    from sqlalchemy import text

    from .persistence.engine import open_engine
    from .persistence.migrate import NEWER, migrate, schema_of

    engine = open_engine(load_settings().database_url)
    if engine.dialect.name == "sqlite":
        await migrate(engine)
    elif (schema := await schema_of(engine)) != "current":
        await engine.dispose()
        raise ConfigurationError(
            NEWER
            if schema == "newer"
            else "The database does not have the schema of this code. Run the command `migrate`."
        )
    async with engine.connect() as connection:
        rows = (await connection.execute(text(LOG_QUERY), {"limit": limit})).mappings().all()
    await engine.dispose()
    print(LOG_QUERY.replace(":limit", str(limit)), end="\n\n")
    for row in rows:
        print(
            " | ".join(
                f"{name}={_on_one_line(value)}" for name, value in row.items() if value is not None
            )
        )


def _on_one_line(value: object) -> str:
    # What people said may hold line breaks and terminal codes.
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(value))


def _prompt(_: argparse.Namespace) -> None:
    from .agent.prompt import system_prompt

    print(system_prompt(), end="")


def _token(args: argparse.Namespace) -> None:
    from .auth.development import new_token

    settings = load_settings()
    if not settings.development_tokens:
        raise ConfigurationError("Set AUTH_ISSUER=development, for the agent and for this command.")
    if args.scope and args.kind != "machine":
        raise ConfigurationError("Scopes are for machines: add --kind machine.")
    if args.minutes < 1:
        raise ConfigurationError("A token lives for a minute at least: --minutes 1.")
    scopes = args.scope or settings.auth_scope.split() if args.kind == "machine" else None
    subject = args.subject or "developer"
    print(new_token(settings, subject=subject, minutes=args.minutes, scopes=scopes))
    print(
        f"A {args.kind} token of {subject}, good for {args.minutes} minutes on this machine. "
        'Send it as "Authorization: Bearer …"'
        + (", or as the cookie __session." if args.kind == "session" else "."),
        file=sys.stderr,
    )
