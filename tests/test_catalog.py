"""Lists of modules are edited as syntax trees: one entry more or less, all else as it was."""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_new.catalog import add_tool, remove_tools
from agent_new.domain_names import add_names, remove_modules
from agent_new.errors import AgentNewError
from agent_new.formatter import formatted_as_before
from agent_new.job_list import add_job

ONE_LINE = "from . import a\n\nCATALOG = Catalog((a.SPEC,))\n"
SHAPES = {
    "empty": (
        "CATALOG = Catalog(())\n",
        "from . import new\nCATALOG = Catalog((new.SPEC,))\n",
    ),
    "one line": (
        ONE_LINE,
        "from . import a, new\n\nCATALOG = Catalog((a.SPEC, new.SPEC,))\n",
    ),
    "a list on one line": (
        "from . import a, b\nCATALOG = Catalog([a.SPEC, b.SPEC])\n",
        "from . import a, b, new\nCATALOG = Catalog([a.SPEC, b.SPEC, new.SPEC])\n",
    ),
    "one for each line": (
        "from . import (\n    a,\n    b,\n)\n\nCATALOG = Catalog(\n    (\n        a.SPEC,\n        b.SPEC,\n    )\n)\n",
        "from . import (\n    a,\n    b,\n    new,\n)\n\nCATALOG = Catalog(\n    (\n        a.SPEC,\n        b.SPEC,\n        new.SPEC,\n    )\n)\n",
    ),
    "comments": (
        "from . import a, b  # mine\n\nCATALOG = Catalog((\n    # first\n    a.SPEC,  # of a\n    # second\n    b.SPEC,  # of b\n    # last\n))\n",
        "from . import a, b, new  # mine\n\nCATALOG = Catalog((\n    # first\n    a.SPEC,  # of a\n    # second\n    b.SPEC,  # of b\n    new.SPEC,\n    # last\n))\n",
    ),
    "names of specs": (
        "from ..contracts import Catalog\nfrom .a import SPEC as A\n\nCATALOG = Catalog((A,))\n",
        "from ..contracts import Catalog\nfrom .a import SPEC as A\nfrom . import new\n\nCATALOG = Catalog((A, new.SPEC,))\n",
    ),
    "annotated": (
        "from . import a\nCATALOG: Catalog = Catalog((a.SPEC,))\n",
        "from . import a, new\nCATALOG: Catalog = Catalog((a.SPEC, new.SPEC,))\n",
    ),
    "a list under its own name": (
        "from . import a\nTOOLS = (a.SPEC,)\nCATALOG = Catalog(TOOLS)\n",
        "from . import a, new\nTOOLS = (a.SPEC, new.SPEC,)\nCATALOG = Catalog(TOOLS)\n",
    ),
    "a tuple without parentheses": (
        "from . import a\nTOOLS = a.SPEC,\nCATALOG = Catalog(TOOLS)\n",
        "from . import a, new\nTOOLS = a.SPEC, new.SPEC,\nCATALOG = Catalog(TOOLS)\n",
    ),
    "an attribute": (
        "from .. import contracts\nfrom . import a\nCATALOG = contracts.Catalog((a.SPEC,))\n",
        "from .. import contracts\nfrom . import a, new\nCATALOG = contracts.Catalog((a.SPEC, new.SPEC,))\n",
    ),
    "imports that types need only": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import a\nCATALOG = Catalog(())\n",
        "from typing import TYPE_CHECKING\nfrom . import new\nif TYPE_CHECKING:\n    from . import a\nCATALOG = Catalog((new.SPEC,))\n",
    ),
    "an import below": (
        "CATALOG = Catalog(())\nfrom .late import it\n",
        "from . import new\nCATALOG = Catalog((new.SPEC,))\nfrom .late import it\n",
    ),
}
NO_SAFE_FORM = [
    "",
    "CATALOG = Catalog(*TOOLS)\n",
    "CATALOG = Catalog(tuple(find_all()))\n",
    "CATALOG = Catalog((a.SPEC,), extra)\n",
    "CATALOG = Catalog((a.SPEC,) + OTHERS)\n",
    "CATALOG = make()\n",
    "def CATALOG(): ...\n",
]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_tool_is_added_in_whatever_shape_the_catalog_has(shape: str) -> None:
    before, after = SHAPES[shape]

    assert add_tool(before, "new") == after
    assert ast.dump(ast.parse(remove_tools(after, {"new"}))) == ast.dump(ast.parse(before))


