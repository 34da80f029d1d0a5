"""The verb `add tool`: the files of a new tool, its test, and its line in the catalog."""

from __future__ import annotations

from typing import Literal

from .additions import Additions, edited, written
from .part_names import camel, refuse_bad_name, title_of, words_of
from .pieces import piece
from .project import find_project

Kind = Literal["visual", "discovery"]


def add_tool(name: str, kind: Kind) -> None:
    from .catalog import add_tool as add_to_catalog
    from .domain_names import add_names

    project = find_project()
    rows = f"{words_of(name)}_rows"
    domain = f"packages/{project.domain_package}/src/{project.domain_package}"
    tools = f"src/{project.agent_package}/tools"
    pieces = {
        f"{domain}/{rows}.py": "domain_rows.py",
        f"{tools}/{name}.py": f"{kind}_tool.py",
        f"tests/test_{name}.py": f"test_{kind}_tool.py",
    }
    refuse_bad_name(name, project, pieces)
    words = {
        "agent": project.agent_package,
        "domain": project.domain_package,
        "name": name,
        "title": title_of(name),
        "camel": camel(name),
        "tag": words_of(name).split("_")[-1],
        "rows": rows,
        "row": f"{camel(words_of(name))}Row",
    }
    catalog, init = f"{tools}/__init__.py", f"{domain}/__init__.py"
    offered = [words["row"], rows, f"{rows}_fingerprint"]
    root = project.root
    changed = {
        catalog: edited(root, catalog, lambda text: add_to_catalog(text, name)),
        init: edited(root, init, lambda text: add_names(text, rows, offered)),
    }
    new = {file: piece(source, words) for file, source in pieces.items()}
    written(root, Additions(new, changed))
    _tell(name, new, changed)


def _tell(name: str, new: dict[str, str], changed: dict[str, str]) -> None:
    for file in new:
        print(f"  new      {file}")
    for file in changed:
        print(f"  changed  {file}")
    print(
        f"\nThe tool {name} answers from two rows that stand in the first of these files: put your data "
        f"there.\n\nNext:\n  uv run pytest tests/test_{name}.py tests/test_tools.py"
    )
