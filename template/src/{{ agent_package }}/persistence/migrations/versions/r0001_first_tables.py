"""Conversations, their messages, runs of jobs, and the tasks of A2A."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision = None

Json = sa.JSON().with_variant(JSONB(), "postgresql")


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "conversations",
        sa.Column("owner", sa.Text, primary_key=True),
        sa.Column("context_id", sa.Text, primary_key=True),
        sa.Column("surface", sa.String(8), nullable=False),
        sa.Column("user_id", sa.Text),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("turn_id", sa.String(36)),
        sa.Column("turn_until", sa.DateTime(timezone=True)),
    )
    op.create_index("conversations_by_user", "conversations", ["user_id", sa.text("last_at DESC")])
    op.create_table(
        "chat_messages",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("context_id", sa.Text, nullable=False),
        sa.Column("role", sa.String(9), nullable=False),
        sa.Column("text", sa.Text),
        sa.Column("tool_name", sa.Text),
        sa.Column("tool_args", Json),
        sa.Column("tool_output", Json),
        sa.Column("tool_citation", Json),
        sa.Column("refusal_rule", sa.Text),
        sa.Column("error", sa.Text),
        sa.Column("user_id", sa.Text),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner", "context_id"], ["conversations.owner", "conversations.context_id"]
        ),
    )
    op.create_index(
        "chat_messages_by_conversation", "chat_messages", ["owner", "context_id", "created_at"]
    )
    op.create_table(
        "job_runs",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("job", sa.Text, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True)),
        sa.Column("result", sa.Text),
        sa.Column("error", sa.Text),
    )
    op.create_index("job_runs_by_start", "job_runs", ["job", "started_at"])
    running = sa.text("finished_at IS NULL")
    op.create_index(
        "job_runs_one_at_a_time",
        "job_runs",
        ["job"],
        unique=True,
        sqlite_where=running,
        postgresql_where=running,
    )
    # The columns of a2a-sdk 1.3; ids are TEXT, since callers choose their context ids.
    op.create_table(
        "tasks",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("context_id", sa.Text, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("owner", sa.Text),
        sa.Column("last_updated", sa.DateTime),
        sa.Column("status", sa.JSON, nullable=False),
        sa.Column("artifacts", sa.JSON),
        sa.Column("history", sa.JSON),
        sa.Column("protocol_version", sa.String(16)),
        sa.Column("metadata", sa.JSON),
    )
    op.create_index("tasks_by_owner", "tasks", ["owner", "last_updated"])
    op.create_index("tasks_by_context", "tasks", ["owner", "context_id"])


def downgrade() -> None:
    """Drop the first tables, and everything in them."""
    for table in ("tasks", "job_runs", "chat_messages", "conversations"):
        op.drop_table(table)
