"""Extensions of the protocol: those a request needs to know, and those its answer goes by."""

from collections.abc import Mapping

from a2a.compat.v0_3.extension_headers import LEGACY_HTTP_EXTENSION_HEADER
from a2a.extensions.common import HTTP_EXTENSION_HEADER, get_requested_extensions
from a2a.server.context import ServerCallContext
from a2a.types import AgentCard
from a2a.utils.errors import ExtensionSupportRequiredError

HEADERS = (HTTP_EXTENSION_HEADER, LEGACY_HTTP_EXTENSION_HEADER)


def check_required(card: AgentCard, context: ServerCallContext) -> None:
    """ExtensionSupportRequiredError where the caller does not know what the card requires."""
    required = {extension.uri for extension in card.capabilities.extensions if extension.required}
    if lacking := required - context.requested_extensions:
        raise ExtensionSupportRequiredError(
            f"This agent needs its callers to know {', '.join(sorted(lacking))}: "
            "name them in the header A2A-Extensions."
        )


def activated(headers: Mapping[str, str], card: AgentCard) -> dict[str, str]:
    """The header that says which of the extensions that were asked for are in use."""
    ours = {extension.uri for extension in card.capabilities.extensions}
    asked = get_requested_extensions([headers.get(name, "") for name in HEADERS])
    in_use = ", ".join(sorted(asked & ours))
    return {HTTP_EXTENSION_HEADER: in_use} if in_use else {}
