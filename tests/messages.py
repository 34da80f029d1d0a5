"""Every message with which agent-new can end, read from its source; values are `…`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from support import ROOT

SOURCE = ROOT / "src/agent_new"
ERRORS = {"AgentNewError", "UsageError", "StoppedError", "ProblemsError"}
TELL_PROBLEMS = (
    "add_cron",
    "addition",
    "add_tool",
    "answers",
    "data_file",
    "env_example",
    "kept_out",
    "names",
    "schedule",
    "secrets_check",
    "text",
)
"""Modules whose functions return or collect the texts of problems."""

CARRY_OTHERS = (
    "NAME is …. …",
    "PACKAGE is …. …",
    "`…` is …. …",
    "`…` …, and …: …",
    "…. Nothing was written.",
    "…. What was made in this run was removed.",
)
"""They say nothing of their own."""


def messages() -> Iterator[tuple[str, str]]:
    """Where a message stands, and its text."""
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = [*_raised(tree), *(_told(tree) if path.stem in TELL_PROBLEMS else [])]
        for text in dict.fromkeys(" ".join(text.split()) for text in texts):
            if text not in CARRY_OTHERS:
                yield path.stem, text


def _raised(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ERRORS
        ):
            for argument in node.args:
                yield from _texts(argument)


def _told(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Return(value=value) | ast.Yield(value=value) if value is not None:
                yield from _texts(value)
            case ast.Call(func=ast.Attribute(attr="append"), args=[value]):
                yield from _texts(value)


def _texts(node: ast.expr) -> Iterator[str]:
    """What reads as words; a list or a tuple may hold several."""
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            for part in parts:
                yield from _texts(part)
        case ast.ListComp(elt=part):
            yield from _texts(part)
        case _:
            text = _skeleton(node)
            if text and len(text.replace("…", "").split()) > 2:
                yield text


def _skeleton(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_skeleton(p) if isinstance(p, ast.Constant) else "…" for p in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return f"{_skeleton(left) or '…'}{_skeleton(right) or '…'}"
    return ""
