"""Tasks as rows: how they are written, each write in one statement, and how they are read."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from a2a.server.models import TaskModel
from a2a.types import Task, TaskState
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from sqlalchemy import JSON, Insert, bindparam, case, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from .tables import Moment, tasks

LEASE = timedelta(seconds=20)
"""After a crash, a task that ran is ended about this much later."""
RUNNING = (TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING)
TERMINAL = (
    TaskState.TASK_STATE_COMPLETED,
    TaskState.TASK_STATE_CANCELED,
    TaskState.TASK_STATE_FAILED,
    TaskState.TASK_STATE_REJECTED,
)
_OLD_TERMINAL = ("completed", "canceled", "failed", "rejected")
"""As a2a-sdk 0.3 wrote them."""
_COLUMNS = {"metadata": "task_metadata"}
"""Where the SDK's model has another name for a column."""


def insert_of(dialect: str) -> Insert:
    """Writes a new task, and nothing where there is one."""
    make = postgresql.insert if dialect == "postgresql" else sqlite.insert
    return make(tasks).on_conflict_do_nothing().returning(tasks.c.version)


MOST_ABANDONED = 100
"""Tasks that are ended in one go."""
_IT = tasks.c.id == bindparam("its_id")
OWNED = select(tasks).where(_IT, tasks.c.owner == bindparam("its_owner"))
NEWER = select(tasks).where(_IT, tasks.c.version > bindparam("its_version"))
ABANDONED = (
    select(tasks)
    .where(tasks.c.running_until < bindparam("now", type_=Moment))
    .limit(MOST_ABANDONED)
)

HAS_ENDED = (
    tasks.c.status["state"]
    .as_string()
    .in_([*(TaskState.Name(state) for state in TERMINAL), *_OLD_TERMINAL])
)
_ITS = update(tasks).where(_IT, tasks.c.owner == bindparam("its_owner"), ~HAS_ENDED)
_COUNTED = {"version": tasks.c.version + 1}
_AS_READ = tasks.c.version == bindparam("its_version")
UPDATE = _ITS.where(_AS_READ).values(_COUNTED).returning(tasks.c.version)
"""Of the columns that it is given; nothing where another has written since, or the task has ended."""
CANCEL = _ITS.values(
    {
        **_COUNTED,
        "artifacts": case(
            (_AS_READ, bindparam("its_artifacts", type_=JSON)), else_=tasks.c.artifacts
        ),
    }
).returning(tasks.c.version)
"""Whatever was written since: what came before the cancellation is kept."""
CLAIM = _ITS.where(
    or_(tasks.c.running_until.is_(None), tasks.c.running_until < bindparam("now", type_=Moment))
).returning(tasks.c.version)
RELEASE = update(tasks).where(_IT, _AS_READ).values({"instance": None, "running_until": None})


def status_columns(task: Task, instance: str) -> dict[str, Any]:
    """What changes with each change of the status."""
    running = task.status.state in RUNNING
    return {
        "last_updated": task.status.timestamp.ToDatetime(),
        "status": MessageToDict(task.status),
        "history": as_dicts(task.history),
        "metadata": MessageToDict(task.metadata) if task.metadata.fields else None,
        "protocol_version": "1.0",
        "instance": instance if running else None,
        "running_until": datetime.now(UTC) + LEASE if running else None,
    }


def all_columns(task: Task, instance: str, owner: str) -> dict[str, Any]:
    """A new row."""
    named = {"id": task.id, "context_id": task.context_id, "kind": "task", "owner": owner}
    artifacts = {"artifacts": as_dicts(task.artifacts), "version": 1}
    return {**named, **status_columns(task, instance), **artifacts}


def as_dicts(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Protobuf messages as they are stored."""
    return [MessageToDict(message) for message in messages]


def as_model(row: Mapping[str, Any]) -> TaskModel:
    """A row as the SDK's conversions know it."""
    ours = ("version", "instance", "running_until")
    values = {_COLUMNS.get(name, name): row[name] for name in row if name not in ours}
    return TaskModel(**values)
