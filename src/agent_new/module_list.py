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
    changed = cst.ensure_type(tree.deep_replace(found, _appended(found, entry)), cst.Module)
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
    """With `from PACKAGE import NAME`, in the import of that package or in a line of its own."""
    at = 1 if tree.get_docstring() is not None else 0
    body = list(tree.body)
    for n, statement in enumerate(body):
        if _assigns(statement):
            break  # what is imported below this line comes too late for it
        if not _is_import(statement):
            continue
        at = n + 1
        line = cst.ensure_type(statement, cst.SimpleStatementLine)
        for k, found in enumerate(line.body):
            if isinstance(found, cst.ImportFrom) and _is_from(found, package):
                parts = [*line.body[:k], _with_name(found, name), *line.body[k + 1 :]]
                body[n] = line.with_changes(body=parts)
                return tree.with_changes(body=body)
    statement = cst.parse_statement(f"from {package} import {name}\n")
    return tree.with_changes(body=[*body[:at], statement, *body[at:]])


def inserted(found: Literal, entry: cst.Element, at: int) -> Literal:
    """With the entry before the one that is at this place, in a line of its own where they are."""
    elements = list(found.elements)
    if at >= len(elements):
        return _appended(found, entry)
    space = _space(elements[0].comma) if len(elements) > 1 else _after_opening(found)
    entry = entry.with_changes(comma=cst.Comma(whitespace_after=space))
    return found.with_changes(elements=[*elements[:at], entry, *elements[at:]])


def _appended(found: Literal, entry: cst.Element) -> Literal:
    if not found.elements:
        alone = entry.with_changes(comma=cst.Comma()) if isinstance(found, cst.Tuple) else entry
        return found.with_changes(elements=[alone])
    *others, last = found.elements
    space = _after_opening(found) if not others else _space(others[-1].comma)
    between, end = _parted(space, _before_closing(found))
    elements = [*others, last.with_changes(comma=between), entry.with_changes(comma=last.comma)]
    return _closed_by(found.with_changes(elements=elements), end)


def _parted(
    space: cst.BaseParenthesizableWhitespace, end: cst.BaseParenthesizableWhitespace
) -> tuple[cst.Comma, cst.BaseParenthesizableWhitespace]:
    """The comma before a new last entry, and what follows that one.

    What was said behind the old last entry, in its line, stays behind it.
    """
    if not isinstance(end, cst.ParenthesizedWhitespace) or end.first_line.comment is None:
        return cst.Comma(whitespace_after=space), end
    inside = space if isinstance(space, cst.ParenthesizedWhitespace) else end
    said = inside.with_changes(first_line=end.first_line, empty_lines=[])
    return cst.Comma(whitespace_after=said), end.with_changes(first_line=cst.TrailingWhitespace())


def _before_closing(found: Literal) -> cst.BaseParenthesizableWhitespace:
    if isinstance(found, cst.List):
        return found.rbracket.whitespace_before
    return found.rpar[-1].whitespace_before if found.rpar else cst.SimpleWhitespace("")


def _closed_by(found: Literal, space: cst.BaseParenthesizableWhitespace) -> Literal:
    if isinstance(found, cst.List):
        bracket = found.rbracket.with_changes(whitespace_before=space)
        return found.with_changes(rbracket=bracket)
    if not found.rpar:
        return found
    *inner, last = found.rpar
    return found.with_changes(rpar=[*inner, last.with_changes(whitespace_before=space)])


def _after_opening(found: Literal) -> cst.BaseParenthesizableWhitespace:
    if isinstance(found, cst.Tuple) and not found.lpar:
        return cst.SimpleWhitespace(" ")
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


def _assigns(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.SimpleStatementLine) and any(
        isinstance(line, cst.Assign | cst.AnnAssign) for line in node.body
    )


def _is_from(node: cst.ImportFrom, package: str) -> bool:
    module = cst.Module([]).code_for_node(node.module) if node.module else ""
    return not isinstance(node.names, cst.ImportStar) and package == (
        "." * len(node.relative) + module
    )


def _with_name(node: cst.ImportFrom, name: str) -> cst.ImportFrom:
    names = () if isinstance(node.names, cst.ImportStar) else node.names
    if any((alias.evaluated_alias or alias.evaluated_name) == name for alias in names):
        return node
    *others, last = names
    space = _space(others[-1].comma) if others else _after_parenthesis(node)
    end = node.rpar.whitespace_before if node.rpar else cst.SimpleWhitespace("")
    between, end = _parted(space, end)
    new = cst.ImportAlias(cst.Name(name), comma=last.comma)
    changed = node.with_changes(names=[*others, last.with_changes(comma=between), new])
    if node.rpar is None:
        return changed
    return changed.with_changes(rpar=node.rpar.with_changes(whitespace_before=end))


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
