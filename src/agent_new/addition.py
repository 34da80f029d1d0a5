"""What is added to a project: new files, and entries in files of the person; all of it, or nothing."""

from __future__ import annotations

import codecs
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

from .errors import AgentNewError
from .formatter import formatted, formatted_as_before
from .host import uv_binary
from .project import Project
from .rename_package import members_of
from .write_files import write_files

Edit = Callable[[str], str]


class Addition:
    """Texts are computed as they are added here; only `write` touches the project."""

    def __init__(self, project: Project) -> None:
        self._root = project.root
        self._new: dict[str, bytes] = {}
        self._edited: dict[str, tuple[bytes, bytes]] = {}

    def add_file(self, name: str, text: str) -> None:
        if not (self._root / name).parent.is_dir():
            raise AgentNewError(
                f"There is no folder {(self._root / name).parent}. `agent-new update` brings what the "
                "template has; what you have moved, bring back. Nothing was written."
            )
        self._new[name] = formatted(text, Path(name), self._root).encode("utf-8")

    def edit(self, name: str, change: Edit) -> None:
        """A file of the person; its layout is kept, or formatted where it was formatted."""
        content = self._read(name)
        bom = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
        before = _decoded(name, content.removeprefix(bom))
        after = formatted_as_before(before, _changed(name, before, change), Path(name), self._root)
        self._edited[name] = (content, bom + after.encode("utf-8"))

    def edit_data(self, name: str, change: Edit) -> None:
        """The same for what is no Python."""
        before = self._read(name)
        self._edited[name] = (before, change(_decoded(name, before)).encode("utf-8"))

    def write(self) -> None:
        write_files(
            {self._root / name: content for name, content in self._new.items()},
            {self._root / name: contents for name, contents in self._edited.items()},
        )

    def told(self, added: str, hint: str, test: str) -> str:
        wrote = [f"  wrote    {name}" for name in self._new]
        changed = [f"  changed  {name}" for name, (old, new) in self._edited.items() if old != new]
        files = "\n".join([*wrote, *changed])
        return f"{added}:\n{files}\n\n{hint}\n\nNext:\n{_next_commands(self._root, test)}"

    def _read(self, name: str) -> bytes:
        try:
            return (self._root / name).read_bytes()
        except OSError as error:
            raise AgentNewError(
                f"{self._root / name} cannot be read: {error.strerror}. Bring it back: "
                f"`git checkout HEAD -- {name}`. Nothing was written."
            ) from error


def taken_by(project: Project, kind: str, name: str) -> str | None:
    """What a new tool or job of this name would clash with."""
    return _of_the_project(project, name) or _file_of(project, kind, name)


def title_of(name: str) -> str:
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def prefix_of(name: str) -> str:
    """How the classes of a tool begin."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def _next_commands(root: Path, test: str) -> str:
    uv = "uv" if shutil.which("uv") else shlex.quote(uv_binary() or "uv")
    lines = [f"{uv} run pytest {test}", f"{uv} run pytest"]
    if Path.cwd().resolve() != root:
        lines.insert(0, f"cd {shlex.quote(str(root))}")
    return "\n".join(f"  {line}" for line in lines)


def _of_the_project(project: Project, name: str) -> str | None:
    if name == project.agent_package:
        return "It is the package of the agent."
    if name == project.domain_package:
        return "It is the domain package."
    offered = {name, f"{name}_rows", f"{name}_fingerprint", f"{prefix_of(name)}Row"}
    domain = f"packages/{project.domain_package}/src/{project.domain_package}"
    if clash := sorted(offered & members_of(project.root / domain)):
        return f"The domain package has a `{clash[0]}` already."
    return None


def _file_of(project: Project, kind: str, name: str) -> str | None:
    package = f"src/{project.agent_package}"
    test = f"tests/test_{name}_job.py" if kind == "job" else f"tests/test_{name}.py"
    for place in (f"{package}/tools/{name}", f"{package}/jobs/{name}"):
        for path in (f"{place}.py", place):
            if _is_there(project.root / path):
                return f"There is a {path} already."
    return f"There is a {test} already." if _is_there(project.root / test) else None


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _decoded(name: str, content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise AgentNewError(f"{name} is not UTF-8: {error}. Nothing was written.") from error


def _changed(name: str, text: str, change: Edit) -> str:
    import libcst

    try:
        return change(text)
    except libcst.ParserSyntaxError as error:
        raise AgentNewError(
            f"{name} is no Python that parses: line {error.raw_line}. Mend it, then try again. "
            "Nothing was written."
        ) from error
