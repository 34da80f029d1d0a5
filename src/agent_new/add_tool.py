"""The verb `add tool`: a tool that works, to be filled with what it is for."""

from __future__ import annotations

from pathlib import Path

from .addition import Addition, prefix_of, taken_by, title_of
from .errors import ProblemsError
from .names import piece_name_problem
from .project import Project, find_project
from .render_piece import render_piece

KINDS = ("visual", "discovery")

_OWN = {
    **dict.fromkeys(["ask_user", "refuse"], "a tool that every agent has"),
    **dict.fromkeys(["bar_chart", "cite", "page"], "a function that the file of a tool imports"),
    **dict.fromkeys(["break_down", "shorten", "take_a_nap"], "a tool of the template's tests"),
}

# The offline model passes over these: a tool named by one of them would not be found by its name.
_TELL_NOTHING = (
    "a about an and are at be can could did do does for from give had has have how i in is it know "
    "like me my of on or please show tell that the there these they this to want was were what when "
    "where which who with would you your"
)
PASSED_OVER = frozenset(_TELL_NOTHING.split())


def add_tool(name: str, kind: str | None) -> None:
    project = find_project()
    _refuse_bad(name, kind, project)
    addition = Addition(project)
    test = _plan(addition, project, name, str(kind))
    addition.write()
    hint = "It answers from sample data; put yours into the domain package."
    print(addition.told(f"Added the {kind} tool {name}", hint, test))


def _plan(addition: Addition, project: Project, name: str, kind: str) -> str:
    """The name of the test."""
    from .catalog import add_tool as add_to_catalog
    from .domain_names import add_names

    agent, domain, prefix = project.agent_package, project.domain_package, prefix_of(name)
    tools, rows = f"src/{agent}/tools", f"packages/{domain}/src/{domain}"
    values = {
        "agent": agent,
        "domain": domain,
        "name": name,
        "prefix": prefix,
        "row": f"{prefix}Row",
        "title": title_of(name),
        "words": name.replace("_", " "),
    }
    offered = [f"{prefix}Row", f"{name}_rows"]
    if kind == "visual":
        offered.append(f"{name}_fingerprint")
    addition.add_file(f"{rows}/{name}_rows.py", render_piece(f"{kind}_rows.py", **values))
    addition.add_file(f"{tools}/{name}.py", render_piece(f"{kind}_tool.py", **values))
    test = f"tests/test_{name}.py"
    addition.add_file(test, render_piece(f"{kind}_test.py", **values))
    addition.edit(f"{rows}/__init__.py", lambda text: add_names(text, f"{name}_rows", offered))
    addition.edit(f"{tools}/__init__.py", lambda text: add_to_catalog(text, name))
    return test


def _refuse_bad(name: str, kind: str | None, project: Project) -> None:
    problems = []
    if problem := piece_name_problem(name, "tool", lambda other: _taken(project, other)):
        problems.append(f"NAME is {name!r}. {problem}")
    if kind not in KINDS:
        seen = "missing" if kind is None else repr(kind)
        problems.append(
            f"`--kind` is {seen}. Use visual (it makes a claim, with a chart and a citation) or "
            "discovery (it lists options)."
        )
    if problems:
        raise ProblemsError(problems)


def _taken(project: Project, name: str) -> str | None:
    if name in _OWN:
        return f"It is {_OWN[name]}."
    if name in PASSED_OVER:
        return "The offline model passes over this word, so it would not find the tool by it."
    return taken_by(project, "tool", name) or _alike(project.root, project.agent_package, name)


def _alike(root: Path, agent: str, name: str) -> str | None:
    """The offline model takes `policy` and `policys` for one word."""
    for file in sorted((root / f"src/{agent}/tools").glob("[!_]*.py")):
        if file.stem != name and file.stem.rstrip("s") == name.rstrip("s"):
            return f"It differs from the tool {file.stem} only by an s at the end."
    return None