@pytest.mark.parametrize("source", NO_SAFE_FORM)
def test_a_catalog_without_a_safe_form_is_told(source: str) -> None:
    with pytest.raises(AgentNewError, match=r"`new\.SPEC`.*Nothing was written"):
        add_tool(source, "new")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "from . import a\nJOBS = {job.name: job for job in [a.JOB]}\n",
            "from . import a, new\nJOBS = {job.name: job for job in [a.JOB, new.JOB]}\n",
        ),
        (
            "from . import a\nJOBS: dict[str, Job] = {j.name: j for j in (a.JOB,)}\n",
            "from . import a, new\nJOBS: dict[str, Job] = {j.name: j for j in (a.JOB, new.JOB,)}\n",
        ),
        (
            "OWN = []\nJOBS = {job.name: job for job in OWN}\n",
            "from . import new\nOWN = [new.JOB]\nJOBS = {job.name: job for job in OWN}\n",
        ),
    ],
)
def test_a_job_is_added_to_the_list_that_the_jobs_are_made_of(before: str, after: str) -> None:
    assert add_job(before, "new") == after


@pytest.mark.parametrize("source", ["", "JOBS = {'a': a.JOB}\n", "JOBS = dict(find_all())\n"])
def test_jobs_without_a_safe_form_are_told(source: str) -> None:
    with pytest.raises(AgentNewError, match=r"`new\.JOB`.*Nothing was written"):
        add_job(source, "new")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '"""Mine."""\n',
            '"""Mine."""\nfrom .new import NewRow, new_rows\n\n__all__ = ["NewRow", "new_rows"]\n',
        ),
        (
            'from .a import A, z\n__all__ = ["A", "z"]\n',
            'from .a import A, z\nfrom .new import NewRow, new_rows\n__all__ = ["A", "NewRow", "new_rows", "z"]\n',
        ),
        (
            'from .a import B\n__all__ = (\n    # all\n    "TABLE",\n    "Row10",\n    # the last\n)\n',
            'from .a import B\nfrom .new import NewRow, new_rows\n__all__ = (\n    # all\n    "TABLE",\n    "NewRow",\n    "Row10",\n    "new_rows",\n    # the last\n)\n',
        ),
        (
            'from .a import z, a\n__all__ = ["z", "a"]\n',
            'from .a import z, a\nfrom .new import NewRow, new_rows\n__all__ = ["z", "a", "NewRow", "new_rows"]\n',
        ),
    ],
)
def test_names_are_offered_in_the_order_that_is_there(before: str, after: str) -> None:
    assert add_names(before, "new", ["NewRow", "new_rows"]) == after


def test_an_all_that_is_computed_is_told() -> None:
    with pytest.raises(AgentNewError, match=r"`__all__`.*Nothing was written"):
        add_names("__all__ = names()\n", "new", ["New"])


def test_an_edited_file_is_formatted_only_where_it_was_formatted(tmp_path: Path) -> None:
    tidy = "from . import a\n\nCATALOG = Catalog((a.SPEC,))\n"
    mine = "from . import b,a\nCATALOG = Catalog( (a.SPEC,b.SPEC) )\n"

    def edited(text: str) -> str:
        return formatted_as_before(text, add_tool(text, "aa"), Path("tools/__init__.py"), tmp_path)

    assert edited(tidy) == (
        "from . import a, aa\n\nCATALOG = Catalog(\n    (\n        a.SPEC,\n        aa.SPEC,\n    )\n)\n"
    )
    assert edited(mine) == "from . import b,a,aa\nCATALOG = Catalog( (a.SPEC,b.SPEC,aa.SPEC) )\n"
    assert "\r\n" in edited(tidy.replace("\n", "\r\n"))
    assert edited(tidy.replace("\n", "\r\n")).replace("\r\n", "") == edited(tidy).replace("\n", "")


_NAMES = st.lists(st.sampled_from(list("abcdefgh")), unique=True, max_size=5)


