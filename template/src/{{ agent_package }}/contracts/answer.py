"""What tools return: a claim with its evidence, or options to choose from."""

from dataclasses import dataclass

from pydantic import BaseModel

from .citation import Citation

VIEW_MEDIA_TYPE = "text/html;profile=mcp-app"
"""Of `Answer.ui`, over every surface; hosts of MCP Apps look for exactly these characters."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A claim. It cannot be made without its evidence."""

    text: str
    data: BaseModel
    ui: str
    """A complete HTML document that shows the claim; it loads nothing from elsewhere."""
    citation: Citation


@dataclass(frozen=True, kw_only=True)
class Options:
    """What can be asked for; it claims nothing, so it cites nothing."""

    text: str
    data: BaseModel
