"""A newer version of the template, as an update meets it: made from this one, in a clone."""

from __future__ import annotations

import re
from pathlib import Path

from support import git

TAG = "v99.0.0"
CHANGED = "README.md"
CHANGED_LINE = "`CLAUDE.md` has the layout, the conventions, and which files are yours"
RENAMED, RENAMED_TO = "tests/test_views.py", "tests/test_charts.py"
DROPPED = "AGENTS.md"
ADDED = "docs/operations.md"
NOTE = "Changed in 99.0.0."


def newer_template(checkout: Path, target: Path) -> Path:
    """Version 99.0.0: it changes a file, renames one, drops one, adds one, and asks one more."""
    git(target.parent, "clone", "--quiet", str(checkout), str(target))
    template = target / "template"
    _replace(template / "README.md.jinja", CHANGED_LINE, f"{NOTE} {CHANGED_LINE}")
    renamed = template / f"{RENAMED_TO}.jinja"
    (template / f"{RENAMED}.jinja").rename(renamed)
    _replace(renamed, '"""', f'"""{NOTE} ', 1)
    (template / DROPPED).unlink()
    (template / "docs").mkdir(exist_ok=True)
    (template / f"{ADDED}.jinja").write_text("Operated by {{ operator }}.\n")
    questions = target / "copier.yml"
    _replace(questions, "# Derived:", "operator:\n  type: str\n  default: nobody\n\n# Derived:")
    text = questions.read_text()
    text = re.sub(r'(?s)(template_version:.*?default: )"[0-9.]+"', r'\1"99.0.0"', text)
    questions.write_text(text)
    _replace(target / "CHANGELOG.md", "\n## ", f"\n## 99.0.0\n\n- {NOTE}\n\n## ", 1)
    git(target, "add", "--all")
    git(target, "commit", "--quiet", "--no-verify", "-m", TAG)
    git(target, "tag", TAG)
    return target


def _replace(path: Path, old: str, new: str, count: int = -1) -> None:
    text = path.read_text()
    assert old in text, (path, old)
    path.write_text(text.replace(old, new, count))
