"""One tool call, the same from every surface: run it, and log what came of it."""

import asyncio
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from ..contracts import (
    Answer,
    ArgumentsError,
    Outcome,
    Refusal,
    ToolContext,
    ToolSpec,
)
from ..persistence.chat_log import ToolCallRow
from .failure import Failure
from .services import Services


async def call_tool(
    tool: ToolSpec[Any],
    args: Mapping[str, Any],
    context: ToolContext,
    context_id: str,
    services: Services,
) -> Outcome:
    """Run a tool and log the call.

    ArgumentsError where the arguments do not fit, Failure where the tool raised or took too long.
    """

    def write(**columns: Any) -> None:
        row = ToolCallRow(tool=tool.name, args=args, **columns)
        services.chat_log.insert_tool_call(context.caller, context_id, row)

    try:
        async with asyncio.timeout(services.time_limit_seconds):
            outcome = await tool.run(tool.parse(args), context)
    except ArgumentsError:
        write(error=ArgumentsError.__name__)
        raise
    except asyncio.CancelledError:
        context.cancelled.set()
        write(error=asyncio.CancelledError.__name__)
        raise
    except Exception as error:
        context.cancelled.set()
        failure = Failure(error)
        write(error=failure.as_logged())
        raise failure from error
    write(**_columns(outcome))
    return outcome


def _columns(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Refusal):
        return {"output": _plain(outcome), "refusal_rule": outcome.rule}
    citation = _plain(outcome.citation) if isinstance(outcome, Answer) else None
    return {"output": _plain(outcome.data), "citation": citation}


def _plain(model: BaseModel) -> dict[str, Any]:
    return model.model_dump(mode="json")
