"""Runs a job, once at a time, and tells the scheduler what came of it."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ...agent.failure import Failure
from ...agent.run_agent import run_agent
from ...agent.services import Services
from ...contracts import Caller, Reply, SkillCall, Turn
from ...contracts.job import Job, JobContext
from ...jobs import JOBS
from ...persistence.job_runs import end_run, start_run


@asynccontextmanager
async def cron_endpoint(
    services: Services, jobs: Mapping[str, Job] = JOBS
) -> AsyncIterator[ASGIApp]:
    """The endpoint of all jobs while it is open."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        job = jobs.get(Request(scope).path_params["job"])
        if job:
            response = await _run(job, services)
        else:
            response = JSONResponse({"error": f"There are: {', '.join(jobs) or 'no jobs'}."}, 404)
        await response(scope, receive, send)

    yield app


async def _run(job: Job, services: Services) -> JSONResponse:
    said = {"job": job.name}
    try:
        run_id = await start_run(services.engine, job.name, services.limits.seconds + 5)
    except Exception as error:  # whatever the driver raises
        return JSONResponse({**said, "status": "failed", "error": str(Failure(error))}, 503)
    if run_id is None:
        return JSONResponse({**said, "status": "skipped", "error": "It is running already."}, 409)
    try:
        async with asyncio.timeout(services.limits.seconds):
            result = await job.function(_context(job, services))
    except asyncio.CancelledError as error:
        await asyncio.shield(_ended(services, run_id, error=type(error).__name__))
        raise
    except Exception as error:
        failure = Failure.of(error)
        await _ended(services, run_id, error=failure.as_logged())
        return JSONResponse({**said, "run": run_id, "status": "failed", "error": str(failure)}, 500)
    await _ended(services, run_id, result=result)
    return JSONResponse({**said, "run": run_id, "status": "done", "result": result})


async def _ended(services: Services, run_id: str, **what: str) -> None:
    try:
        await end_run(services.engine, run_id, **what)
    except Exception as error:  # the run came to what it came to; its row counts as lost later
        Failure(error)


def _context(job: Job, services: Services) -> JobContext:
    caller = Caller(issuer="cron", subject=job.name, kind="local")
    context_id = str(uuid.uuid4())

    async def run(**what: Any) -> Reply:
        turn = Turn(surface="cron", caller=caller, context_id=context_id, **what)
        return await run_agent(turn, services)

    return JobContext(
        skills=services.catalog,
        ask=lambda text: run(text=text),
        call=lambda skill, args: run(call=SkillCall(skill=skill, args=args)),
    )
