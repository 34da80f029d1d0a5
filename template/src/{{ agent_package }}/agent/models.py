"""Which model answers."""

import os
from functools import lru_cache

from pydantic_ai.models import Model, infer_model

from ..settings import ConfigurationError
from .offline_model import offline_model
from .services import Services


@lru_cache(maxsize=16)
def model_of(services: Services, name: str) -> Model:
    """The model of that pydantic-ai name, made once; the offline model where there is no name.

    ConfigurationError where it cannot be made.
    """
    return _named(name) if name else offline_model(services.catalog, services.refusals)


def no_answer(name: str) -> str:
    """For the log: the settings to look at where that model cannot be reached, or refuses."""
    return (
        f"the model {name!r} did not answer; look at AGENT_MODEL, AGENT_TOOL_MODEL, the key "
        "of their provider, and OPENAI_BASE_URL where the model is served at an address of its own"
    )


def _named(name: str) -> Model:
    if gateway_key := os.environ.get("AI_GATEWAY_API_KEY"):  # as Vercel names it
        os.environ.setdefault("VERCEL_AI_GATEWAY_API_KEY", gateway_key)
    if ":" not in name:
        raise ConfigurationError(
            f"AGENT_MODEL is {name!r}. Write provider:model, for example openai:gpt-5.2."
        )
    try:
        return infer_model(name)
    except ImportError:
        raise ConfigurationError(
            f"AGENT_MODEL is {name!r}, and its package is not installed. "
            f'Try: uv add "pydantic-ai-slim[{name.partition(":")[0]}]"'
        ) from None
    except Exception as error:  # each provider has its own classes for a missing key
        said = str(error).split(" or pass ")[0].splitlines()[0]
        raise ConfigurationError(
            f"AGENT_MODEL is {name!r}, and it cannot be used: {said}. Put what is missing into "
            "`.env` and start again, or leave AGENT_MODEL empty for the offline model."
        ) from None
