"""Where the news of tasks are sent, and how far each webhook has got."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from a2a.server.context import ServerCallContext
from a2a.server.owner_resolver import resolve_user_scope
from a2a.server.tasks import PushNotificationConfigStore
from a2a.server.tasks.push_notification_config_store import normalize_push_notification_config
from a2a.types import TaskPushNotificationConfig
from a2a.utils.errors import InvalidParamsError
from google.protobuf.json_format import MessageToJson, Parse
from sqlalchemy import Connection, bindparam, delete, exists, func, or_, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncEngine

from .engine import transaction
from .storable import LONGEST_KEY, is_key
from .tables import Moment, push_configs, tasks

MOST_CONFIGS = 10
"""Of one task."""
CLAIM = timedelta(seconds=30)
"""For one delivery; if its instance dies meanwhile, another tries after this."""
KEPT = timedelta(days=7)
"""After the last change of the task."""
LONGEST_SECRET = 4096
SECRET = r"([\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?)?"

ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(hashtext(:task))")
"""Of one task, so that those who count do not pass each other."""

_ITS = (
    push_configs.c.task_id == bindparam("its_task"),
    push_configs.c.config_id == bindparam("its_config"),
    push_configs.c.next_at == bindparam("its_next", type_=Moment),
)
_NEWS = tasks.c.version > push_configs.c.sent_version
_JOINED = push_configs.join(tasks, tasks.c.id == push_configs.c.task_id)
_DUE = (
    select(push_configs)
    .select_from(_JOINED)
    .where(push_configs.c.next_at <= bindparam("now", type_=Moment), _NEWS)
    .order_by(push_configs.c.next_at)
)
_AWAITED = select(
    exists()
    .select_from(_JOINED)
    .where(push_configs.c.next_at.is_not(None), or_(_NEWS, tasks.c.running_until.is_not(None)))
)


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """One claimed webhook that has not got the newest version of its task."""

    config: TaskPushNotificationConfig
    dialect: str
    sent_version: int
    attempts: int
    claimed_until: datetime


class PushConfigs(PushNotificationConfigStore):
    """The SDK's store of webhooks, and the outbox of what they have not got yet."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        insert = (postgresql if engine.dialect.name == "postgresql" else sqlite).insert(
            push_configs
        )
        names = [column.name for column in push_configs.columns if not column.primary_key]
        self._upsert = insert.on_conflict_do_update(
            index_elements=["task_id", "config_id"],
            set_={name: insert.excluded[name] for name in names},
            where=push_configs.c.owner == insert.excluded.owner,
        )

    async def set_info(
        self,
        task_id: str,
        notification_config: TaskPushNotificationConfig,
        context: ServerCallContext,
    ) -> TaskPushNotificationConfig:
        """Keep a webhook; it is told at once how the task stands."""
        config = normalize_push_notification_config(task_id, notification_config)
        if not is_key(config.id):
            raise InvalidParamsError(
                f"The id of a push config must be at most {LONGEST_KEY} printable characters."
            )
        _check_secrets(config)
        row = {
            "task_id": task_id,
            "config_id": config.id,
            "owner": resolve_user_scope(context),
            "dialect": _dialect(context),
            "config": MessageToJson(config),
            "sent_version": 0,
            "attempts": 0,
            "next_at": datetime.now(UTC),
        }
        others = select(func.count()).where(
            push_configs.c.task_id == task_id, push_configs.c.config_id != config.id
        )

        def write(connection: Connection) -> None:
            if connection.dialect.name == "postgresql":  # SQLite has one writer anyway
                connection.execute(ONE_AT_A_TIME, {"task": task_id})
            if (connection.scalar(others) or 0) >= MOST_CONFIGS:
                raise InvalidParamsError(f"A task has at most {MOST_CONFIGS} push configs.")
            connection.execute(self._upsert, row)

        await transaction(self._engine, write)
        return config

    async def get_info(
        self, task_id: str, context: ServerCallContext
    ) -> list[TaskPushNotificationConfig]:
        """The webhooks that the caller has set for a task."""
        owner = resolve_user_scope(context)
        return await self._configs(push_configs.c.task_id == task_id, push_configs.c.owner == owner)

    async def get_info_for_dispatch(self, task_id: str) -> list[TaskPushNotificationConfig]:
        """All webhooks of a task."""
        return await self._configs(push_configs.c.task_id == task_id)

    async def delete_info(
        self, task_id: str, context: ServerCallContext, config_id: str | None = None
    ) -> None:
        """Forget one webhook of the caller, or all that it has set for a task."""
        if config_id and not is_key(config_id):
            return
        owned = (push_configs.c.task_id == task_id) & (
            push_configs.c.owner == resolve_user_scope(context)
        )
        which = owned & (push_configs.c.config_id == config_id) if config_id else owned
        await transaction(
            self._engine, lambda c: c.execute(delete(push_configs).where(which)).close()
        )

    async def claim_due(self, limit: int) -> Sequence[Delivery]:
        """What is to be delivered now, and no other instance delivers; the longest due first."""
        now = datetime.now(UTC)
        claim = update(push_configs).where(*_ITS).values(next_at=now + CLAIM)

        def work(connection: Connection) -> list[Delivery]:
            rows = connection.execute(_DUE.limit(limit), {"now": now}).mappings().all()
            return [
                _delivery(row, now + CLAIM)
                for row in rows
                if connection.execute(
                    claim, _its(row["task_id"], row["config_id"], row["next_at"])
                ).rowcount
            ]

        return await transaction(self._engine, work)

    async def settle(
        self, delivery: Delivery, *, sent_version: int, attempts: int, next_at: datetime | None
    ) -> None:
        """Write what came of a delivery, where the webhook was not set anew meanwhile."""
        config = delivery.config
        its = _its(config.task_id, config.id, delivery.claimed_until)
        settled = (
            update(push_configs)
            .where(*_ITS)
            .values(sent_version=sent_version, attempts=attempts, next_at=next_at)
        )
        await transaction(self._engine, lambda c: c.execute(settled, its).close())

    async def awaited(self) -> bool:
        """Whether some webhook waits for news that are there or may come any moment."""
        return bool(await transaction(self._engine, lambda c: c.scalar(_AWAITED)))

    async def forget_old(self) -> None:
        """Delete the webhooks of tasks that have rested for long."""
        before = (datetime.now(UTC) - KEPT).replace(tzinfo=None)
        old = select(tasks.c.id).where(tasks.c.last_updated < before)
        forgotten = delete(push_configs).where(push_configs.c.task_id.in_(old))
        await transaction(self._engine, lambda connection: connection.execute(forgotten).close())

    async def _configs(self, *which: Any) -> list[TaskPushNotificationConfig]:
        query = select(push_configs.c.config).where(*which).order_by(push_configs.c.config_id)
        texts = await transaction(self._engine, lambda c: c.scalars(query).all())
        return [Parse(text, TaskPushNotificationConfig()) for text in texts]


def _its(task_id: str, config_id: str, next_at: datetime) -> dict[str, Any]:
    return {"its_task": task_id, "its_config": config_id, "its_next": next_at}


def _delivery(row: Any, claimed_until: datetime) -> Delivery:
    return Delivery(
        config=Parse(row["config"], TaskPushNotificationConfig()),
        dialect=row["dialect"],
        sent_version=row["sent_version"],
        attempts=row["attempts"],
        claimed_until=claimed_until,
    )


def _dialect(context: ServerCallContext) -> str:
    """What the registrant speaks: without a version it is 0.3, whatever the binding."""
    version = context.state.get("headers", {}).get("a2a-version", "")
    return "1.0" if version.startswith("1") else "0.3"


def _check_secrets(config: TaskPushNotificationConfig) -> None:
    secrets = {
        "token": config.token,
        "authentication.scheme": config.authentication.scheme,
        "authentication.credentials": config.authentication.credentials,
    }
    for name, value in secrets.items():
        if len(value) > LONGEST_SECRET or not re.fullmatch(SECRET, value):
            raise InvalidParamsError(f"The {name} of a push config must fit into a header.")
