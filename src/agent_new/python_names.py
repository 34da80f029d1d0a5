"""Rename a package in Python source, by scope; all else stays byte for byte."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence

import libcst as cst
from libcst.metadata import ImportAssignment, MetadataWrapper, Scope, ScopeProvider

from .spelling import Spelling

# They take the name of a module, or of a distribution, as their first argument.
_TAKE_A_NAME = frozenset(
    [
        "__import__",
        "distribution",
        "entry_points",
        "files",
        "find_loader",
        "find_spec",
        "getLogger",
        "get_distribution",
        "get_logger",
        "import_module",
        "importorskip",
        "iter_modules",
        "metadata",
        "requires",
        "resolve_name",
        "run_module",
        "version",
        "walk_packages",
    ]
)
_PATH_FOLDERS = ("packages", "src")


def rename_in_python(source: bytes, spelling: Spelling) -> bytes:
    """Raises `libcst.ParserSyntaxError` for what is no Python of today."""
    bom = codecs.BOM_UTF8 if source.startswith(codecs.BOM_UTF8) else b""
    module = cst.parse_module(source.removeprefix(bom))
    changed = MetadataWrapper(module, unsafe_skip_copy=True).visit(_Renamer(spelling))
    return bom + changed.bytes


class _Renamer(cst.CSTTransformer):
    METADATA_DEPENDENCIES = (ScopeProvider,)

    def __init__(self, spelling: Spelling) -> None:
        super().__init__()
        self._spelling = spelling
        self._old, self._new = spelling.old, spelling.new
        self._is_global = False
        self._annotations = 0
        self._certain: set[cst.CSTNode] = set()
        self._docstrings: set[cst.CSTNode] = set()

    # names that are bound by an import of the package

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        if original_node.value == self._old and self._is_the_package(original_node):
            return updated_node.with_changes(value=self._new)
        return updated_node

    def _is_the_package(self, name: cst.Name) -> bool:
        scope = self.get_metadata(ScopeProvider, name, None)
        return scope is not None and self._binds(scope)

    def _binds(self, scope: Scope) -> bool:
        return any(
            isinstance(found, ImportAssignment) and self._is_bound_by(found.node)
            for found in scope[self._old]
        )

    def leave_NameItem(
        self, original_node: cst.NameItem, updated_node: cst.NameItem
    ) -> cst.NameItem:
        """`global old`: its name belongs to no scope of its own."""
        if updated_node.name.value == self._old and self._is_global:
            return updated_node.with_changes(name=cst.Name(self._new))
        return updated_node

    def _is_bound_by(self, node: cst.CSTNode) -> bool:
        """`import old.a` binds `old`; `import other as old` and `from x import old` do not."""
        return isinstance(node, cst.Import) and any(
            alias.asname is None and alias.evaluated_name.split(".")[0] == self._old
            for alias in node.names
        )

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        return updated_node.with_changes(name=original_node.name)

    def leave_ClassDef(
        self, original_node: cst.ClassDef, updated_node: cst.ClassDef
    ) -> cst.ClassDef:
        return updated_node.with_changes(name=original_node.name)

    # imports

    def visit_Import(self, node: cst.Import) -> bool:
        return False

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> cst.Import:
        names = [alias.with_changes(name=self._head(alias.name)) for alias in updated_node.names]
        return updated_node.with_changes(names=names)

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        return False

    def leave_ImportFrom(
        self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom
    ) -> cst.ImportFrom:
        if updated_node.relative or updated_node.module is None:
            return updated_node
        return updated_node.with_changes(module=self._head(updated_node.module))

    def _head(self, node: cst.BaseExpression) -> cst.BaseExpression:
        if isinstance(node, cst.Attribute):
            return node.with_changes(value=self._head(node.value))
        if isinstance(node, cst.Name) and node.value == self._old:
            return node.with_changes(value=self._new)
        return node

    # strings and comments

    def visit_Annotation(self, node: cst.Annotation) -> None:
        self._annotations += 1

    def leave_Annotation(
        self, original_node: cst.Annotation, updated_node: cst.Annotation
    ) -> cst.Annotation:
        self._annotations -= 1
        return updated_node

    def visit_Call(self, node: cst.Call) -> None:
        name = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
        if node.args and isinstance(name, cst.Name) and name.value in _TAKE_A_NAME:
            self._certain.add(node.args[0].value)

    def visit_BinaryOperation(self, node: cst.BinaryOperation) -> None:
        """`Path("packages") / "old"`."""
        if isinstance(node.operator, cst.Divide) and _last_step(node.left) in _PATH_FOLDERS:
            self._certain.add(node.right)

    def visit_Module(self, node: cst.Module) -> None:
        scope = self.get_metadata(ScopeProvider, node.body[0], None) if node.body else None
        self._is_global = scope is not None and self._binds(scope)
        self._note_docstring(node.body)

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> None:
        self._note_docstring(node.body)

    def _note_docstring(self, body: Sequence[cst.BaseStatement | cst.BaseSmallStatement]) -> None:
        if body and isinstance(body[0], cst.SimpleStatementLine):
            first = body[0].body[0]
            if isinstance(first, cst.Expr):
                self._docstrings.add(first.value)

    def leave_SimpleString(
        self, original_node: cst.SimpleString, updated_node: cst.SimpleString
    ) -> cst.SimpleString:
        text = updated_node.raw_value
        if original_node in self._docstrings:
            changed = self._spelling.in_prose(text)
        elif original_node in self._certain and (exact := dict(self._spelling.pairs).get(text)):
            changed = exact
        else:
            changed = self._in_string(text)
        if changed == text:
            return updated_node
        start = len(updated_node.prefix) + len(updated_node.quote)
        end = len(updated_node.value) - len(updated_node.quote)
        value = updated_node.value[:start] + changed + updated_node.value[end:]
        return updated_node.with_changes(value=value)

    def _in_string(self, text: str) -> str:
        old = re.escape(self._old)
        if re.fullmatch(rf"{old}(?:\.\w+)+(?::\w+(?:\.\w+)*)?|{old}:[A-Za-z_]\w*", text):
            return self._new + text.removeprefix(self._old)
        if self._annotations:
            text = re.sub(rf"(?<![\w.]){old}(?=\.\w)", self._new, text)
        return self._spelling.in_string(text)

    def leave_FormattedStringText(
        self, original_node: cst.FormattedStringText, updated_node: cst.FormattedStringText
    ) -> cst.FormattedStringText:
        return updated_node.with_changes(value=self._spelling.in_string(updated_node.value))

    def leave_Comment(self, original_node: cst.Comment, updated_node: cst.Comment) -> cst.Comment:
        return updated_node.with_changes(value=self._spelling.in_prose(updated_node.value))


def _last_step(node: cst.BaseExpression) -> str:
    """The last literal of a path that is being joined."""
    match node:
        case cst.SimpleString():
            return node.raw_value.rstrip("/").rsplit("/", 1)[-1]
        case cst.BinaryOperation():
            return _last_step(node.right)
        case cst.Call(args=[*_, last]):
            return _last_step(last.value)
    return ""
