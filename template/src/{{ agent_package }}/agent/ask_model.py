"""Let a model answer a question with the catalog's tools."""

import asyncio
import json
from collections.abc import AsyncIterable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel, Field, create_model
from pydantic_ai import Agent, ModelRetry, RunContext, Tool, ToolOutput, UsageLimits
from pydantic_ai.exceptions import ModelAPIError, UsageLimitExceeded
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from ..contracts import (
    Answer,
    ArgumentsError,
    Asked,
    Outcome,
    Refusal,
    Reply,
    TextPiece,
    ToolResult,
    ToolSpec,
    Turn,
)
from ..persistence.chat_log import WRITE_LIMIT_SECONDS
from ..persistence.history import PastTurn, recent_turns
from .call_tool import call_tool
from .failure import Failure
from .models import model_of, no_answer
from .prompt import system_prompt
from .services import Services
from .uncited import uncited_numbers


class AskUser(BaseModel):
    """The turn cannot go on before the caller answers."""

    question: str = Field(description="One short question to the caller.")


@dataclass
class _Run:
    """What the tools of one run share."""

    turn: Turn
    services: Services
    results: list[ToolResult] = field(default_factory=list)
    texts: int = 0


async def ask_model(turn: Turn, services: Services) -> Reply:
    """One run of the model over the conversation so far."""
    limits = services.limits
    history = await _history(turn, services)
    run = _Run(turn, services)
    try:
        finished = await _agent(services).run(
            turn.text,
            model=model_of(services, turn.model or services.model),
            message_history=list(_messages(history)),
            deps=run,
            usage_limits=UsageLimits(
                request_limit=limits.model_requests, total_tokens_limit=limits.model_tokens
            ),
            event_stream_handler=_tell_texts if turn.listener else None,
        )
    except ModelAPIError as error:
        raise Failure(error, look_at=no_answer(turn.model or services.model)) from error
    except UsageLimitExceeded as error:
        raise Failure(
            error, "The question took more of the model than one turn may use."
        ) from error
    return _reply(finished.output, finished.all_messages(), run)


async def _history(turn: Turn, services: Services) -> list[PastTurn]:
    log, limits = services.chat_log, services.limits
    if log.resting:
        return []
    try:
        async with asyncio.timeout(WRITE_LIMIT_SECONDS):
            return await recent_turns(
                services.engine, turn.caller.owner, turn.context_id, limits.history_tokens
            )
    except Exception as error:  # whatever the driver raises: the answer goes out all the same
        log.count_loss(f"what was said before, {type(error).__name__}")
        return []


async def _tell_texts(ctx: RunContext[_Run], events: AsyncIterable[Any]) -> None:
    async for event in events:
        match event:
            case PartStartEvent(part=TextPart(content=text)):
                ctx.deps.texts += 1
            case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
                pass
            case _:
                continue
        if text:
            await ctx.deps.turn.tell(TextPiece(part=ctx.deps.texts, text=text))


def _reply(output: Any, messages: Iterable[ModelMessage], run: _Run) -> Reply:
    results = tuple(run.results)
    if isinstance(output, AskUser):
        return Reply(kind="question", text=output.question, results=results)
    if isinstance(output, str):
        refusal = _refusal_behind(results, run)
        if refusal:
            said = output if results else refusal.as_text()
            return Reply(kind="refusal", text=said, results=results, refusal=refusal)
        uncited = uncited_numbers(output, _told(messages))
        return Reply(kind="answer", text=output, results=results, uncited=uncited)
    refusal = run.services.refusals.refuse(output.rule, output.detail)
    return Reply(kind="refusal", text=refusal.as_text(), results=results, refusal=refusal)


def _refusal_behind(results: tuple[ToolResult, ...], run: _Run) -> Refusal | None:
    """Of words: every tool refused, or none ran and the question itself meets a rule."""
    if not results:
        return run.services.refusals.check(Asked(text=run.turn.text))
    refused = [r.outcome for r in results if isinstance(r.outcome, Refusal)]
    return refused[-1] if len(refused) == len(results) else None


def _told(messages: Iterable[ModelMessage]) -> Iterator[str]:
    """What people and tools said."""
    for message in messages:
        for part in message.parts:
            if isinstance(part, UserPromptPart | ToolReturnPart):
                yield part.content if isinstance(part.content, str) else json.dumps(part.content)


@lru_cache(maxsize=16)
def _agent(services: Services) -> Agent[_Run, Any]:
    refusals = services.refusals
    outputs: list[Any] = [
        str,
        ToolOutput(AskUser, name="ask_user", description="Ask the caller for what is missing."),
    ]
    if refusals.rules:
        rule: Any = Literal[tuple(refusals.rules)]
        met = Field(description="What in the question met the rule.")
        refuse = create_model("Refuse", rule=(rule, ...), detail=(str, met))
        outputs.append(ToolOutput(refuse, name="refuse", description="Refuse, by a rule."))
    return Agent(
        deps_type=_Run,
        output_type=outputs,
        instructions=system_prompt(refusals=refusals),
        tools=[_model_tool(tool) for tool in services.catalog.values()],
        retries=2,
    )


def _model_tool(tool: ToolSpec[Any]) -> Tool[_Run]:
    async def call(ctx: RunContext[_Run], **args: Any) -> dict[str, Any]:
        try:
            result = await call_tool(tool, args, ctx.deps.turn, ctx.deps.services)
        except ArgumentsError as error:
            raise ModelRetry("; ".join(error.problems)) from None
        ctx.deps.results.append(result)
        return _for_model(result.outcome)

    return Tool.from_schema(
        call,
        name=tool.name,
        description=tool.description,
        json_schema=tool.args.model_json_schema(),
        takes_ctx=True,
    )


def _for_model(outcome: Outcome) -> dict[str, Any]:
    # The view stays out: HTML tells a model nothing and costs its context.
    if isinstance(outcome, Refusal):
        return {"text": outcome.as_text(), "refusal": outcome.model_dump(mode="json")}
    seen = {"text": outcome.text, "data": outcome.data.model_dump(mode="json")}
    if isinstance(outcome, Answer):
        seen["citation"] = outcome.citation.model_dump(mode="json")
    return seen


def _messages(history: Iterable[PastTurn]) -> Iterator[ModelMessage]:
    for turn in history:
        yield ModelRequest(parts=[UserPromptPart(turn.asked)])
        for call in turn.calls:
            yield ModelResponse(parts=[ToolCallPart(call.tool, call.args, tool_call_id=call.id)])
            yield ModelRequest(parts=[ToolReturnPart(call.tool, call.result, tool_call_id=call.id)])
        yield ModelResponse(parts=[TextPart(turn.said)])
