"""The page of the chat: one document, without anything from elsewhere."""

import base64
import hashlib
import json
from html import escape
from importlib.resources import files

from ...contracts import Catalog, Identity

_FILES = files(__package__)
_SCRIPT = _FILES.joinpath("page.js").read_text(encoding="utf-8")
_HASH = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()

POLICY = {
    "Content-Security-Policy": (
        f"default-src 'none'; script-src 'sha256-{_HASH}'; style-src 'unsafe-inline'; "
        "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def page(identity: Identity, catalog: Catalog) -> str:
    """The document; example questions of the catalog are offered in it."""
    questions = [tool.examples[0].question for tool in catalog.values() if tool.examples]
    values = {
        "title": escape(identity.title),
        "description": escape(identity.description),
        "questions": escape(json.dumps(questions)),
        "script": _SCRIPT,
    }
    document = _FILES.joinpath("page.html").read_text(encoding="utf-8")
    for name, value in values.items():
        document = document.replace(f"<!--{name}-->", value)
    return document
