"""One turn of a conversation at a time, in this process and in the others on the same database."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ..contracts import Turn
from ..persistence.chat_log import Lease
from .failure import Failure
from .services import Services

LEASE_SECONDS = 15.0
"""After a crash, the conversation is free again at the latest after this."""
FIRST_WAIT, LONGEST_WAIT = 0.02, 0.5


@asynccontextmanager
async def one_turn(turn: Turn, services: Services) -> AsyncIterator[Lease]:
    """Wait until the conversation is free, then have it; Failure where it stays taken.

    What the caller said is in the log from then on.
    """
    owned = (turn.caller.owner, turn.context_id)
    lock = services.running.setdefault(owned, asyncio.Lock())
    lease = Lease(turn_id=str(uuid.uuid4()), seconds=LEASE_SECONDS)
    try:
        async with asyncio.timeout(services.limits.seconds):
            await lock.acquire()
    except TimeoutError as error:
        raise _taken(error) from None
    try:
        await _take(turn, lease, services)
        keeping = asyncio.create_task(_keep(turn, lease, services))
        try:
            yield lease
        finally:
            keeping.cancel()
    finally:
        lock.release()


async def _take(turn: Turn, lease: Lease, services: Services) -> None:
    wait, waited = FIRST_WAIT, 0.0
    log = services.chat_log
    while not await log.insert_user_message(
        turn.caller, turn.context_id, turn.surface, turn.said, lease
    ):
        if waited > services.limits.seconds:
            raise _taken(TimeoutError())
        await asyncio.sleep(wait)
        waited += wait
        wait = min(2 * wait, LONGEST_WAIT)


async def _keep(turn: Turn, lease: Lease, services: Services) -> None:
    while True:
        await asyncio.sleep(LEASE_SECONDS / 3)
        await services.chat_log.ensure_conversation(
            turn.caller, turn.context_id, turn.surface, lease
        )


def _taken(error: TimeoutError) -> Failure:
    return Failure(error, "Another turn of this conversation is still running. Try again.")
