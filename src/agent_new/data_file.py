"""The answers in the file of `--data-file`, YAML or JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import yaml

from .errors import ProblemsError, UsageError


def read_data_file(path: Path) -> dict[str, object]:
    """Keys and values as they stand there; each key once."""
    try:
        content = _json_or_yaml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--data-file {path} cannot be read: {error}") from error
    except yaml.YAMLError as error:
        raise UsageError(
            f"--data-file {path} is not YAML: {' '.join(str(error).split())}"
        ) from error
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise UsageError(f"--data-file {path} must hold lines such as `title: My Agent`.")
    # `_commit` and `_src_path`: the answers file of another project may be given as it is
    return {str(key): value for key, value in content.items() if not str(key).startswith("_")}


def _json_or_yaml(text: str) -> object:
    try:  # JSON is almost YAML: there, two escapes that make one emoji stay two halves
        return json.loads(text, object_pairs_hook=_once)
    except ValueError:
        top = yaml.compose(text, yaml.SafeLoader)
        if isinstance(top, yaml.MappingNode):
            _once([(str(key.value), None) for key, _ in top.value])
        return yaml.safe_load(text)


def _once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    keys = [key for key, _ in pairs]
    if twice := sorted({key for key in keys if keys.count(key) > 1}):
        raise ProblemsError(
            [f"`{key}` stands twice in the --data-file. Keep one." for key in twice]
        )
    return dict(pairs)
