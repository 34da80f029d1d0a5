"""The page of errors has one heading for each message of agent-new, and none that nobody can see.

A heading is the message up to its first full stop, colon or line end, with `…` for each value. Where
that much has no words of its own, it is the message up to the next one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from agent_new import carry_out, errors, names, update
from agent_new.errors import AgentNewError
from agent_new.reserved import AGENT_PREFIXES, AGENT_REASONS
from support import ROOT

PACKAGE = ROOT / "src/agent_new"
PAGE = ROOT / "docs/reference/errors.md"
VALUE = "…"

ERRORS = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, AgentNewError)
}

TELL_PROBLEMS = (
    "add_cron",
    "answers",
    "data_file",
    "env_example",
    "env_file",
    "kept_out",
    "names",
    "addition",
    "add_tool",
    "schedule",
    "secrets_check",
    "text",
)
"""Modules whose functions give a problem, or none, as what they return, yield or append."""

PROBLEM_OR_NONE = re.compile(
    r"(Iterator|Iterable|list)\[str\]|(.*, )?str \| None\]?|EnvFile|tuple.*"
)

TELL_OUTCOMES = {"carry_out": ("_tell", "_tell_conflicts", "_tell_end", "_tell_tests"),
                 "rename": ("_tell_leftovers",), "strip": ("_told",)}  # fmt: skip
"""Functions that print, or yield, what became of a file or a test."""

FRAMES = ("limit", "problem")
"""A text around one of these only frames a problem, which has a heading of its own."""


def messages() -> set[str]:
    found = {heading for path in PACKAGE.rglob("*.py") for heading in _messages_of(path)}
    return found | {*AGENT_PREFIXES.values(), names.PACKAGE_SHAPE.rstrip(".")}


def _messages_of(path: Path) -> Iterator[str]:
    tree, module = ast.parse(path.read_bytes()), path.stem
    texts = [*_raised(tree), *_problems(tree, module), *_outcomes(tree, module)]
    for node in texts:
        for text in _texts(node, module):
            if heading := _heading(text):
                yield heading


def _raised(tree: ast.Module) -> Iterator[ast.expr]:
    """What the classes of errors are called with, and what they say themselves."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            name = ast.unparse(node.func)
            if name in ERRORS or (name == "super().__init__" and _is_class_of_error(tree)):
                yield node.args[0]


def _is_class_of_error(tree: ast.Module) -> bool:
    return any(isinstance(n, ast.ClassDef) and n.name in ERRORS for n in tree.body)


def _problems(tree: ast.Module, module: str) -> Iterator[ast.expr]:
    if module not in TELL_PROBLEMS:
        return
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(returns=ast.expr() as kind) if PROBLEM_OR_NONE.fullmatch(
                ast.unparse(kind)
            ):
                yield from _given_by(node)
            case ast.Call(func=ast.Attribute(attr="append"), args=[text]):
                yield text


def _given_by(function: ast.FunctionDef) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        match node:
            case ast.Return(value=ast.expr() as text) | ast.Yield(value=ast.expr() as text):
                yield text
            case ast.Call(func=ast.Name(id="_unread"), args=[text]):
                yield text


def _outcomes(tree: ast.Module, module: str) -> Iterator[ast.expr]:
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        if function.name in TELL_OUTCOMES.get(module, ()):
            for node in ast.walk(function):
                match node:
                    case (
                        ast.Call(func=ast.Name(id="print"), args=[text])
                        | ast.Yield(value=ast.expr() as text)
                    ):
                        yield text


def _texts(node: ast.expr, module: str) -> Iterator[str]:
    """Each text that an expression can be."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            if not any(_is_frame(part) for part in (parts[0], parts[-1])):
                yield "".join(_part(part, module) for part in parts)
        case ast.BinOp(op=ast.Add(), left=left):
            yield from _texts(left, module)
        case ast.IfExp(body=one, orelse=other):
            yield from _texts(one, module)
            yield from _texts(other, module)
        case ast.BoolOp(values=nodes) | ast.List(elts=nodes) | ast.Tuple(elts=nodes):
            for inner in nodes:
                yield from _texts(inner, module)
        case ast.ListComp(elt=element):
            yield from _texts(element, module)


def _is_frame(part: ast.expr) -> bool:
    match part:
        case ast.FormattedValue(value=ast.Name(id=name)):
            return name in FRAMES
    return False


def _part(part: ast.expr, module: str) -> str:
    match part:
        case ast.Constant(value=str(text)):
            return text
        case ast.FormattedValue(value=ast.Name(id=name)) if name.isupper():
            return str(getattr(import_module(f"agent_new.{module}"), name))
    return VALUE


def _heading(text: str) -> str:
    """Nothing for a text without two words of its own: a name, a value that is passed on."""
    if text.startswith("  "):  # a line of a list: its first word, and what it is about
        first = re.match(rf"  ([a-z ]+)  {VALUE}", text)
        return f"{first[1]} {VALUE}" if first else ""
    line = text.strip().split("\n")[0]
    if line.startswith("Next:"):
        return ""
    plain = re.sub(r"`[^`]*`", lambda code: "x" * len(code[0]), line)
    ends = [end.start() for end in re.finditer(rf"[.:](?= |$|{VALUE})", plain)] + [len(line)]
    for end in ends:
        if len(re.findall(r"[A-Za-z]{2,}", line[:end])) >= 2:
            return line[:end]
    return ""


def headings() -> list[str]:
    return re.findall(r"^### (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def sections() -> dict[str, str]:
    """What the page says below each heading of a message."""
    page = PAGE.read_text(encoding="utf-8")
    return dict(re.findall(r"^### ([^\n]+)\n\n(.*?)(?=\n#|\Z)", page, re.MULTILINE | re.DOTALL))


def test_the_page_has_one_heading_for_every_message_and_none_besides() -> None:
    assert sorted(headings()) == sorted(messages())


def test_one_to_three_short_sentences_stand_below_every_heading() -> None:
    told = sections()

    assert told.keys() == set(headings())
    for heading, text in told.items():
        assert 1 <= len(re.findall(r"[.](?=\s|$)", text)) <= 3, heading


@pytest.mark.parametrize("reason", sorted({*AGENT_REASONS.values()}))
def test_each_reason_for_a_name_that_is_taken_stands_on_the_page(reason: str) -> None:
    assert reason in sections()[f"It is {VALUE}"]


def test_the_exit_codes_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| (\d+) \| .*? \| (.*?) ?\|$", PAGE.read_text(encoding="utf-8"), re.M)
    by_class = {name: int(code) for code, names in rows for name in re.findall(r"`(\w+)`", names)}

    assert by_class == {name: kind.exit_code for name, kind in ERRORS.items()}
    assert [int(code) for code, _ in rows] == sorted(
        {carry_out.DONE, carry_out.CONFLICTS, update.THERE_IS_ONE, *by_class.values()}
    )
