"""The catalog in `tools/__init__.py`: `CATALOG = Catalog((a.SPEC, b.SPEC))`."""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst
import libcst.matchers as m

from .errors import AgentNewError
from .module_list import Literal, assigned, literal, with_entry, without_entries


def add_tool(source: str, name: str) -> str:
    """With the tool as the last entry, and its module imported."""
    changed = with_entry(source, _entries, name, "SPEC")
    if changed is None:
        raise AgentNewError(
            "CATALOG in tools/__init__.py has a form that cannot be edited safely. Write the file of the "
            f"tool by hand, with `from . import {name}` and `{name}.SPEC` in the catalog; CLAUDE.md "
            "tells how. Nothing was written."
        )
    return changed


def remove_tools(source: str, names: Collection[str]) -> str:
    """Without the entries and imports of these tools; all else as it was."""
    return without_entries(source, _entries, names)


def _entries(tree: cst.Module) -> Literal | None:
    call = assigned(tree, "CATALOG")
    if call is None or not m.matches(
        call, m.Call(func=m.Name("Catalog") | m.Attribute(attr=m.Name("Catalog")))
    ):
        return None
    arguments = cst.ensure_type(call, cst.Call).args
    if len(arguments) != 1 or arguments[0].star:
        return None
    held = arguments[0].value
    # `Catalog(TOOLS)`, with the list under a name of its own
    return literal(assigned(tree, held.value) if isinstance(held, cst.Name) else held)
