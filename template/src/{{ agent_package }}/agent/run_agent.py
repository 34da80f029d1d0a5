"""One turn of the agent, from whatever surface it came."""

import asyncio
import importlib
from collections.abc import Coroutine
from typing import Any

from ..contracts import ArgumentsError, CredentialNeeded, Refusal, Reply, SkillCall, Turn
from ..persistence.chat_log import Lease
from .call_tool import call_tool
from .failure import Failure
from .one_turn import one_turn
from .services import Services

STOP_SECONDS = 2.0


async def run_agent(turn: Turn, services: Services) -> Reply:
    """Answer one turn and log it.

    ArgumentsError where a direct call does not fit its skill, Failure where anything broke,
    CancelledError where the turn was cancelled.
    """
    services = services.of(turn.caller)
    deadline = asyncio.get_running_loop().time() + services.limits.seconds
    async with one_turn(turn, services, deadline) as lease:
        return await _logged(turn, lease, services, deadline)


async def _logged(turn: Turn, lease: Lease, services: Services, deadline: float) -> Reply:
    async def log(text: str | None, **columns: Any) -> None:
        await services.chat_log.insert_assistant_text(turn, lease, text, **columns)

    try:
        reply = await _within(deadline, turn, services)
    except asyncio.CancelledError as error:
        await log(None, error=type(error).__name__)
        raise
    except ArgumentsError as error:
        await log(None, error=type(error).__name__)
        raise
    except Exception as error:
        failure = Failure.of(error)
        await log(None, error=failure.as_logged())
        raise failure from error
    await log(
        reply.text,
        refusal_rule=reply.refusal.rule if reply.refusal else None,
        error=f"uncited: {', '.join(reply.uncited)}" if reply.uncited else None,
    )
    return reply


async def _within(deadline: float, turn: Turn, services: Services) -> Reply:
    work = _call_skill(turn, turn.call, services) if turn.call else _ask(turn, services)
    try:
        async with asyncio.timeout_at(deadline):
            return await _unless_cancelled(turn, work)
    except CredentialNeeded as needed:
        return Reply(kind="credential", text=needed.said, url=needed.url)
    except TimeoutError as error:
        said = f"The agent took longer than {services.limits.seconds:g} s."
        raise Failure(error, said) from error


async def _unless_cancelled(turn: Turn, work: Coroutine[Any, Any, Reply]) -> Reply:
    working = asyncio.ensure_future(work)
    stop = asyncio.ensure_future(turn.cancelled.wait())
    try:
        await asyncio.wait({working, stop}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise asyncio.CancelledError
        return working.result()
    finally:
        stop.cancel()
        working.cancel()
        # A tool may have something to put away; one that does not stop holds nobody up.
        await asyncio.wait({working}, timeout=STOP_SECONDS)


async def _call_skill(turn: Turn, call: SkillCall, services: Services) -> Reply:
    try:
        result = await call_tool(services.catalog[call.skill], call.args, turn, services)
    except ArgumentsError as error:
        if not error.only_missing:
            raise
        return Reply(kind="question", text=f"{call.skill} needs {' and '.join(error.missing)}.")
    outcome = result.outcome
    if isinstance(outcome, Refusal):
        return Reply(kind="refusal", text=outcome.as_text(), results=(result,), refusal=outcome)
    return Reply(kind="answer", text=outcome.text, results=(result,))


async def _ask(turn: Turn, services: Services) -> Reply:
    # pydantic-ai takes seconds to load; direct calls do without it, and nobody waits for it here.
    loaded = await asyncio.to_thread(importlib.import_module, ".ask_model", __package__)
    reply: Reply = await loaded.ask_model(turn, services)
    return reply
