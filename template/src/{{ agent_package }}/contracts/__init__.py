"""The words that every other part shares; nothing here knows a framework or the network."""

from .answer import Answer, Options
from .caller import Caller
from .citation import Citation, Source
from .identity import Identity
from .refusal import Asked, Refusal, RefusalRule, Refusals
from .tool_spec import (
    ArgumentsError,
    Catalog,
    DiscoveryTool,
    Example,
    Outcome,
    ToolContext,
    ToolSpec,
    VisualTool,
)
from .turn import Reply, SkillCall, ToolResult, Turn

__all__ = [
    "Answer",
    "ArgumentsError",
    "Asked",
    "Caller",
    "Catalog",
    "Citation",
    "DiscoveryTool",
    "Example",
    "Identity",
    "Options",
    "Outcome",
    "Refusal",
    "RefusalRule",
    "Refusals",
    "Reply",
    "SkillCall",
    "Source",
    "ToolContext",
    "ToolResult",
    "ToolSpec",
    "Turn",
    "VisualTool",
]
