"""What the domain package offers: the imports and `__all__` of its `__init__.py`."""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst


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
