"""What the domain package offers: the imports and `__all__` of its `__init__.py`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import libcst as cst

from .module_list import Literal, appended, without_comments


def remove_modules(source: str, modules: Collection[str]) -> str:
    """Without the names that come from these modules of the package; all else as it was."""
    imports = _RemoveImports(modules)
    tree = cst.parse_module(source).visit(imports)
    return tree.visit(_RemoveFromAll(imports.names)).code


def add_names(source: str, module: str, names: Collection[str]) -> str:
    """With these names of that module of the package imported, and in `__all__`."""
    tree = cst.parse_module(source)
    line = cst.parse_statement(f"from .{module} import {', '.join(sorted(names))}\n")
    at = _after_imports(tree)
    tree = tree.with_changes(body=[*tree.body[:at], line, *tree.body[at:]])
    adding = _AddToAll(names)
    changed = tree.visit(adding)
    if adding.done:
        return changed.code
    bound = sorted({*names, *_bound_at_the_top(tree)}, key=_as_ruff_sorts)
    everything = cst.parse_statement(f"\n__all__ = [{', '.join(map(repr, bound))},]\n")
    at = _after_imports(changed)
    return changed.with_changes(body=[*changed.body[:at], everything, *changed.body[at:]]).code


def _after_imports(tree: cst.Module) -> int:
    imports = [n + 1 for n, node in enumerate(tree.body) if _is_import(node)]
    return max(imports, default=1 if tree.get_docstring() is not None else 0)


def _is_import(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.SimpleStatementLine) and isinstance(
        node.body[0], cst.Import | cst.ImportFrom
    )


def _bound_at_the_top(tree: cst.Module) -> Iterator[str]:
    """What a package without `__all__` offers by importing it from its own modules."""
    for node in tree.body:
        line = node.body[0] if isinstance(node, cst.SimpleStatementLine) else None
        if (
            isinstance(line, cst.ImportFrom)
            and line.relative
            and not isinstance(line.names, cst.ImportStar)
        ):
            yield from (alias.evaluated_alias or alias.evaluated_name for alias in line.names)


def _as_ruff_sorts(name: str) -> tuple[int, str]:
    """Constants, then classes, then the rest (RUF022)."""
    kind = 0 if name.isupper() else 1 if name[:1].isupper() else 2
    return kind, name


class _AddToAll(cst.CSTTransformer):
    def __init__(self, names: Collection[str]) -> None:
        super().__init__()
        self._names = names
        self.done = False

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:
        target, value = updated_node.targets[0].target, updated_node.value
        if not isinstance(target, cst.Name) or target.value != "__all__":
            return updated_node
        self.done = True  # a computed one is left alone: the import is enough to be found
        if not isinstance(value, cst.List | cst.Tuple):
            return updated_node
        for name in self._names:
            value = _with_name(value, name)
        return updated_node.with_changes(value=value)


def _with_name(value: Literal, name: str) -> Literal:
    """In its place where the others are sorted, else at the end."""
    there = [_said(element) for element in value.elements]
    new = cst.Element(cst.SimpleString(f'"{name}"'))
    after = sum(_as_ruff_sorts(other) < _as_ruff_sorts(name) for other in there)
    if name in there:
        return value
    if after == len(there) or there != sorted(there, key=_as_ruff_sorts):
        return appended(value, new)
    comma = value.elements[0].comma
    plain = comma if isinstance(comma, cst.Comma) else cst.Comma()
    new = new.with_changes(comma=without_comments(plain))
    return value.with_changes(elements=[*value.elements[:after], new, *value.elements[after:]])


def _said(element: cst.BaseElement) -> str:
    value = element.value
    return str(value.evaluated_value) if isinstance(value, cst.SimpleString) else ""


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
