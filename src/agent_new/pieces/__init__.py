"""Templates of the files that `add` writes, and how they are filled in."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files


def piece(name: str, words: Mapping[str, str]) -> str:
    """The template of this name, with these words in it."""
    from jinja2 import Environment, StrictUndefined

    source = files(__name__).joinpath(f"{name}.jinja").read_text(encoding="utf-8")
    environment = Environment(
        undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
    )
    return environment.from_string(source).render(words)
