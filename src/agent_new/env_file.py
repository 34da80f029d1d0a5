"""Reads a `.env` as a rendered agent does, and tells what is wrong with it, never with a value."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dotenv.parser import Binding

ENV_FILE = ".env"

# Of a value that lost its quotes, such as a key of many lines, no line looks like this.
_SURELY_A_NAME = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")
_LINE_END = re.compile(r"\r\n|\n|\r")


class Setting(NamedTuple):
    """A name in the file, and where it stands."""

    name: str
    line: int

    @property
    def told(self) -> str:
        """The name, or only its place where it could be a piece of a secret."""
        surely = _SURELY_A_NAME.fullmatch(self.name)
        return f"`{self.name}` in line {self.line}" if surely else f"the name in line {self.line}"


class EnvFile(NamedTuple):
    """What a `.env` says; empty where there is none."""

    values: Mapping[str, str]
    settings: tuple[Setting, ...]
    problems: tuple[str, ...]


def read_env_file(path: Path) -> EnvFile:
    if not os.path.lexists(path):
        return _NOTHING
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            return _unread(
                f"{ENV_FILE} is no plain file, so it was not read: put a file in its place"
            )
        content = path.read_bytes()
    except FileNotFoundError:
        return _unread(
            f"{ENV_FILE} is a link to nothing: take it away, then run `agent-new secrets init`"
        )
    except OSError as error:
        return _unread(f"{ENV_FILE} cannot be read: {error.strerror}")
    parsed = _parsed(content)
    return parsed._replace(problems=(*_open_to_others(mode), *parsed.problems))


_NOTHING = EnvFile({}, (), ())


def _unread(problem: str) -> EnvFile:
    return _NOTHING._replace(problems=(problem,))


def _open_to_others(mode: int) -> Iterator[str]:
    if os.name != "nt" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        yield (
            f"others may open {ENV_FILE} (its mode is {stat.S_IMODE(mode):04o}): "
            f"`chmod 600 {ENV_FILE}`"
        )


def _parsed(content: bytes) -> EnvFile:
    from io import StringIO

    from dotenv.main import resolve_variables
    from dotenv.parser import parse_stream

    text = content.decode("utf-8-sig", "replace")
    bindings = list(parse_stream(StringIO(text, newline="")))
    pairs = [(b.key, b.value) for b in bindings if b.key is not None and not b.error]
    settings = tuple(Setting(b.key, _line(b)) for b in bindings if b.key and b.value is not None)
    values = resolve_variables(pairs, override=False)
    return EnvFile(
        {name: value for name, value in values.items() if value is not None},
        settings,
        (*_wrong_bytes(content), *_wrong_lines(bindings), *_twice(settings)),
    )


def _wrong_bytes(content: bytes) -> Iterator[str]:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        yield f"line {line} of {ENV_FILE} is not UTF-8, so no agent can read the file: save it as UTF-8"
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        yield f"line {line} of {ENV_FILE} has a NUL byte, which no setting can hold: take it out"


def _wrong_lines(bindings: list[Binding]) -> Iterator[str]:
    wrong = [b for b in bindings if b.error or (b.key is not None and b.value is None)]
    if numbers := [str(_line(binding)) for binding in wrong]:
        which = f"line {numbers[0]}" if len(numbers) == 1 else f"lines {', '.join(numbers)}"
        yield (
            f"{which} of {ENV_FILE} cannot be understood: write NAME=value, in single quotes "
            "where the value has spaces, `#` or several lines"
        )


def _twice(settings: tuple[Setting, ...]) -> Iterator[str]:
    first: dict[str, Setting] = {}
    for setting in settings:
        if (earlier := first.setdefault(setting.name, setting)) is not setting:
            yield (
                f"{setting.told} stands in line {earlier.line} of {ENV_FILE} too, and only the "
                "last one counts: take one out"
            )


def _line(binding: Binding) -> int:
    """Where the statement itself begins: the parser counts the empty lines above to it."""
    text = binding.original.string
    above = text[: len(text) - len(text.lstrip())]
    return binding.original.line + len(_LINE_END.findall(above))
