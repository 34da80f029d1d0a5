"""Let a model answer a question with the catalog's tools."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel, Field, create_model
from pydantic_ai import Agent, ModelRetry, RunContext, Tool, ToolOutput
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models import Model

from ..contracts import (
    Answer,
    ArgumentsError,
    Outcome,
    Refusal,
    Reply,
    ToolContext,
    ToolResult,
    ToolSpec,
    Turn,
)
from ..persistence.history import Said, recent_messages
from .call_tool import call_tool
from .models import choose_model
from .prompt import system_prompt
from .services import Services


class AskUser(BaseModel):
    """The turn cannot go on before the caller answers."""

    question: str = Field(description="One short question to the caller.")


@dataclass
class _Run:
    """What the tools of one run share."""

    turn: Turn
    services: Services
    results: list[ToolResult] = field(default_factory=list)


async def ask_model(turn: Turn, services: Services) -> Reply:
    """One run of the model over the conversation so far."""
    owner = turn.caller.owner
    history = await _history(services, owner, turn.context_id)
    await services.chat_log.insert_user_message(turn.caller, turn.context_id, turn.text)
    run = _Run(turn, services)
    finished = await _agent(services).run(
        turn.text,
        model=model_of(services, turn.model or services.model),
        message_history=_messages(history),
        deps=run,
    )
    return _reply(finished.output, run)


async def _history(services: Services, owner: str, context_id: str) -> list[Said]:
    try:
        return await recent_messages(services.engine, owner, context_id)
    except Exception as error:  # whatever the driver raises: the answer goes out all the same
        services.chat_log.count_loss(f"what was said before, {type(error).__name__}")
        return []


def _reply(output: Any, run: _Run) -> Reply:
    results = tuple(run.results)
    if isinstance(output, AskUser):
        return Reply(kind="question", text=output.question, results=results)
    if isinstance(output, str):
        refused = [r.outcome for r in results if isinstance(r.outcome, Refusal)]
        if refused and len(refused) == len(results):
            return Reply(kind="refusal", text=output, results=results, refusal=refused[-1])
        return Reply(kind="answer", text=output, results=results)
    refusal = run.services.refusals.refuse(output.rule, output.detail)
    return Reply(kind="refusal", text=refusal.as_text(), results=results, refusal=refusal)


@lru_cache(maxsize=16)
def model_of(services: Services, name: str) -> Model:
    """The model of that name, made once; ConfigurationError where it cannot be made."""
    return choose_model(name, services.catalog, services.refusals)


@lru_cache(maxsize=4)
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
    )


def _model_tool(tool: ToolSpec[Any]) -> Tool[_Run]:
    async def call(ctx: RunContext[_Run], **args: Any) -> dict[str, Any]:
        turn, services = ctx.deps.turn, ctx.deps.services
        context = ToolContext(caller=turn.caller, cancelled=turn.cancelled)
        try:
            outcome = await call_tool(tool, args, context, turn.context_id, services)
        except ArgumentsError as error:
            raise ModelRetry("; ".join(error.problems)) from None
        ctx.deps.results.append(ToolResult(tool=tool.name, outcome=outcome))
        return _for_model(outcome)

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


def _messages(history: Sequence[Said]) -> list[ModelMessage]:
    return [
        ModelRequest(parts=[UserPromptPart(said.text)])
        if said.role == "user"
        else ModelResponse(parts=[TextPart(said.text)])
        for said in history
    ]
