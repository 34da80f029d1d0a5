"""What the domain package offers: the imports and `__all__` of its `__init__.py`."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Collection, Sequence

import libcst as cst

from .errors import AgentNewError
from .module_list import Literal, assigned, inserted, literal, with_import


def add_names(source: str, module: str, names: Sequence[str]) -> str:
    """With these names of a module of the package imported and offered in `__all__`."""
    tree = cst.parse_module(source)
    offered = assigned(tree, "__all__")
    found = literal(offered)
    if offered is not None and found is None:
        raise AgentNewError(
            "`__all__` of the domain package's __init__.py has a form that cannot be edited safely. "
            "Make it a list of names, or write the tool by hand: CLAUDE.md tells how. "
            "Nothing was written."
        )
    if found is not None:
        tree = cst.ensure_type(tree.deep_replace(found, _offering(found, names)), cst.Module)
    for name in names:
        tree = with_import(tree, f".{module}", name)
    if found is None:
        listed = ", ".join(f'"{name}"' for name in sorted(names, key=_order))
        line = cst.ensure_type(
            cst.parse_statement(f"__all__ = [{listed}]\n"), cst.SimpleStatementLine
        )
        tree = _below_imports(tree, line.with_changes(leading_lines=[cst.EmptyLine(indent=False)]))
    return tree.code


def _offering(found: Literal, names: Sequence[str]) -> Literal:
    for name in names:
        there = [_text(element.value) for element in found.elements]
        if name in there:
            continue
        keys = [_order(text) for text in there]
        at = bisect(keys, _order(name)) if keys == sorted(keys) else len(keys)
        found = inserted(found, cst.Element(cst.SimpleString(f'"{name}"')), at)
    return found


def _text(node: cst.BaseExpression) -> str:
    return str(node.evaluated_value) if isinstance(node, cst.SimpleString) else ""


def _order(name: str) -> tuple[int, list[tuple[int, int]]]:
    """As the rule RUF022 of ruff has it: constants, classes, the rest; 2 comes before 10."""
    kind = 2
    if len(name) > 1 and name.isupper():
        kind = 0
    elif name[:1].isupper():
        kind = 1
    parts = re.findall(r"\d+|\D", name)
    return kind, [(0, int(part)) if part.isdecimal() else (1, ord(part)) for part in parts]


def _below_imports(tree: cst.Module, line: cst.SimpleStatementLine) -> cst.Module:
    imports = (cst.Import, cst.ImportFrom)
    at = max(
        n + 1
        for n, node in enumerate(tree.body)
        if isinstance(node, cst.SimpleStatementLine) and isinstance(node.body[0], imports)
    )
    return tree.with_changes(body=[*tree.body[:at], line, *tree.body[at:]])


def remove_modules(source: str, modules: Collection[str]) -> str:
    """Without the names that come from these modules of the package; all else as it was."""
    imports = _RemoveImports(modules)
    tree = cst.parse_module(source).visit(imports)
    return tree.visit(_RemoveFromAll(imports.names)).code


class _RemoveImports(cst.CSTTransformer):
    def __init__(self, modules: Collection[str]) -> None:
        super().__init__()
        self._modules = modules
        self.names: set[str] = set()

    def leave_ImportFrom(
        self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom
    ) -> cst.ImportFrom | cst.RemovalSentinel:
        module = updated_node.module
        if (
            len(updated_node.relative) != 1
            or not isinstance(module, cst.Name)
            or module.value not in self._modules
            or isinstance(updated_node.names, cst.ImportStar)
        ):
            return updated_node
        self.names |= {
            alias.evaluated_alias or alias.evaluated_name for alias in updated_node.names
        }
        return cst.RemoveFromParent()


class _RemoveFromAll(cst.CSTTransformer):
    def __init__(self, names: Collection[str]) -> None:
        super().__init__()
        self._names = names

    def leave_Assign(
        self, original_node: cst.Assign, updated_node: cst.Assign
    ) -> cst.Assign | cst.RemovalSentinel:
        target, value = updated_node.targets[0].target, updated_node.value
        if not isinstance(target, cst.Name) or target.value != "__all__":
            return updated_node
        if not isinstance(value, cst.List | cst.Tuple):
            return updated_node
        left = [element for element in value.elements if not self._goes(element.value)]
        if not left:
            return cst.RemoveFromParent()
        if left[-1] is not value.elements[-1]:  # where the line after the last entry breaks
            left[-1] = left[-1].with_changes(comma=value.elements[-1].comma)
        return updated_node.with_changes(value=value.with_changes(elements=left))

    def _goes(self, entry: cst.BaseExpression) -> bool:
        return isinstance(entry, cst.SimpleString) and entry.evaluated_value in self._names
