"""The text of a new file in a project that is there, from a template in `pieces/`."""

from __future__ import annotations

from pathlib import Path

_PIECES = Path(__file__).with_name("pieces")


def render_piece(piece: str, /, **values: str) -> str:
    """`pieces/PIECE.jinja`, filled in; a value that is missing is a fault of ours."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_PIECES),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        autoescape=False,  # Python, not HTML; values are names and schedules that were checked
    )
    return environment.get_template(f"{piece}.jinja").render(values)
