"""Where the template comes from: this checkout, or the bundle that the wheel carries."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from .about import installed_version, repository_url
from .errors import AgentNewError
from .host import git, run

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parents[1]
_TEMPLATE_PARTS = ("copier.yml", "includes", "template")


class Source(NamedTuple):
    """What copier is told, and where git really reads it."""

    address: str
    """What the new project records: the public address, or this folder when it has changes."""
    base: Path
    """The bundle or the checkout that git reads in place of the public address."""
    ref: str
    """The commit or tag to render."""
    dirty: bool = False
    """The working tree is rendered, changes included: no later update can find that commit."""


def find_source() -> Source:
    if (_CHECKOUT / "copier.yml").is_file() and (_CHECKOUT / ".git").exists():
        return _from_checkout()
    return _from_bundle()


def hooks_folder() -> Path:
    carried = _PACKAGE / "hooks"
    return carried if carried.is_dir() else _CHECKOUT / "hooks"


def _from_checkout() -> Source:
    head = git(_CHECKOUT, "rev-parse", "--verify", "HEAD")
    if head.returncode != 0:
        raise AgentNewError(
            f"git cannot read a commit of the template in {_CHECKOUT}: {head.stderr.strip()} "
            "Make a first commit there. Nothing was written."
        )
    if git(_CHECKOUT, "status", "--porcelain", "--", *_TEMPLATE_PARTS).stdout.strip():
        return Source(str(_CHECKOUT), _CHECKOUT, "HEAD", dirty=True)
    return Source(repository_url(), _CHECKOUT, head.stdout.strip())


def _from_bundle() -> Source:
    bundle = _PACKAGE / "template.bundle"
    heads = run(["git", "bundle", "list-heads", str(bundle)])
    if heads.returncode != 0:
        raise AgentNewError(
            f"The template that agent-new carries cannot be read: {heads.stderr.strip()} "
            "Install agent-new again. Nothing was written."
        )
    commits = {name: commit for commit, name in map(str.split, heads.stdout.splitlines())}
    tag = f"v{installed_version()}"
    ref = tag if f"refs/tags/{tag}" in commits else commits["HEAD"]
    return Source(repository_url(), bundle, ref)


@contextmanager
def redirected(source: Source, cache: Path) -> Iterator[None]:
    """Git child processes read the public address from our own base: offline, same record."""
    from plumbum import local  # copier's git runs with plumbum's own copy of the environment

    config = {
        "core.hooksPath": os.devnull,  # the person's hooks are for their work, not for copier's clone
        "commit.gpgSign": "false",
    }
    if not source.dirty:
        config[f"url.{source.base.as_posix()}.insteadOf"] = source.address
    environ = {
        "COPIER_CACHE_DIR": str(cache),  # a mirror made from the bundle must not outlive this run
        "GIT_TERMINAL_PROMPT": "0",
        **_as_environment(config),
    }
    before = {name: os.environ.get(name) for name in environ}
    os.environ.update(environ)
    try:
        with local.env(**environ):
            yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _as_environment(config: Mapping[str, str]) -> dict[str, str]:
    """Git configuration for child processes, after what the environment has already."""
    first = int(os.environ.get("GIT_CONFIG_COUNT") or "0")
    environ = {"GIT_CONFIG_COUNT": str(first + len(config))}
    for number, (key, value) in enumerate(config.items(), first):
        environ |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return environ
