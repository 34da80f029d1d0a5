"""A message that names only its task gets a new context, and the second one fails (a2a-python#1206)."""

from a2a.server.cluster import VersionedTaskStore
from a2a.server.context import ServerCallContext


async def context_of(
    task_id: str | None, context_id: str | None, tasks: VersionedTaskStore, call: ServerCallContext
) -> str | None:
    """The context that is named, else that of the task."""
    if context_id or not task_id:
        return context_id
    stored = await tasks.get(task_id, call)
    return stored.task.context_id if stored else None
