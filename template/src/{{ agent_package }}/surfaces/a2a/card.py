"""The agent card, built without the SDK so that it is there at once."""

import json
from functools import lru_cache
from typing import Any

from ...auth.providers import provider_of
from ...contracts import Caller, Catalog, Identity, Refusals, ToolSpec
from ...contracts.answer import VIEW_MEDIA_TYPE
from ...contracts.identity import EXTENSIONS
from ...settings import Settings
from .bindings import BINDINGS
from .card_signature import signed, signing_keys

RPC_PATH = "/api/a2a/jsonrpc"
INPUT_MODES = ["text/plain", "application/json"]
V03_FIELDS = (
    "url",
    "preferredTransport",
    "protocolVersion",
    "additionalInterfaces",
    "security",
    "supportsAuthenticatedExtendedCard",
)
SCHEME_FIELDS = {"http": "httpAuthSecurityScheme", "openIdConnect": "openIdConnectSecurityScheme"}
"""Where A2A 1.0 puts what A2A 0.3 and OpenAPI tell apart by `type`."""
MOST_CARDS = 64
"""Kept: an address each, two forms, and as many choices of skills as callers have."""


class Cards:
    """The card for whoever asks, signed where there are keys; each is built once."""

    def __init__(
        self, identity: Identity, catalog: Catalog, refusals: Refusals, settings: Settings
    ) -> None:
        """ConfigurationError where a key cannot sign."""
        self._identity = identity
        self._catalog = catalog
        self._refusals = refusals
        self._settings = settings
        self.keys = signing_keys(settings)
        self._built = lru_cache(maxsize=MOST_CARDS)(self._build)

    def of(self, caller: Caller | None, base_url: str, *, pure: bool) -> dict[str, Any]:
        """What a caller may know, the extended card; without a caller, the public one.

        `pure` is the form of A2A 1.0; the other one has the fields that 0.3 clients read, too.
        """
        return self._built(tuple(self._catalog.of(caller)), base_url, pure)

    def _build(self, names: tuple[str, ...], base_url: str, pure: bool) -> dict[str, Any]:
        catalog = Catalog(tuple(self._catalog[name] for name in names))
        merged = agent_card(self._identity, catalog, self._refusals, self._settings, base_url)
        in_v1 = _without_v03(merged)
        return signed(in_v1 if pure else merged, in_v1, self.keys, self._settings)


def extension_uris(identity: Identity) -> tuple[str, ...]:
    """The extensions that a caller can activate."""
    return tuple(identity.urn(name) for name in EXTENSIONS)


def required_uris(identity: Identity, settings: Settings) -> tuple[str, ...]:
    """Those of them that a caller must activate."""
    return tuple(identity.urn(name) for name in settings.required_extensions)


def agent_card(
    identity: Identity, catalog: Catalog, refusals: Refusals, settings: Settings, base_url: str
) -> dict[str, Any]:
    """The card of A2A 1.0 merged with the fields that 0.3 clients read."""
    urls = _urls(settings, base_url)
    # While development is open, nobody is anybody: there is no one to tell more.
    extended = bool(settings.auth_issuer)
    required = required_uris(identity, settings)
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
            "pushNotifications": settings.push_notifications,
            "extendedAgentCard": extended,
            "extensions": [
                {**extension, "required": True} if extension["uri"] in required else extension
                for extension in _extensions(identity, catalog, refusals)
            ],
        },
        **({"supportsAuthenticatedExtendedCard": True} if extended else {}),
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
