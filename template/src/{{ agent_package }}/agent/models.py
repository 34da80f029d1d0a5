"""Which model answers."""

from pydantic_ai.models import Model, infer_model

from ..contracts import Catalog, Refusals
from ..settings import ConfigurationError
from .offline_model import offline_model


def choose_model(name: str, catalog: Catalog, refusals: Refusals) -> Model:
    """The model of that pydantic-ai name; the offline model where there is no name."""
    if not name:
        return offline_model(catalog, refusals)
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
