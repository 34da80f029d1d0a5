"""The catalog is edited as the syntax tree that it is, whatever shape the person has given it."""

from __future__ import annotations

import ast
import tokenize
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_new.catalog import add_tool, remove_tools
from agent_new.domain_names import add_names, remove_modules
from agent_new.errors import AgentNewError
from agent_new.job_list import add_job
from support import ROOT

HEAD = "from ..contracts import Catalog\n"

SHAPES = {
    "empty": f"{HEAD}\nCATALOG = Catalog(())\n",
    "empty list": f"{HEAD}\nCATALOG = Catalog([])\n",
    "one line": f"{HEAD}from . import a, b\n\nCATALOG = Catalog((a.SPEC, b.SPEC))\n",
    "one entry": f"{HEAD}from . import a\n\nCATALOG = Catalog((a.SPEC,))\n",
    "annotated": f"{HEAD}from . import a\n\nCATALOG: Catalog = Catalog([a.SPEC])\n",
    "one per line": f"{HEAD}from . import (\n    a,\n    b,\n)\n\nCATALOG = Catalog(\n    (\n        a.SPEC,\n        b.SPEC,\n    )\n)\n",
    "specs": f"{HEAD}from .a import SPEC as A\nfrom .b import SPEC\n\nCATALOG = Catalog((A, SPEC))\n",
    "absolute": "from demo.contracts import Catalog\nfrom demo.tools import a\n\nCATALOG = Catalog((a.SPEC,))\n",
    "own list": f"{HEAD}from . import a\n\nTOOLS = [a.SPEC]\nCATALOG = Catalog(TOOLS)\n",
    "starred": f"{HEAD}from . import a\nfrom .more import MORE\n\nCATALOG = Catalog((a.SPEC, *MORE))\n",
    "calls": f"{HEAD}from . import a\n\nCATALOG = Catalog((limited(a.SPEC), made()))\n",
    "comments": f"{HEAD}from . import (\n    a,  # first\n    b,\n)\n\nCATALOG = Catalog(\n    (\n        # ours\n        a.SPEC,  # really\n        b.SPEC,  # last\n        # end\n    )\n)\n# after\n",
    "no comma at the end": f"{HEAD}from . import a, b\n\nCATALOG = Catalog((\n  a.SPEC,\n  b.SPEC\n))\n",
    "twice": f"{HEAD}from . import a\n\nCATALOG = Catalog(())\nif True:\n    pass\nCATALOG = Catalog((a.SPEC,))\n",
}  # fmt: skip


def entries(source: str) -> list[str]:
    values = {
        ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target): node.value
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value
    }
    held = values["CATALOG"].args[0]  # type: ignore[attr-defined]
    held = values[held.id] if isinstance(held, ast.Name) else held
    assert isinstance(held, ast.Tuple | ast.List)
    return [ast.unparse(entry) for entry in held.elts]


def comments(source: str) -> list[str]:
    return [t.string for t in tokenize.generate_tokens(StringIO(source).readline) if t.type == 61]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_tool_goes_to_the_end_of_a_catalog_of_any_shape(shape: str) -> None:
    source = SHAPES[shape]

    changed = add_tool(source, "new_tool")

    assert entries(changed) == [*entries(source), "new_tool.SPEC"]
    assert "new_tool" in imported(changed)
    assert sorted(comments(changed)) == sorted(comments(source))


@pytest.mark.parametrize("shape", SHAPES)
def test_taking_it_out_again_gives_what_was_there(shape: str) -> None:
    source = SHAPES[shape]

    back = remove_tools(add_tool(source, "new_tool"), ["new_tool", "never_there"])

    assert ast.dump(ast.parse(back)) == ast.dump(ast.parse(source))
    assert sorted(comments(back)) == sorted(comments(source))


def imported(source: str) -> set[str]:
    return {
        alias.asname or alias.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


@pytest.mark.parametrize(
    "source",
    [
        "CATALOG = Catalog(tuple(found()))\n",
        "CATALOG = make()\n",
        "CATALOG = Catalog(*TOOLS)\n",
        "CATALOG = Catalog(TOOLS)\n",
        "def catalog():\n    return Catalog(())\n",
        "",
    ],
)
def test_a_catalog_that_cannot_be_edited_safely_is_told_with_the_lines_to_write(
    source: str,
) -> None:
    with pytest.raises(AgentNewError, match=r"from \. import new_tool"):
        add_tool(source, "new_tool")


NAMES = st.lists(st.sampled_from("abcdefg"), unique=True, max_size=5)
SPACES = st.sampled_from(["", "\n    ", "  # why\n    ", "\n    # over it\n    "])


@st.composite
def catalogs(draw: st.DrawFn) -> str:
    names = draw(NAMES)
    opening, closing = draw(st.sampled_from([("(", ")"), ("[", "]")]))
    written = "".join(f"{draw(SPACES)}{name}.SPEC, " for name in names)
    lines = (
        "".join(f"from . import {name}\n" for name in names)
        if draw(st.booleans())
        else (f"from . import {', '.join(names)}\n" if names else "")
    )
    end = draw(st.sampled_from(["", "\n", "  # end\n"])) if names else ""
    before = draw(st.sampled_from(["", "OTHER = 1\n", "# about\n\n"]))
    return f"{HEAD}{lines}{before}CATALOG = Catalog({opening}{written}{end}{closing})\n"


@given(catalogs(), NAMES)
def test_entries_come_and_go_without_a_trace_on_the_others(source: str, gone: list[str]) -> None:
    added = add_tool(source, "new_tool")
    left = remove_tools(added, gone)

    assert entries(added) == [*entries(source), "new_tool.SPEC"]
    assert sorted(comments(added)) == sorted(comments(source))
    assert entries(left) == [e for e in entries(added) if e.split(".")[0] not in gone]
    assert {*gone}.isdisjoint(imported(left))


def test_jobs_are_listed_in_the_same_way() -> None:
    source = (ROOT / "template/src/{{ agent_package }}/jobs/__init__.py").read_text()

    changed = add_job(source, "send_report")

    assert "    check_skills,\n    send_report,\n" in changed
    assert "        check_skills.JOB,\n        send_report.JOB,\n" in changed
    with pytest.raises(AgentNewError, match=r"send_report\.JOB"):
        add_job("JOBS = {'a': a.JOB}\n", "send_report")


DOMAIN = '"""About."""\n\nfrom .data import LIMIT, Row, rows\n\n__all__ = [\n    "LIMIT",\n    "Row",\n    "rows",  # all\n]\n'


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (DOMAIN, ["LIMIT", "Claim", "Row", "claims", "rows"]),
        ('"""About."""\n', ["Claim", "claims"]),
        ("", ["Claim", "claims"]),
        ("from .data import rows\n", ["Claim", "claims", "rows"]),
        ("from .data import z\n__all__ = ['z', 'a']\n", ["z", "a", "Claim", "claims"]),
    ],
)
def test_names_of_a_new_module_are_offered_by_the_domain(source: str, expected: list[str]) -> None:
    changed = add_names(source, "claims_rows", ["Claim", "claims"])

    space = {n.targets[0].id: n.value for n in ast.parse(changed).body if isinstance(n, ast.Assign)}  # type: ignore[attr-defined]
    assert [e.value for e in space["__all__"].elts] == expected  # type: ignore[attr-defined]
    assert {"Claim", "claims"} <= imported(changed)
    assert comments(changed) == comments(source)
    back = remove_modules(changed, ["claims_rows"])
    assert {"Claim", "claims"}.isdisjoint(imported(back))
    assert '"claims"' not in back
