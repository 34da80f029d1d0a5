"""One turn of the agent, from whatever surface it came."""

import asyncio
import json

from ..contracts import ArgumentsError, Refusal, Reply, SkillCall, ToolContext, ToolResult, Turn
from .call_tool import call_tool
from .failure import Failure
from .services import Services


async def run_agent(turn: Turn, services: Services) -> Reply:
    """Answer one turn and log it.

    ArgumentsError where a direct call does not fit its skill, Failure where anything broke.
    """
    caller, context_id, log = turn.caller, turn.context_id, services.chat_log
    await log.ensure_conversation(caller, context_id, turn.surface)
    try:
        async with asyncio.timeout(services.time_limit_seconds):
            reply = await (
                _call_skill(turn, turn.call, services) if turn.call else _ask(turn, services)
            )
    except asyncio.CancelledError:
        await log.insert_assistant_text(caller, context_id, None, error="CancelledError")
        raise
    except (ArgumentsError, Failure) as error:
        logged = error.as_logged() if isinstance(error, Failure) else type(error).__name__
        await log.insert_assistant_text(caller, context_id, None, error=logged)
        raise
    except Exception as error:
        failure = Failure(error)
        await log.insert_assistant_text(caller, context_id, None, error=failure.as_logged())
        raise failure from error
    rule = reply.refusal.rule if reply.refusal else None
    await log.insert_assistant_text(caller, context_id, reply.text, refusal_rule=rule)
    return reply


async def _call_skill(turn: Turn, call: SkillCall, services: Services) -> Reply:
    said = turn.text or json.dumps({"skill": call.skill, "args": dict(call.args)})
    await services.chat_log.insert_user_message(turn.caller, turn.context_id, said)
    context = ToolContext(caller=turn.caller, cancelled=turn.cancelled)
    try:
        outcome = await call_tool(
            services.catalog[call.skill], call.args, context, turn.context_id, services
        )
    except ArgumentsError as error:
        if not error.only_missing:
            raise
        return Reply(kind="question", text=f"{call.skill} needs {' and '.join(error.missing)}.")
    result = ToolResult(tool=call.skill, outcome=outcome)
    if isinstance(outcome, Refusal):
        return Reply(kind="refusal", text=outcome.as_text(), results=(result,), refusal=outcome)
    return Reply(kind="answer", text=outcome.text, results=(result,))


async def _ask(turn: Turn, services: Services) -> Reply:
    from .ask_model import ask_model  # pydantic-ai is not loaded for direct calls

    return await ask_model(turn, services)
