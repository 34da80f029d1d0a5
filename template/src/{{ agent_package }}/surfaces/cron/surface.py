"""Cron as the app knows it."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager

from starlette.types import ASGIApp

from ...agent.services import Services
from ...contracts import Identity
from ...contracts.job import Job
from ...settings import Settings
from ..surface import Surface, SurfaceRoute

PREFIX = "/api/cron"


def crons(jobs: Mapping[str, Job]) -> list[dict[str, str]]:
    """What the scheduler of the platform must know, as `vercel.json` has it."""
    return [{"path": f"{PREFIX}/{name}", "schedule": job.schedule} for name, job in jobs.items()]


def _load(
    services: Services, identity: Identity, settings: Settings
) -> AbstractAsyncContextManager[ASGIApp]:
    from .endpoint import cron_endpoint

    return cron_endpoint(services)


CRON = Surface(
    routes=(SurfaceRoute(path=f"{PREFIX}/{{job}}", methods=("GET",), entry="cron"),), load=_load
)
