"""One tool call, the same from every surface: run it, tell who listens, and log what came of it."""

import asyncio
import uuid
from collections.abc import Mapping
from typing import Any

from ..contracts import (
    Answer,
    ArgumentsError,
    CallEnded,
    CallStarted,
    CredentialNeeded,
    Outcome,
    Refusal,
    ToolContext,
    ToolResult,
    ToolSpec,
    Turn,
)
from ..persistence.chat_log import ToolCallRow
from .failure import Failure
from .services import Services


async def call_tool(
    tool: ToolSpec[Any], args: Mapping[str, Any], turn: Turn, services: Services
) -> ToolResult:
    """Run a tool as part of a turn, and log the call.

    ArgumentsError where the arguments do not fit, CredentialNeeded as the tool says, Failure where the tool raised or took too long.
    """

    def write(**columns: Any) -> None:
        row = ToolCallRow(tool=tool.name, args=args, **columns)
        services.chat_log.insert_tool_call(turn, row)

    async def ask(prompt: str) -> str:
        from .ask_tool_model import ask_tool_model

        return await ask_tool_model(prompt, services)

    given_up = asyncio.Event()
    context = ToolContext(caller=turn.caller, cancelled=given_up, ask=ask)
    call_id = str(uuid.uuid4())
    try:
        async with asyncio.timeout(services.limits.seconds):
            parsed = tool.parse(args)
            await turn.tell(CallStarted(id=call_id, tool=tool.name, args=args))
            outcome = await tool.run(parsed, context)
    except (ArgumentsError, CredentialNeeded) as error:
        write(error=type(error).__name__)
        raise
    except asyncio.CancelledError:
        given_up.set()
        write(error=asyncio.CancelledError.__name__)
        raise
    except Exception as error:
        given_up.set()
        failure = Failure.of(error)
        write(error=failure.as_logged())
        raise failure from error
    write(**_columns(outcome))
    result = ToolResult(tool=tool.name, outcome=outcome)
    await turn.tell(CallEnded(id=call_id, result=result))
    return result


def _columns(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Refusal):
        return {"output": outcome.model_dump(mode="json"), "refusal_rule": outcome.rule}
    citation = outcome.citation.model_dump(mode="json") if isinstance(outcome, Answer) else None
    return {"output": outcome.data.model_dump(mode="json"), "citation": citation}
