"""The version is read from the header alone, any text after the first number passes, and an old method
in a new version is an internal error.
"""

import re

from a2a.utils.errors import MethodNotFoundError, VersionNotSupportedError
from starlette.requests import Request
from starlette.types import Scope

HEADER = "a2a-version"


def with_version_header(scope: Scope) -> Scope:
    """The version from the query string, where the header is absent (A2A 1.0, section 3.6.1)."""
    request = Request(scope)
    version = request.query_params.get("A2A-Version")
    if not version or HEADER in request.headers:
        return scope
    extra = (HEADER.encode(), version.encode("latin-1", "replace"))
    return {**scope, "headers": [*scope["headers"], extra]}


def check_version(version: str, *, of_old_method: bool) -> None:
    """VersionNotSupportedError or MethodNotFoundError where a version does not fit."""
    major = version.partition(".")[0]
    if major not in {"", "0", "1"} or not re.fullmatch(r"(\d+(\.\d+)*)?", version):
        raise VersionNotSupportedError(f"A2A-Version {version!r} is not served. Use 1.0 or 0.3.")
    if of_old_method and major == "1":
        raise MethodNotFoundError("That method is of A2A 0.3; the A2A-Version header says 1.")


def check_version_of(version: str, *, is_old: bool) -> None:
    """VersionNotSupportedError where an address of one dialect is called in the other."""
    check_version(version, of_old_method=False)
    if is_old == version.startswith("1"):
        ours = "0.3" if is_old else "1.0"
        raise VersionNotSupportedError(f"This is A2A {ours}: send A2A-Version: {ours}.")
