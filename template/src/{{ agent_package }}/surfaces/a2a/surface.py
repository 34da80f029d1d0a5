"""A2A as the app knows it."""

from ...settings import Settings
from ..surface import Endpoint, Opening, Surface, SurfaceRoute
from .bindings import BINDINGS
from .card import RPC_PATH, agent_card


def _load(opening: Opening) -> Endpoint:
    from .endpoint import a2a_endpoint

    services, settings = opening.services, opening.settings
    card = agent_card(
        opening.identity, services.catalog, services.refusals, settings, settings.base_url
    )
    return a2a_endpoint(opening, card)


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
