"""Tells webhooks how their tasks stand: apart from the answer, again where it failed, never too often."""

import asyncio
import logging
import random
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from a2a.server.cluster import TaskVersion
from a2a.types import Task
from a2a.utils.errors import InvalidParamsError

from ...guarded_http import ForbiddenAddressError, GuardedClient
from ...persistence.push_configs import Delivery, PushConfigs
from ...persistence.task_rows import TERMINAL
from ...persistence.task_store import TaskStore
from .push_body import body_of, headers_of

MOST_AT_ONCE = 50
"""Slow webhooks hold up the others only where there are so many of them."""
POLL_SECONDS = 1.0
"""While news are awaited; one webhook is told of a running task at most this often."""
IDLE_SECONDS = 2.0
DELIVERY_SECONDS = 10.0
FIRST_RETRY_SECONDS, LONGEST_RETRY_SECONDS = 1.0, 300.0
MOST_ATTEMPTS = 10
FORGET_SECONDS = 3600.0
GONE = 410
NOT_PUBLIC = "The url of a push config must be an https address of a public host."

logger = logging.getLogger(__name__)


class PushWorker:
    """Delivers while it runs; several instances share the work."""

    def __init__(self, configs: PushConfigs, store: TaskStore, client: GuardedClient) -> None:
        self._configs = configs
        self._store = store
        self._client = client
        self._forgot = 0.0
        self._deliveries: set[asyncio.Task[None]] = set()

    async def allowed(self, url: str) -> bool:
        """Whether a webhook may stand there; InvalidParamsError says it in words."""
        try:
            await self._client.check(url)
        except ForbiddenAddressError as error:
            logger.info("A push config was refused: %s.", error)
            raise InvalidParamsError(NOT_PUBLIC) from None
        return True

    async def run(self) -> None:
        """Deliver until cancelled."""
        trouble = False
        while True:
            pause = IDLE_SECONDS
            try:
                pause = await self._round()
                trouble = False
            except Exception as error:  # whatever the driver raises; the next round tries again
                if not trouble:
                    logger.warning("Push notifications wait: %s", type(error).__name__)
                trouble = True
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._store.rested.wait()

    async def _round(self) -> float:
        self._store.rested.clear()
        free = MOST_AT_ONCE - len(self._deliveries)
        for delivery in await self._configs.claim_due(free) if free else ():
            begun = asyncio.create_task(self._deliver(delivery))
            self._deliveries.add(begun)
            begun.add_done_callback(self._deliveries.discard)
        if time.monotonic() - self._forgot > FORGET_SECONDS:
            await self._configs.forget_old()
            self._forgot = time.monotonic()
        return POLL_SECONDS if await self._configs.awaited() else IDLE_SECONDS

    async def _deliver(self, delivery: Delivery) -> None:
        config = delivery.config
        stored = await self._store.newer(config.task_id, TaskVersion(delivery.sent_version))
        if stored is None:
            return
        problem = await self._problem(delivery, stored.task)
        now = datetime.now(UTC)
        sent_version, attempts = stored.version, 0
        next_at: datetime | None = now + timedelta(seconds=POLL_SECONDS)
        if problem:
            sent_version, attempts = delivery.sent_version, delivery.attempts + 1
            given_up = attempts >= MOST_ATTEMPTS or problem == str(GONE)
            next_at = None if given_up else now + _backoff(attempts)
            if given_up:
                logger.warning(
                    "A webhook of task %s is given up at attempt %d: %s.",
                    config.task_id,
                    attempts,
                    problem,
                )
        elif stored.task.status.state in TERMINAL:
            next_at = None
        await self._configs.settle(
            delivery, sent_version=sent_version, attempts=attempts, next_at=next_at
        )

    async def _problem(self, delivery: Delivery, task: Task) -> str | None:
        config = delivery.config
        try:
            body = body_of(task, delivery.dialect)
            status = await self._client.post(config.url, body, headers_of(config), DELIVERY_SECONDS)
        except Exception as error:  # of the network, or of a task that its dialect cannot say
            return type(error).__name__
        return None if status // 100 == 2 else str(status)  # noqa: PLR2004  # 2xx


def _backoff(attempts: int) -> timedelta:
    seconds = min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), LONGEST_RETRY_SECONDS)
    return timedelta(seconds=seconds * random.uniform(0.5, 1))
