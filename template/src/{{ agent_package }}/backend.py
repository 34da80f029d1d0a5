"""What needs an SDK or the database: opened after the app has begun to answer."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import TYPE_CHECKING

from .agent.services import Limits, Services
from .auth.callers import Callers
from .contracts import Catalog, Identity, Refusals
from .settings import ConfigurationError, Settings
from .surfaces.lazy_endpoint import LazyEndpoint
from .surfaces.surface import Opening, Surface

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

    from .persistence.chat_log import ChatLog

WARM_UP_SECONDS = 0.5
"""The SDKs are loaded when a request wants one, or after this."""
RETRY_SECONDS = 2
"""How often a database that is not there, or not migrated, is looked for."""
DATABASE_SECONDS = 5
STARTING = "The agent is starting."

logger = logging.getLogger(__name__)


class Backend:
    """The endpoint of each surface, and the task that opens and closes what they stand on."""

    def __init__(
        self,
        settings: Settings,
        identity: Identity,
        catalog: Catalog,
        refusals: Refusals,
        *,
        callers: Callers,
        surfaces: Sequence[Surface],
    ) -> None:
        self._settings = settings
        self._identity = identity
        self._catalog = catalog
        self._refusals = refusals
        self._callers = callers
        self._engine: AsyncEngine | None = None
        self._waits_for: str | None = None
        self._wanted = asyncio.Event()
        self._stopped = asyncio.Event()
        self.endpoints = {surface: LazyEndpoint(self._wanted) for surface in surfaces}

    async def run(self) -> None:
        """Open everything, serve until `stop()` or cancelled, close everything."""
        with suppress(TimeoutError):
            async with asyncio.timeout(WARM_UP_SECONDS):
                await self._wanted.wait()
        try:
            async with AsyncExitStack() as stack:
                services = await asyncio.to_thread(self._build_services)
                stack.push_async_callback(services.engine.dispose)
                await self._until_the_schema_is_there(services.engine)
                await stack.enter_async_context(_written(services.chat_log))
                opening = Opening(
                    services=services,
                    identity=self._identity,
                    settings=self._settings,
                    callers=self._callers,
                )
                for surface, endpoint in self.endpoints.items():
                    opened = await asyncio.to_thread(surface.load, opening)
                    endpoint.ready(await stack.enter_async_context(opened))
                await asyncio.to_thread(_prepare_model, services)
                self._engine = services.engine
                await self._stopped.wait()
        except Exception as error:
            traceback = not isinstance(error, ConfigurationError)
            logger.error("The agent could not start fully: %s", error, exc_info=traceback)
            self._unavailable("The agent could not start fully; its log says why.")

    def stop(self) -> None:
        """Let `run()` end; a cancellation alone may be lost in a library that is just starting."""
        self._stopped.set()

    async def problem(self) -> str | None:
        """Why the agent cannot serve now; None where it can."""
        if self._engine is None:
            return self._waits_for or STARTING
        return await self._problem_of(self._engine)

    async def _until_the_schema_is_there(self, engine: AsyncEngine) -> None:
        while problem := await self._problem_of(engine, migrating=True):
            self._waits_for = problem
            self._unavailable(problem)
            await asyncio.sleep(RETRY_SECONDS)

    async def _problem_of(self, engine: AsyncEngine, *, migrating: bool = False) -> str | None:
        from .persistence.migrate import NEWER, migrate, schema_of

        try:
            if migrating and engine.dialect.name == "sqlite":
                await migrate(engine)
            async with asyncio.timeout(DATABASE_SECONDS):
                schema = await schema_of(engine)
        except ConfigurationError:
            schema = "newer"
        except Exception as error:  # whatever the driver raises; callers learn that, not what
            if not self._waits_for:
                logger.warning("The database does not answer: %s", error)
            return "The database does not answer."
        if schema == "current":
            return None
        command = f"Run: uv run {self._identity.name} migrate"
        older = f"The database does not have the schema of this code. {command}"
        problem = NEWER if schema == "newer" else older
        if not self._waits_for:
            logger.warning("%s", problem)
        return problem

    def _unavailable(self, why: str) -> None:
        for endpoint in self.endpoints.values():
            endpoint.unavailable(why)

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
            tool_model=self._settings.agent_tool_model,
            limits=Limits(
                seconds=self._settings.time_limit_seconds,
                model_requests=self._settings.model_request_limit,
                model_tokens=self._settings.model_token_limit,
                history_tokens=self._settings.history_tokens,
            ),
        )


@asynccontextmanager
async def _written(chat_log: ChatLog) -> AsyncIterator[None]:
    """While it is open, queued rows are written; on the way out, those that are left."""
    writer = asyncio.create_task(chat_log.run())
    try:
        yield
    finally:
        await chat_log.drain()
        writer.cancel()


def _prepare_model(services: Services) -> None:
    from .agent import ask_model  # noqa: F401  # so that the first question need not load it
    from .agent.models import model_of

    try:
        model_of(services, services.model)
    except ConfigurationError as error:  # told at the start, not with the first question
        print(f"Questions cannot be answered, direct calls can. {error}", file=sys.stderr)
