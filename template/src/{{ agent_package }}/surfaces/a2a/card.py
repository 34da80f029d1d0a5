"""The agent card, built without the SDK so that it is there at once."""

import hashlib
import json
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...auth.address import own_url
from ...auth.providers import provider_of
from ...contracts import Catalog, Identity, Refusals, ToolSpec
from ...contracts.answer import VIEW_MEDIA_TYPE
from ...settings import Settings
from .bindings import BINDINGS

PATHS = ("/.well-known/agent-card.json", "/.well-known/agent.json")
RPC_PATH = "/api/a2a/jsonrpc"
INPUT_MODES = ["text/plain", "application/json"]
V03_FIELDS = ("url", "preferredTransport", "protocolVersion", "additionalInterfaces", "security")
SCHEME_FIELDS = {"http": "httpAuthSecurityScheme", "openIdConnect": "openIdConnectSecurityScheme"}
"""Where A2A 1.0 puts what A2A 0.3 and OpenAPI tell apart by `type`."""


def card_routes(
    identity: Identity, catalog: Catalog, refusals: Refusals, settings: Settings
) -> list[Route]:
    """Both well-known paths."""

    async def card(request: Request) -> Response:
        base_url = own_url(settings, request.scope)
        document = agent_card(identity, catalog, refusals, settings, base_url)
        if request.headers.get("a2a-version", "").startswith("1"):
            document = _without_v03(document)
        return _cached(document, request)

    return [Route(path, card, methods=["GET"]) for path in PATHS]


def agent_card(
    identity: Identity, catalog: Catalog, refusals: Refusals, settings: Settings, base_url: str
) -> dict[str, Any]:
    """The card of A2A 1.0 merged with the fields that 0.3 clients read."""
    urls = _urls(settings, base_url)
    return {
        "name": identity.title,
        "description": identity.description,
        "version": identity.version,
        "provider": {"organization": identity.organization, "url": identity.organization_url},
        "supportedInterfaces": [
            {"url": url, "protocolBinding": binding, "protocolVersion": version}
            for binding, url in urls.items()
            for version in ("1.0", "0.3")
        ],
        "url": urls["JSONRPC"],
        "preferredTransport": "JSONRPC",
        "additionalInterfaces": [
            {"url": url, "transport": binding} for binding, url in urls.items()
        ],
        "protocolVersion": "0.3.0",
        "capabilities": {
            "streaming": True,
            "pushNotifications": False,
            "extendedAgentCard": False,
            "extensions": _extensions(identity, catalog, refusals),
        },
        **_security(settings),
        "defaultInputModes": INPUT_MODES,
        "defaultOutputModes": output_modes(identity),
        "skills": [_skill(tool) for tool in catalog.values()],
    }


def _urls(settings: Settings, base_url: str) -> dict[str, str]:
    """By binding; the first is the one that everybody should take."""
    others = {binding.name: binding.url(settings, base_url) for binding in BINDINGS}
    return {"JSONRPC": base_url + RPC_PATH} | {name: url for name, url in others.items() if url}


def _security(settings: Settings) -> dict[str, Any]:
    """How to authenticate, for readers of 1.0 and of 0.3; nothing while development is open."""
    if not settings.auth_issuer:
        return {}
    scheme = provider_of(settings).security_scheme(settings.auth_issuer)
    name = SCHEME_FIELDS[scheme["type"]]
    inner = {key: value for key, value in scheme.items() if key != "type"}
    return {
        "securitySchemes": {"token": {name: inner, **scheme}},
        "securityRequirements": [{"schemes": {"token": {"list": []}}}],
        "security": [{"token": []}],
    }


def _without_v03(document: dict[str, Any]) -> dict[str, Any]:
    pure = {name: value for name, value in document.items() if name not in V03_FIELDS}
    if schemes := pure.get("securitySchemes"):
        pure["securitySchemes"] = {
            name: {key: value for key, value in scheme.items() if key in SCHEME_FIELDS.values()}
            for name, scheme in schemes.items()
        }
    return pure


def output_modes(identity: Identity) -> list[str]:
    """Every media type that a part of an answer can have."""
    return [
        "text/plain",
        "application/json",
        VIEW_MEDIA_TYPE,
        identity.citations_media_type,
        identity.refusal_media_type,
    ]


def _extensions(identity: Identity, catalog: Catalog, refusals: Refusals) -> list[dict[str, Any]]:
    return [
        {
            "uri": identity.urn("refusals/v1"),
            "description": "Refuses by these rules; a refusal is a successful, typed answer.",
            "params": {
                "mediaType": identity.refusal_media_type,
                "rules": {name: rule.reason for name, rule in refusals.rules.items()},
            },
        },
        {
            "uri": identity.urn("data-source/v1"),
            "description": "The dataset that every claim rests on and cites.",
            "params": {
                "mediaType": identity.citations_media_type,
                "study": identity.study,
                "universe": identity.universe,
            },
        },
        {
            "uri": identity.urn("invoke/v1"),
            "description": (
                "Calls a skill without a model: send one data part "
                '{"skill": "<skill id>", "args": {…}}.'
            ),
            "params": {
                "skills": {name: tool.args.model_json_schema() for name, tool in catalog.items()}
            },
        },
    ]


def _skill(tool: ToolSpec[Any]) -> dict[str, Any]:
    return {
        "id": tool.name,
        "name": tool.title,
        "description": tool.description,
        "tags": [tool.kind, *tool.tags],
        "examples": [
            *(example.question for example in tool.examples),
            *(json.dumps({"skill": tool.name, "args": dict(e.args)}) for e in tool.examples[:1]),
        ],
    }


def _cached(document: dict[str, Any], request: Request) -> Response:
    body = json.dumps(document, ensure_ascii=False, indent=2).encode()
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": "public, max-age=300", "Vary": "A2A-Version"}
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)
