"""The tables of the chat log; a migration and this module say the same."""

from sqlalchemy import (
    JSON,
    Column,
    DateTime,
    ForeignKeyConstraint,
    Index,
    MetaData,
    String,
    Table,
    Text,
    desc,
)
from sqlalchemy.dialects.postgresql import JSONB

metadata = MetaData()
Json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")

conversations = Table(
    "conversations",
    metadata,
    Column("owner", Text, primary_key=True),
    Column("context_id", Text, primary_key=True),
    Column("surface", String(8), nullable=False),
    Column("user_id", Text),
    Column("started_at", DateTime(timezone=True), nullable=False),
    Column("last_at", DateTime(timezone=True), nullable=False),
    # One turn at a time: who has the conversation, and until when at the latest.
    Column("turn_id", String(36)),
    Column("turn_until", DateTime(timezone=True)),
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
    Column("created_at", DateTime(timezone=True), nullable=False),
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
    Column("started_at", DateTime(timezone=True), nullable=False),
    Column("until", DateTime(timezone=True), nullable=False),
    Column("finished_at", DateTime(timezone=True)),
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
