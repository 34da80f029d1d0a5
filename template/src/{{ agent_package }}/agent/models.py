"""Which model answers."""

from pydantic_ai.models import Model, infer_model

from ..contracts import Catalog, Refusals
from ..settings import ConfigurationError
from .offline_model import offline_model


def choose_model(name: str, catalog: Catalog, refusals: Refusals) -> Model:
    """The model of that pydantic-ai name; the offline model where there is no name."""
    if not name:
        return offline_model(catalog, refusals)
    try:
        return infer_model(name)
    except ImportError as error:
        raise ConfigurationError(
            f"AGENT_MODEL is {name!r}, and its package is not installed: {error}. "
            f'Try: uv add "pydantic-ai-slim[{name.partition(":")[0]}]"'
        ) from None
    except Exception as error:  # each provider has its own classes for a missing key
        raise ConfigurationError(f"AGENT_MODEL is {name!r}: {error}") from None
