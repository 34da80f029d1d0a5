"""Cron as the app knows it."""

from collections.abc import Mapping

from ...contracts.job import Job
from ..surface import Endpoint, Opening, Surface, SurfaceRoute

PREFIX = "/api/cron"


def crons(jobs: Mapping[str, Job]) -> list[dict[str, str]]:
    """What the scheduler of the platform must know, as `vercel.json` has it."""
    return [{"path": f"{PREFIX}/{name}", "schedule": job.schedule} for name, job in jobs.items()]


def _load(opening: Opening) -> Endpoint:
    from .endpoint import cron_endpoint

    return cron_endpoint(opening.services)


CRON = Surface(
    routes=(SurfaceRoute(path=f"{PREFIX}/{{job}}", methods=("GET",), entry="cron"),), load=_load
)
