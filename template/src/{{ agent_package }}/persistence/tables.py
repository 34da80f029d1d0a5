"""The tables; the migrations and this module say the same."""

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    DateTime,
    Dialect,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    desc,
)
from sqlalchemy.dialects.postgresql import JSONB


class Moment(TypeDecorator[datetime]):
    """A point in time; SQLite keeps no zone, so what comes from there is given its UTC back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Only times with a zone are points in time."""
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """In UTC, whatever the session of the database prefers."""
        return value and (value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC))


metadata = MetaData()
Json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")

conversations = Table(
    "conversations",
    metadata,
    Column("owner", Text, primary_key=True),
    Column("context_id", Text, primary_key=True),
    Column("surface", String(8), nullable=False),
    Column("user_id", Text),
    Column("started_at", Moment, nullable=False),
    Column("last_at", Moment, nullable=False),
    # One turn at a time: who has the conversation, and until when at the latest.
    Column("turn_id", String(36)),
    Column("turn_until", Moment),
)
Index("conversations_by_user", conversations.c.user_id, desc(conversations.c.last_at))

chat_messages = Table(
    "chat_messages",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("owner", Text, nullable=False),
    Column("context_id", Text, nullable=False),
    Column("role", String(9), nullable=False),
    Column("text", Text),
    Column("tool_name", Text),
    Column("tool_args", Json),
    Column("tool_output", Json),
    Column("tool_citation", Json),
    Column("refusal_rule", Text),
    Column("error", Text),
    Column("user_id", Text),
    Column("created_at", Moment, nullable=False),
    ForeignKeyConstraint(
        ["owner", "context_id"], ["conversations.owner", "conversations.context_id"]
    ),
)
Index(
    "chat_messages_by_conversation",
    chat_messages.c.owner,
    chat_messages.c.context_id,
    chat_messages.c.created_at,
)

job_runs = Table(
    "job_runs",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("job", Text, nullable=False),
    Column("started_at", Moment, nullable=False),
    Column("until", Moment, nullable=False),
    Column("finished_at", Moment),
    Column("result", Text),
    Column("error", Text),
)
Index("job_runs_by_start", job_runs.c.job, job_runs.c.started_at)
_RUNNING = job_runs.c.finished_at.is_(None)
Index(
    "job_runs_one_at_a_time",
    job_runs.c.job,
    unique=True,
    sqlite_where=_RUNNING,
    postgresql_where=_RUNNING,
)

tasks = Table(
    "tasks",
    metadata,
    Column("id", Text, primary_key=True),
    Column("context_id", Text, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("owner", Text),
    Column("last_updated", DateTime),
    Column("status", JSON, nullable=False),
    Column("artifacts", JSON),
    Column("history", JSON),
    Column("protocol_version", String(16)),
    Column("metadata", JSON),
    Column("version", BigInteger, nullable=False),
    Column("instance", String(36)),
    Column("running_until", Moment),
)
"""The first ten are those of the SDK, whose own store reads them, too."""

push_configs = Table(
    "push_configs",
    metadata,
    Column("task_id", Text, primary_key=True),
    Column("config_id", Text, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("dialect", String(8), nullable=False),
    Column("config", Text, nullable=False),
    Column("sent_version", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("next_at", Moment),
)
"""The outbox of push notifications, too: a webhook has `sent_version` of its task, and is tried again
at `next_at`.
"""
