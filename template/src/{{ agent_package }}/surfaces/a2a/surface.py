"""A2A as the app knows it."""

from typing import Any

from ...auth.address import own_url
from ...settings import Settings
from ..surface import Endpoint, Opening, Surface, SurfaceRoute
from .bindings import BINDINGS
from .card import RPC_PATH, Cards


def _load(opening: Opening) -> Endpoint:
    from .caller_user import CallerUser
    from .endpoint import a2a_endpoint

    identity, services, settings = opening.identity, opening.services, opening.settings
    cards = Cards(identity, services.catalog, services.refusals, settings)

    def extended_card(user: CallerUser) -> dict[str, Any]:
        return cards.of(user.caller, own_url(settings, {"server": user.server}), pure=True)

    card = cards.of(None, settings.base_url, pure=False)
    return a2a_endpoint(opening, card, extended_card)


def _check(settings: Settings) -> None:
    for binding in BINDINGS:
        binding.check(settings)


# Some clients add a slash to the address on the card.
A2A = Surface(
    routes=(
        SurfaceRoute(path=RPC_PATH),
        SurfaceRoute(path=f"{RPC_PATH}/"),
        *(SurfaceRoute(path=b.path, methods=b.methods) for b in BINDINGS if b.path),
    ),
    load=_load,
    check=_check,
)
