"""What needs an SDK or the database: opened after the app has begun to answer."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from .agent.services import Services
from .contracts import Catalog, Identity, Refusals
from .settings import ConfigurationError, Settings
from .surfaces.lazy import LazyEndpoint
from .surfaces.surface import Surface

WARM_UP_SECONDS = 0.5
"""The SDKs are loaded when a request wants one, or after this."""

logger = logging.getLogger(__name__)


class Backend:
    """The endpoint of each surface, and the task that opens and closes what they stand on."""

    def __init__(
        self,
        settings: Settings,
        identity: Identity,
        catalog: Catalog,
        refusals: Refusals,
        surfaces: Sequence[Surface],
    ) -> None:
        self._settings = settings
        self._identity = identity
        self._catalog = catalog
        self._refusals = refusals
        self._services: Services | None = None
        self._wanted = asyncio.Event()
        self.endpoints = {surface: LazyEndpoint(self._wanted) for surface in surfaces}

    async def run(self) -> None:
        """Open everything, serve until cancelled, close everything."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wanted.wait(), WARM_UP_SECONDS)
        try:
            async with AsyncExitStack() as stack:
                services = await stack.enter_async_context(self._opened_services())
                for surface, endpoint in self.endpoints.items():
                    opened = await asyncio.to_thread(
                        surface.load, services, self._identity, self._settings
                    )
                    endpoint.ready(await stack.enter_async_context(opened))
                self._services = services
                await asyncio.to_thread(_prepare_model, services)
                await asyncio.Event().wait()
        except Exception:
            logger.exception("The agent could not start fully")
            for endpoint in self.endpoints.values():
                endpoint.failed()

    async def is_ready(self) -> bool:
        """Whether the database answers and has the schema of this code."""
        from .persistence.migrate import schema_is_current

        try:
            return self._services is not None and await schema_is_current(self._services.engine)
        except Exception:  # whatever the driver raises: not ready is the answer
            return False

    @asynccontextmanager
    async def _opened_services(self) -> AsyncIterator[Services]:
        services = await asyncio.to_thread(self._build_services)
        from .persistence.migrate import migrate

        await migrate(services.engine)
        writer = asyncio.create_task(services.chat_log.run())
        try:
            yield services
        finally:
            await services.chat_log.drain()
            writer.cancel()
            await services.engine.dispose()

    def _build_services(self) -> Services:
        from .persistence.chat_log import ChatLog
        from .persistence.engine import open_engine

        engine = open_engine(self._settings.database_url)
        return Services(
            catalog=self._catalog,
            refusals=self._refusals,
            engine=engine,
            chat_log=ChatLog(engine),
            model=self._settings.agent_model,
            time_limit_seconds=self._settings.time_limit_seconds,
        )


def _prepare_model(services: Services) -> None:
    from .agent.ask_model import model_of

    try:
        model_of(services, services.model)
    except ConfigurationError as error:  # told at the start, not with the first question
        print(f"Questions cannot be answered, direct calls can. {error}", file=sys.stderr)
