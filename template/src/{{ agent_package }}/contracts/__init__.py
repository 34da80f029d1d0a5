"""The words that every other part shares; nothing here knows a framework or the network."""

from .answer import Answer, Options
from .caller import Caller
from .citation import Citation, Source
from .identity import Identity
from .refusal import Asked, Refusal, RefusalRule, Refusals
from .tool_spec import (
    ArgumentsError,
    Catalog,
    CredentialNeeded,
    DiscoveryTool,
    Example,
    Outcome,
    ToolContext,
    ToolSpec,
    VisualTool,
)
from .turn import (
    CallEnded,
    CallStarted,
    Reply,
    SkillCall,
    TextPiece,
    ToolResult,
    Turn,
    TurnEvent,
)

__all__ = [
    "Answer",
    "ArgumentsError",
    "Asked",
    "CallEnded",
    "CallStarted",
    "Caller",
    "Catalog",
    "Citation",
    "CredentialNeeded",
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
    "TextPiece",
    "ToolContext",
    "ToolResult",
    "ToolSpec",
    "Turn",
    "TurnEvent",
    "VisualTool",
]
