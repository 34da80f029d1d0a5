"""Runs of jobs as rows; the database sees to it that a job runs once at a time."""

import uuid
from datetime import UTC, datetime, timedelta

from sqlalchemy import insert, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from .storable import storable
from .tables import job_runs


async def start_run(engine: AsyncEngine, job: str, seconds: float) -> str | None:
    """The id of a new run; None while another run of the job is on.

    After `seconds` without an end, a run counts as lost and is in nobody's way.
    """
    now = datetime.now(UTC)
    run_id = str(uuid.uuid4())
    unfinished = (job_runs.c.job == job) & job_runs.c.finished_at.is_(None)
    lost = update(job_runs).where(unfinished, job_runs.c.until < now)
    until = now + timedelta(seconds=seconds)
    try:
        async with engine.begin() as connection:
            await connection.execute(lost.values(finished_at=now, error="lost"))
            await connection.execute(
                insert(job_runs).values(id=run_id, job=job, started_at=now, until=until)
            )
    except IntegrityError:
        return None
    return run_id


async def end_run(
    engine: AsyncEngine, run_id: str, *, result: str | None = None, error: str | None = None
) -> None:
    """What a run came to: one line of its own, or the class of an error with its reference."""
    ended = update(job_runs).where(job_runs.c.id == run_id)
    said = storable({"result": result, "error": error})
    async with engine.begin() as connection:
        await connection.execute(ended.values(finished_at=datetime.now(UTC), **said))
