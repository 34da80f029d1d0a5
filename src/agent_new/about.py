"""What the installed distribution says about itself."""

from __future__ import annotations

from importlib.metadata import metadata, version

DISTRIBUTION = "agent-new"


def installed_version() -> str:
    return version(DISTRIBUTION)


def repository_url() -> str:
    """The public address of the template, as `pyproject.toml` gives it."""
    urls = metadata(DISTRIBUTION).get_all("Project-URL") or []
    named = dict(url.split(", ", 1) for url in urls)
    return str(named["Repository"])
