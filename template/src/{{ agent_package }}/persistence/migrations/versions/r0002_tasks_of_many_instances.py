"""What several instances must know of a task, and where its news are sent."""

from datetime import datetime

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

WORKING = ("TASK_STATE_SUBMITTED", "TASK_STATE_WORKING")


def upgrade() -> None:
    """Add the columns and the table."""
    # Counts the writes; who writes says which one it read.
    version = sa.Column("version", sa.BigInteger, nullable=False, server_default="1")
    op.add_column("tasks", version)
    # While the task runs: which instance runs it, and until when it has said so.
    op.add_column("tasks", sa.Column("instance", sa.String(36)))
    op.add_column("tasks", sa.Column("running_until", sa.DateTime(timezone=True)))
    # Those that still work are of instances that are gone: the agent ends them when it starts.
    tasks = sa.table("tasks", sa.column("status", sa.JSON), sa.column("running_until", sa.DateTime))
    works = tasks.c.status["state"].as_string().in_(WORKING)
    op.execute(sa.update(tasks).where(works).values(running_until=datetime(2000, 1, 1)))
    running = sa.text("running_until IS NOT NULL")
    op.create_index(
        "tasks_running",
        "tasks",
        ["running_until"],
        sqlite_where=running,
        postgresql_where=running,
    )
    op.create_table(
        "push_configs",
        sa.Column("task_id", sa.Text, primary_key=True),
        sa.Column("config_id", sa.Text, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("dialect", sa.String(8), nullable=False),
        sa.Column("config", sa.Text, nullable=False),
        # What was delivered, and when to try next; NULL when there is nothing more to deliver.
        sa.Column("sent_version", sa.BigInteger, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True)),
    )
    due = sa.text("next_at IS NOT NULL")
    op.create_index(
        "push_configs_due",
        "push_configs",
        ["next_at"],
        sqlite_where=due,
        postgresql_where=due,
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("push_configs")
    op.drop_index("tasks_running", "tasks")
    for column in ("running_until", "instance", "version"):
        op.drop_column("tasks", column)
