"""A2A as the app knows it."""

from contextlib import AbstractAsyncContextManager

from starlette.types import ASGIApp

from ...agent.services import Services
from ...contracts import Identity
from ...settings import Settings
from ..surface import Surface, SurfaceRoute
from .card import RPC_PATH, agent_card


def _load(
    services: Services, identity: Identity, settings: Settings
) -> AbstractAsyncContextManager[ASGIApp]:
    from .endpoint import a2a_endpoint

    card = agent_card(identity, services.catalog, services.refusals, settings, settings.base_url)
    return a2a_endpoint(services, identity, card)


# Some clients add a slash to the address on the card.
A2A = Surface(
    routes=(SurfaceRoute(path=RPC_PATH), SurfaceRoute(path=f"{RPC_PATH}/")),
    load=_load,
)
