"""The public card and the keys that verify it, over HTTP and its caches."""

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import formatdate, parsedate_to_datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ...auth.address import own_url
from ...contracts import Catalog, Identity, Refusals
from ...settings import Settings
from .card import Cards
from .card_signature import KEYS_PATH, key_set

CARD_PATHS = ("/.well-known/agent-card.json", "/.well-known/agent.json")
PATHS = (*CARD_PATHS, KEYS_PATH)
CACHE_CONTROL = "public, max-age=300"
MOST_ADDRESSES = 16
"""For which the card is kept as it goes out; a machine has few."""
PACKAGE = Path(__file__).parents[2]


@dataclass(frozen=True)
class Page:
    """A document as it goes out, with what caches need to know of it."""

    body: bytes
    headers: Mapping[str, str]
    changed_at: int


def card_routes(
    identity: Identity, catalog: Catalog, refusals: Refusals, settings: Settings
) -> list[Route]:
    """Both paths of the card and that of the key set; ConfigurationError where a key cannot sign."""
    cards = Cards(identity, catalog, refusals, settings)
    changed_at = _changed_at()

    @lru_cache(maxsize=2 * MOST_ADDRESSES)
    def page(base_url: str, pure: bool) -> Page:
        card = cards.of(None, base_url, pure=pure)
        return _page(card, changed_at, {"Vary": "A2A-Version"})

    async def card(request: Request) -> Response:
        in_v1 = request.headers.get("a2a-version", "").partition(".")[0] == "1"
        return _answer(page(own_url(settings, request.scope), in_v1), request.headers)

    keys = _page(key_set(cards.keys), changed_at, {})

    async def published(request: Request) -> Response:
        if not cards.keys:
            return JSONResponse({"error": "The card is not signed."}, 404)
        return _answer(keys, request.headers)

    return [
        *(Route(path, card, methods=["GET"]) for path in CARD_PATHS),
        Route(KEYS_PATH, published, methods=["GET"]),
    ]


def _page(document: dict[str, Any], changed_at: int, headers: Mapping[str, str]) -> Page:
    body = json.dumps(document, ensure_ascii=False, indent=2).encode()
    told = {
        "ETag": f'"{hashlib.sha256(body).hexdigest()[:32]}"',
        "Last-Modified": formatdate(changed_at, usegmt=True),
        "Cache-Control": CACHE_CONTROL,
        **headers,
    }
    return Page(body, told, changed_at)


def _answer(page: Page, asked: Headers) -> Response:
    if _is_known(page, asked):
        return Response(status_code=304, headers=page.headers)
    return Response(page.body, media_type="application/json", headers=page.headers)


def _is_known(page: Page, asked: Headers) -> bool:
    """Whether who asks has the page already; a tag counts before a date (RFC 9110, 13.1.3)."""
    if known := ",".join(asked.getlist("if-none-match")).strip():
        tags = [tag.strip().removeprefix("W/") for tag in known.split(",")]
        return known == "*" or page.headers["ETag"] in tags
    try:
        since = parsedate_to_datetime(asked.get("if-modified-since", ""))
    except (ValueError, OverflowError):  # what is no date is as good as none
        return False
    return page.changed_at <= since.timestamp()


def _changed_at() -> int:
    # Of the code, not of this start: the instances of a deployment have the same files, and so
    # say the same. What settings alone change is told by the tag, which counts before this.
    files = PACKAGE.rglob("*.py")
    return int(min(time.time(), max((file.stat().st_mtime for file in files), default=0)))
