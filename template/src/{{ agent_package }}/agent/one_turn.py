"""One turn of a conversation at a time, in this process and in the others on the same database."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from ..contracts import Turn
from ..persistence.chat_log import ChatLog, Lease
from .failure import Busy
from .services import Services

LEASE_SECONDS = 15.0
"""After a crash, the conversation is free again at the latest after this."""
IS_TAKEN = "Another turn of this conversation is still running. Try again."
FIRST_WAIT, LONGEST_WAIT = 0.02, 0.2


@asynccontextmanager
async def one_turn(turn: Turn, services: Services, deadline: float) -> AsyncIterator[Lease]:
    """Wait until the conversation is free, then have it; Busy where it stays taken.

    What the caller said is in the log from then on.
    """
    lease = Lease(turn_id=str(uuid.uuid4()), seconds=LEASE_SECONDS)
    owned = (turn.caller.owner, turn.context_id)
    async with AsyncExitStack() as stack:
        try:
            async with asyncio.timeout_at(deadline):
                await stack.enter_async_context(services.running.setdefault(owned, asyncio.Lock()))
                await _take(turn, lease, services.chat_log)
        except TimeoutError as error:
            raise Busy(error, IS_TAKEN) from error
        stack.callback(asyncio.create_task(_keep(turn, lease, services.chat_log)).cancel)
        yield lease


async def _take(turn: Turn, lease: Lease, log: ChatLog) -> None:
    wait = FIRST_WAIT
    while not await _taken(turn, lease, log):
        await asyncio.sleep(wait)
        wait = min(2 * wait, LONGEST_WAIT)


async def _taken(turn: Turn, lease: Lease, log: ChatLog) -> bool:
    taking = asyncio.ensure_future(log.insert_user_message(turn, lease))
    try:
        return await asyncio.shield(taking)
    except asyncio.CancelledError:
        if await taking:  # what was taken in this moment is given back
            await log.insert_assistant_text(turn, lease, None, error="CancelledError")
        raise


async def _keep(turn: Turn, lease: Lease, log: ChatLog) -> None:
    while True:
        await asyncio.sleep(LEASE_SECONDS / 3)
        await log.keep_conversation(turn, lease)
