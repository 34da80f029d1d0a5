"""The model that tools may ask."""

from pydantic_ai import Agent, UsageLimits
from pydantic_ai.exceptions import ModelAPIError

from ..settings import ConfigurationError
from .failure import Failure
from .models import model_of, no_answer
from .services import Services


async def ask_tool_model(prompt: str, services: Services) -> str:
    """What AGENT_TOOL_MODEL, else AGENT_MODEL, says to a prompt; ConfigurationError without one."""
    name = services.tool_model or services.model
    if not name:
        raise ConfigurationError("A tool asks a model: set AGENT_TOOL_MODEL or AGENT_MODEL.")
    limits = UsageLimits(
        request_limit=services.limits.model_requests,
        total_tokens_limit=services.limits.model_tokens,
    )
    try:
        answered = await Agent(model_of(services, name)).run(prompt, usage_limits=limits)
    except ModelAPIError as error:
        raise Failure(error, look_at=no_answer(name)) from error
    return answered.output