@st.composite
def catalogs(draw: st.DrawFn) -> str:
    """A catalog as somebody may have written it."""
    names = draw(_NAMES)
    by_spec = draw(st.booleans())
    entries = [name.upper() if by_spec else f"{name}.SPEC" for name in names]
    listed = _imports(draw, names) if not by_spec else _imports_of_specs(names)
    opening, closing = draw(st.sampled_from([("(", ")"), ("[", "]")]))
    held = opening + _entries(draw, entries, is_tuple=opening == "(") + closing
    head = draw(st.sampled_from(["", '"""The catalog."""\n', "# Mine.\n", "import os\n"]))
    named = draw(st.sampled_from(["CATALOG = ", "CATALOG: Catalog = "]))
    end = draw(st.sampled_from(["", "  # the end", "\nOTHER = 1  # mine"]))
    if draw(st.booleans()):
        return f"{head}{listed}TOOLS = {held}\n{named}Catalog(TOOLS){end}\n"
    return f"{head}{listed}{named}Catalog({held}){end}\n"


def _imports(draw: st.DrawFn, names: list[str]) -> str:
    if not names:
        return ""
    style = draw(st.sampled_from(["one", "many", "lines", "commented"]))
    if style == "one":
        return f"from . import {', '.join(names)}\n"
    if style == "many":
        return "".join(f"from . import {name}  # {name}\n" for name in names)
    comment = "  # why" if style == "commented" else ""
    return "from . import (\n" + "".join(f"    {name},{comment}\n" for name in names) + ")\n"


def _imports_of_specs(names: list[str]) -> str:
    return "".join(f"from .{name} import SPEC as {name.upper()}\n" for name in names)


def _entries(draw: st.DrawFn, entries: list[str], *, is_tuple: bool) -> str:
    if not entries:
        return draw(st.sampled_from(["", "\n    # none yet\n"]))
    needs_comma = is_tuple and len(entries) == 1
    last = "," if needs_comma or draw(st.booleans()) else ""
    style = draw(st.sampled_from(["one line", "lines", "commented", "above", "below"]))
    if style == "one line":
        return ", ".join(entries) + last
    between = {"commented": ",  # said\n    ", "above": ",\n    # said\n    "}.get(style, ",\n    ")
    tail = {"commented": "  # the last\n", "below": "\n    # more to come\n"}.get(style, "\n")
    return "\n    " + between.join(entries) + last + tail


def _comments(source: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return sorted(token.string for token in tokens if token.type == tokenize.COMMENT)


def _held(source: str) -> list[str]:
    """The entries of the catalog, as Python reads them."""
    values = {
        ast.unparse(target): node.value
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    }
    call = values["CATALOG"]
    assert isinstance(call, ast.Call)
    held = values["TOOLS"] if isinstance(call.args[0], ast.Name) else call.args[0]
    assert isinstance(held, ast.Tuple | ast.List)
    return [ast.unparse(element) for element in held.elts]


@given(catalogs())
def test_a_tool_more_is_one_entry_more_and_every_comment_stays(source: str) -> None:
    added = add_tool(source, "new")

    assert _held(added) == [*_held(source), "new.SPEC"]
    assert _comments(added) == _comments(source)


@given(catalogs())
def test_removing_a_tool_undoes_its_adding(source: str) -> None:
    again = remove_tools(add_tool(source, "new"), {"new"})

    assert ast.dump(ast.parse(again)) == ast.dump(ast.parse(source))


@given(catalogs())
def test_what_is_added_can_be_formatted_like_the_rest(source: str) -> None:
    path, root = Path("tools/__init__.py"), Path(__file__).parent
    tidy = formatted_as_before("", source, path, root)
    again = formatted_as_before("", add_tool(tidy, "new"), path, root)

    assert formatted_as_before(tidy, add_tool(tidy, "new"), path, root) == again
    assert _held(again) == [*_held(source), "new.SPEC"]


@given(
    st.lists(
        st.from_regex(r"[A-Za-z][A-Za-z0-9]{0,3}", fullmatch=True), unique=True, max_size=6
    ).filter(lambda names: not {"NewRow", "new_rows"} & {*names}),
    st.sampled_from(["[{}]", "({},)"]),
)
def test_names_that_are_taken_out_again_leave_what_was_there(names: list[str], form: str) -> None:
    listed = ", ".join(f'"{name}"' for name in ["X", *names])
    source = f"from .a import {', '.join(['X', *names])}\n__all__ = {form.format(listed)}\n"

    added = add_names(source, "new", ["NewRow", "new_rows"])

    assert ast.dump(ast.parse(remove_modules(added, {"new"}))) == ast.dump(ast.parse(source))
