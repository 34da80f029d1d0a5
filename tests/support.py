"""What the tests share: a checkout as a release would be, and the command as a person runs it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from agent_new.terminal import UNATTENDED

ROOT = Path(__file__).resolve().parents[1]
COMMAND = [str(Path(sys.executable).with_name("agent-new"))]
ALL_WAYS = ["--no-install", "--no-git", "--defaults"]
STOP_SIGNALS = [
    number
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if (number := getattr(signal, name, None)) is not None  # Windows has two of them
]
UNTRACKED_BY_US = {".git", ".venv", "__pycache__"}


def hermetic(folder: Path, source: Path) -> dict[str, str]:
    """No git or copier settings of the person, no outer repository, nobody to ask."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "gitconfig").touch()
    (folder / "settings.yml").write_text("trust: []\n")
    (folder / "tmp").mkdir(exist_ok=True)
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in UNATTENDED and not name.startswith(("GIT_", "COPIER_", "AGENT_"))
    }
    kept.pop("EMAIL", None)
    return kept | {
        "GIT_CONFIG_GLOBAL": str(folder / "gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "COPIER_SETTINGS_PATH": str(folder / "settings.yml"),
        "COPIER_CACHE_DIR": str(folder / "cache"),
        "PYTHONPATH": str(source / "src"),
        "TMPDIR": str(folder / "tmp"),
        "TERM": "xterm",
    }


def run(
    cwd: Path, env: Mapping[str, str], *arguments: str, timeout: float = 60
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )


def git(cwd: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=T", "-c", "user.email=t@example.org", *arguments]
    done = subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def clone_working_tree(target: Path) -> Path:
    """A clone with every release; the working tree with all its changes is one commit on top."""
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    git(target.parent, "clone", "--quiet", "--no-tags", str(ROOT), str(target))
    git(target, "checkout", "--quiet", "-B", "main")
    git(target, "rm", "-r", "--quiet", ".")
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    git(target, "add", "--all")
    git(target, "commit", "--quiet", "--no-verify", "--allow-empty", "-m", "working tree")
    subprocess.run([sys.executable, "releases.py"], cwd=target, check=True, capture_output=True)
    return target


def tree(root: Path) -> dict[str, bytes]:
    """Every file of a project, but for what was installed and what names the template's commit."""
    files = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if path.is_file() and not UNTRACKED_BY_US & set(name.parts):
            files[name.as_posix()] = path.read_bytes()
    return files


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, (path, old)
    path.write_text(text.replace(old, new), encoding="utf-8")


def status(project: Path) -> list[str]:
    """What git sees of changes, one line each."""
    return git(project, "status", "--porcelain").splitlines()


FAKE_UV = '''#!{python}
"""Stands for uv: `sync` makes a .venv whose Python is this file, which then serves two pages."""
import http.server, os, pathlib, sys, time

arguments = sys.argv[1:]
if arguments[0] == "sync":
    if mode := os.environ.get("FAKE_UV"):
        pathlib.Path(os.environ["FAKE_UV_STARTED"]).write_text(str(os.getpid()))
        if mode == "fail":
            sys.exit("error: the registry cannot be reached")
        time.sleep(60)
    pathlib.Path(".venv/bin").mkdir(parents=True)
    os.symlink(__file__, ".venv/bin/python")
    pathlib.Path("uv.lock").write_text("version = 1\\n")
    sys.exit()


class Pages(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        found = self.path in ("/api/health", "/.well-known/agent-card.json")
        self.send_response(200 if found else 404)
        self.end_headers()
        self.wfile.write(b'{{"name": "Demo"}}')


if os.environ.get("FAKE_SERVER") == "broken":
    sys.exit("ImportError: no such module")
port = int(arguments[arguments.index("--port") + 1])
try:
    http.server.HTTPServer(("127.0.0.1", port), Pages).serve_forever()
except KeyboardInterrupt:
    pass
'''


def with_fake_uv(env: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Every promise about an install, but without one."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "fake-uv"
    script.write_text(FAKE_UV.format(python=sys.executable))
    script.chmod(0o755)
    (folder / "uv.py").write_text(f"def find_uv_bin():\n    return {str(script)!r}\n")
    return {
        **env,
        "PYTHONPATH": f"{folder}{os.pathsep}{env['PYTHONPATH']}",
        "FAKE_UV_STARTED": str(folder / "started"),
    }
