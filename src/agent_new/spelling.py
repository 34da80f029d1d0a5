"""The ways in which text names a package, and which of them are certain."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from .names import distribution_of

_ADDRESS = re.compile(
    r"\b[a-z][a-z0-9+.-]*://[^\s\"'<>)\]]+|[\w.+-]+@[\w-]+\.[\w.-]+", re.IGNORECASE
)
_FOLDERS = "packages|src"


class Spelling(NamedTuple):
    """An old name of a package and its new one."""

    old: str
    new: str
    members: Collection[str] = ()
    """Modules and names of the package: `old.member` is a reference to it."""

    @property
    def is_distinctive(self) -> bool:
        """Two words joined by `_` are no English: each whole word is a reference."""
        return "_" in self.old

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The package, and the distribution where it is spelt otherwise."""
        package = (self.old, self.new)
        distribution = (distribution_of(self.old), distribution_of(self.new))
        return (package,) if package[0] == distribution[0] else (package, distribution)

    def in_prose(self, text: str) -> str:
        """For documents, comments and files that are no Python; web addresses stay."""
        return "".join(
            part if is_address else self._renamed(part) for part, is_address in _parts(text)
        )

    def in_string(self, text: str) -> str:
        """For strings of Python: only what reads as a path or a dotted name."""
        return "".join(
            part if is_address else self._structural(part) for part, is_address in _parts(text)
        )

    def in_project_file(self, text: str) -> str:
        """For `pyproject.toml`, where a string or key that is the name means the package."""
        for old, new in self.pairs:
            text = re.sub(rf'(?<=["\']){_word(old)}(?=["\'\[<>=!~;@ ])', new, text)
            text = re.sub(rf"(?m)^(\s*){_word(old)}(?=\s*=)", rf"\g<1>{new}", text)
        return self.in_prose(text)

    def _renamed(self, text: str) -> str:
        if self.is_distinctive:
            for old, new in self.pairs:
                text = re.sub(_word(old), new, text)
            return text
        text = re.sub(rf"`{re.escape(self.old)}`", f"`{self.new}`", text)
        said = rf"(?P<before>(?<![\w-])(?:import|from|-m|--package|--cov)[ =]){_word(self.old)}"
        return self._structural(re.sub(said, rf"\g<before>{self.new}", text))

    def _structural(self, text: str) -> str:
        folder = rf"(?<![\w-])(?P<before>(?:{_FOLDERS})[/\\]){_word(self.old)}(?![.]\w)"
        while (changed := re.sub(folder, rf"\g<before>{self.new}", text)) != text:
            text = changed
        if not self.members:
            return text
        members = "|".join(sorted(map(re.escape, self.members)))
        dotted = rf"(?<![\w.-]){re.escape(self.old)}(?=[.:](?:{members})\b)"
        return re.sub(dotted, self.new, text)

    def renamed_path(self, path: str) -> str:
        steps = path.split("/")
        for number, step in enumerate(steps):
            stem, dot, suffix = step.partition(".")
            before = steps[number - 1] if number else ""
            for old, new in self.pairs:
                if stem == old and (
                    self.is_distinctive or (before in ("packages", "src") and not dot)
                ):
                    steps[number] = new + dot + suffix
        return "/".join(steps)

    def is_left_in(self, line: str, *, prose: bool) -> bool:
        """Whether a line that was not changed still looks as if it meant the package."""
        if self.is_distinctive:
            words = self.old.split("_")
            return bool(re.search("[_-]?".join(map(re.escape, words)), line, re.IGNORECASE)) and (
                self.old in line or _joined(words, line)
            )
        if not prose:
            return bool(re.search(_word(self.old), line))
        old = re.escape(self.old)
        return bool(re.search(rf"[`\"'/]{old}\b|\b{old}(?:[`\"'/(:=]|\.\w)", line))


def _joined(words: list[str], line: str) -> bool:
    """`PalmerPenguins`, `PALMER_PENGUINS`, `palmer-penguins`: written as one word."""
    forms = ("".join(w.capitalize() for w in words), "_".join(words).upper(), "-".join(words))
    return any(form in line for form in forms)


def _word(name: str) -> str:
    return rf"(?<![\w-]){re.escape(name)}(?![\w-])"


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces, and whether each is a web or mail address."""
    at = 0
    for found in _ADDRESS.finditer(text):
        yield text[at : found.start()], False
        yield found[0], True
        at = found.end()
    yield text[at:], False
