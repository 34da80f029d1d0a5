"""A list with one entry for each module of a package: tools in a catalog, jobs.

It stands in the package's `__init__.py` and is edited as a syntax tree, whatever shape the person has
given it; comments stay. Line breaks are the formatter's business.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

import libcst as cst
import libcst.matchers as m

Literal = cst.Tuple | cst.List
Finder = Callable[[cst.Module], Literal | None]
"""The literal that holds the entries; None: there is none that can be edited safely."""


def assigned(tree: cst.Module, name: str) -> cst.BaseExpression | None:
    """What the last assignment to `name` at the top level assigns."""
    value = None
    for statement in tree.body:
        for line in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
            if m.matches(line, m.Assign(targets=[m.AssignTarget(m.Name(name))])):
                value = cst.ensure_type(line, cst.Assign).value
            elif m.matches(line, m.AnnAssign(target=m.Name(name))):
                value = cst.ensure_type(line, cst.AnnAssign).value
    return value


def literal(node: object) -> Literal | None:
    return node if isinstance(node, cst.Tuple | cst.List) else None


def with_entry(source: str, find: Finder, name: str, attribute: str) -> str | None:
    """With `name.attribute` as the last entry and `name` imported; None: nothing to edit."""
    tree = cst.parse_module(source)
    found = find(tree)
    if found is None:
        return None
    entry = cst.Element(cst.Attribute(cst.Name(name), cst.Name(attribute)))
    changed = cst.ensure_type(tree.deep_replace(found, appended(found, entry)), cst.Module)
    return with_import(changed, ".", name).code


def without_entries(source: str, find: Finder, modules: Collection[str]) -> str:
    """Without the entries of these modules of the package, and without their imports."""
    tree = cst.parse_module(source)
    names = {name for module, name in _imported(tree) if module in modules}
    found = find(tree)
    if found is not None:
        left = [element for element in found.elements if _root(element.value) not in names]
        changed = found.with_changes(elements=_closed(left, found))
        tree = cst.ensure_type(tree.deep_replace(found, changed), cst.Module)
    return tree.visit(_RemoveImports(modules)).code


def with_import(tree: cst.Module, package: str, name: str) -> cst.Module:
    """With `from PACKAGE import NAME`, where the imports of that package stand."""
    adding = _AddImport(package, name)
    changed = tree.visit(adding)
    if adding.done:
        return changed
    line = cst.parse_statement(f"from {package} import {name}\n")
    at = max((n + 1 for n, node in enumerate(tree.body) if _is_import(node)), default=None)
    if at is None:
        at = 1 if tree.get_docstring() is not None else 0
    return tree.with_changes(body=[*tree.body[:at], line, *tree.body[at:]])


def appended(found: Literal, entry: cst.Element) -> Literal:
    """With one more entry at the end, broken into lines as those before it."""
    if not found.elements:
        alone = entry.with_changes(comma=cst.Comma()) if isinstance(found, cst.Tuple) else entry
        return found.with_changes(elements=[alone])
    *others, last = found.elements
    space = _after_opening(found) if not others else _space(others[-1].comma)
    between = cst.Comma(whitespace_after=space)
    comments = _comments(last.comma)  # what was said behind the last entry stays behind it
    end = last.comma if not comments else cst.Comma(whitespace_after=_space(last.comma))
    if comments:
        between = cst.ensure_type(last.comma, cst.Comma)
    elements = [*others, last.with_changes(comma=between), entry.with_changes(comma=end)]
    return found.with_changes(elements=elements)


def _after_opening(found: Literal) -> cst.BaseParenthesizableWhitespace:
    opening = found.lbracket if isinstance(found, cst.List) else found.lpar[0]
    space = opening.whitespace_after
    if isinstance(space, cst.ParenthesizedWhitespace):
        return space.with_changes(first_line=cst.TrailingWhitespace(), empty_lines=[])
    return cst.SimpleWhitespace(" ")


def _space(comma: object) -> cst.BaseParenthesizableWhitespace:
    space = comma.whitespace_after if isinstance(comma, cst.Comma) else cst.SimpleWhitespace(" ")
    if isinstance(space, cst.ParenthesizedWhitespace):
        return space.with_changes(first_line=cst.TrailingWhitespace(), empty_lines=[])
    return space


def without_comments(comma: cst.Comma) -> cst.Comma:
    """Broken into lines in the same way."""
    return comma.with_changes(whitespace_after=_space(comma))


def _comments(comma: object) -> bool:
    space = comma.whitespace_after if isinstance(comma, cst.Comma) else None
    return isinstance(space, cst.ParenthesizedWhitespace) and bool(m.findall(space, m.Comment()))


def _closed(left: list[cst.BaseElement], found: Literal) -> list[cst.BaseElement]:
    """The end of the literal breaks as it did, also where its last entry is gone."""
    if not left or left[-1] is found.elements[-1]:
        return left
    comma = found.elements[-1].comma
    if isinstance(found, cst.Tuple) and len(left) == 1 and not isinstance(comma, cst.Comma):
        comma = cst.Comma()
    return [*left[:-1], left[-1].with_changes(comma=comma)]


def _root(node: cst.BaseExpression) -> str:
    while isinstance(node, cst.Attribute):
        node = node.value
    return node.value if isinstance(node, cst.Name) else ""


def _imported(tree: cst.Module) -> Iterator[tuple[str, str]]:
    """Module of this package, and a name that an import of it binds."""
    for found in m.findall(tree, m.ImportFrom()):
        node = cst.ensure_type(found, cst.ImportFrom)
        if isinstance(node.names, cst.ImportStar):
            continue
        for alias in node.names:
            module = alias.evaluated_name if _is_package(node) else _module(node)
            if module:
                yield module, alias.evaluated_alias or alias.evaluated_name


def _is_package(node: cst.ImportFrom) -> bool:
    """`from . import a`, or `from my_agent.tools import a`."""
    if node.module is None:
        return len(node.relative) == 1
    package = m.Attribute(attr=m.Name("tools") | m.Name("jobs"))
    return not node.relative and m.matches(node.module, package)


def _module(node: cst.ImportFrom) -> str:
    """`a` in `from .a import SPEC`."""
    return (
        node.module.value if len(node.relative) == 1 and isinstance(node.module, cst.Name) else ""
    )


def _is_import(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.SimpleStatementLine) and isinstance(
        node.body[0], cst.Import | cst.ImportFrom
    )


class _AddImport(cst.CSTTransformer):
    def __init__(self, package: str, name: str) -> None:
        super().__init__()
        self._package, self._name = package, name
        self.done = False

    def leave_ImportFrom(
        self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom
    ) -> cst.ImportFrom:
        if (
            self.done
            or isinstance(updated_node.names, cst.ImportStar)
            or not self._is_it(updated_node)
        ):
            return updated_node
        self.done = True
        if any(alias.evaluated_name == self._name for alias in updated_node.names):
            return updated_node
        *others, last = updated_node.names
        space = _space(others[-1].comma) if others else _after_parenthesis(updated_node)
        end = last.comma
        new = cst.ImportAlias(cst.Name(self._name), comma=end)
        middle = last.with_changes(comma=cst.Comma(whitespace_after=space))
        return updated_node.with_changes(names=[*others, middle, new])

    def _is_it(self, node: cst.ImportFrom) -> bool:
        if self._package == ".":
            return len(node.relative) == 1 and node.module is None
        written = "." * len(node.relative) + (
            cst.Module([]).code_for_node(node.module) if node.module else ""
        )
        return written == self._package


def _after_parenthesis(node: cst.ImportFrom) -> cst.BaseParenthesizableWhitespace:
    space = node.lpar.whitespace_after if node.lpar else cst.SimpleWhitespace(" ")
    if isinstance(space, cst.ParenthesizedWhitespace):
        return space.with_changes(first_line=cst.TrailingWhitespace(), empty_lines=[])
    return cst.SimpleWhitespace(" ")


class _RemoveImports(cst.CSTTransformer):
    def __init__(self, modules: Collection[str]) -> None:
        super().__init__()
        self._modules = modules

    def leave_ImportFrom(
        self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom
    ) -> cst.ImportFrom | cst.RemovalSentinel:
        if isinstance(updated_node.names, cst.ImportStar):
            return updated_node
        if _module(updated_node) in self._modules:
            return cst.RemoveFromParent()
        if not _is_package(updated_node):
            return updated_node
        left = [a for a in updated_node.names if a.evaluated_name not in self._modules]
        if not left:
            return cst.RemoveFromParent()
        if left[-1] is not updated_node.names[-1]:
            left[-1] = left[-1].with_changes(comma=updated_node.names[-1].comma)
        return updated_node.with_changes(names=left)
