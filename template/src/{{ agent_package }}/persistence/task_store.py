"""The tasks of A2A, in the same database as the chat log."""

from typing import Any

from a2a.server.context import ServerCallContext
from a2a.server.models import TaskModel
from a2a.server.tasks import DatabaseTaskStore
from a2a.types import Task
from sqlalchemy import inspect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncEngine

from .engine import transaction

_ATTRIBUTES = {attr.columns[0].key: attr.key for attr in inspect(TaskModel).column_attrs}


class OneStatementTaskStore(DatabaseTaskStore):
    """The SDK's store on our table; it saves with one statement, where the SDK's own takes three."""

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__(engine, create_table=False)  # a migration made the table
        self._upsert = _upsert(engine.dialect.name)

    async def save(self, task: Task, context: ServerCallContext) -> None:
        """Write the whole task."""
        row = self._to_orm(task, self.owner_resolver(context))
        values = {column: getattr(row, name) for column, name in _ATTRIBUTES.items()}
        await transaction(self.engine, lambda c: c.execute(self._upsert, values).close())


def open_task_store(engine: AsyncEngine) -> OneStatementTaskStore:
    """The store of one process."""
    return OneStatementTaskStore(engine)


def _upsert(dialect: str) -> Any:
    insert = (postgresql if dialect == "postgresql" else sqlite).insert(TaskModel.__table__)
    new = {name: insert.excluded[name] for name in _ATTRIBUTES if name != "id"}
    return insert.on_conflict_do_update(index_elements=["id"], set_=new)
