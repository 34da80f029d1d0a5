"""Where the template comes from: this checkout, or the bundle that the wheel carries."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from .about import installed_version, repository_url
from .errors import AgentNewError
from .host import git, need_git

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parents[1]
TEMPLATE_PARTS = ("copier.yml", "includes", "template")


class Source(NamedTuple):
    """What copier is told, and where git really reads it."""

    address: str
    """What the new project records: the public address, or this folder when it has changes."""
    base: Path
    """The repository that git reads in place of the public address; it has all releases."""
    ref: str
    """The commit or tag to render: the tag of this version, unless the template has changed since."""
    dirty: bool = False
    """The working tree is rendered, changes included: no later update can find that commit."""


def find_source(scratch: Path) -> Source:
    """Ready to be rendered while the folder `scratch` is there."""
    need_git()
    in_checkout = (_CHECKOUT / "copier.yml").is_file() and (_CHECKOUT / ".git").exists()
    if in_checkout and _has_changes(_CHECKOUT):
        return Source(str(_CHECKOUT), _CHECKOUT, "HEAD", dirty=True)
    base = scratch / "template.git"
    _clone(_CHECKOUT if in_checkout else _PACKAGE / "template.bundle", base)
    if in_checkout:
        _make_missing_tags(base)
    return Source(repository_url(), base, _ref(base))


def hooks_folder() -> Path:
    carried = _PACKAGE / "hooks"
    return carried if carried.is_dir() else _CHECKOUT / "hooks"


def _has_changes(checkout: Path) -> bool:
    return bool(git(checkout, "status", "--porcelain", "--", *TEMPLATE_PARTS).stdout.strip())


def _clone(origin: Path, base: Path) -> None:
    cloned = git(base.parent, "clone", "--quiet", "--bare", "--shared", str(origin), str(base))
    if cloned.returncode != 0 or git(base, "rev-parse", "--verify", "HEAD").returncode != 0:
        reason = " ".join(cloned.stderr.split()) or "it has no commit yet."
        raise AgentNewError(
            f"git cannot read the template in {origin}: {reason} "
            "In a checkout, make a first commit; else install agent-new again. Nothing was written."
        )


def _make_missing_tags(base: Path) -> None:
    """By the script of the checkout, which is no part of this package; a clone may have no tags."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("releases", _CHECKOUT / "releases.py")
    if spec is None or spec.loader is None:
        raise AgentNewError(f"{_CHECKOUT / 'releases.py'} is missing. Bring it back from git.")
    releases = module_from_spec(spec)
    spec.loader.exec_module(releases)
    try:
        releases.make_tags(base)
    except releases.ReleaseError as error:
        raise AgentNewError(f"The releases of the template are not known: {error}") from error


def _ref(base: Path) -> str:
    tag = f"v{installed_version()}"
    if git(base, "diff", "--quiet", tag, "HEAD", "--", *TEMPLATE_PARTS).returncode == 0:
        return tag
    return git(base, "describe", "--tags", "--always", "HEAD").stdout.strip()


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
