"""Put `template.bundle`, a git bundle with HEAD and every release tag, into the wheel and sdist."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUNDLE = "agent_new/template.bundle"


class BundleHook(BuildHookInterface):  # type: ignore[misc] # untyped outside a build
    """Makes the bundle outside the checkout, so that a build leaves nothing in it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if version == "editable":
            return  # a checkout renders from the checkout
        if not (root / ".git").exists():
            self._need_the_bundle_of_the_sdist(root)
            return
        self._folder = Path(tempfile.mkdtemp(prefix="agent-new-bundle-"))
        bundle = self._folder / "template.bundle"
        _write_bundle(root, bundle)
        target = BUNDLE if self.target_name == "wheel" else f"src/{BUNDLE}"
        build_data["force_include"][str(bundle)] = target

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if folder := getattr(self, "_folder", None):
            shutil.rmtree(folder, ignore_errors=True)

    def _need_the_bundle_of_the_sdist(self, root: Path) -> None:
        if not (root / "src" / BUNDLE).exists():
            raise RuntimeError(
                "There is no .git and no template.bundle here. Build from a git checkout or an sdist."
            )


def _write_bundle(root: Path, bundle: Path) -> None:
    if _output(["git", "rev-parse", "--is-shallow-repository"], root) == "true":
        raise RuntimeError(
            "This is a shallow clone, and the bundle must hold every release. "
            "Run `git fetch --unshallow --tags` first (in CI: `fetch-depth: 0`)."
        )
    complete = bundle.with_name("complete.git")
    no_hooks = f"core.hooksPath={os.devnull}"
    clone = ["git", "-c", no_hooks, "clone", "--quiet", "--bare", "--shared"]
    _output([*clone, str(root), str(complete)], root)
    _output([sys.executable, "releases.py", "--repository", str(complete)], root)
    _output(["git", "bundle", "create", str(bundle), "HEAD", "--tags"], complete)


def _output(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"`{' '.join(command)}` failed: {done.stderr.strip()}")
    return done.stdout.strip()
