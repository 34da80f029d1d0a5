"""The tasks of A2A, in the same database as the chat log."""

from a2a.server.tasks import DatabaseTaskStore
from sqlalchemy.ext.asyncio import AsyncEngine


def open_task_store(engine: AsyncEngine) -> DatabaseTaskStore:
    """The SDK's store on our table; a migration made it, so the store creates nothing."""
    return DatabaseTaskStore(engine, create_table=False)
