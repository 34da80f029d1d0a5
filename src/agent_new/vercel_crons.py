"""The schedules in `vercel.json`, as `python -m <agent>.surfaces.cron` writes them."""

from __future__ import annotations

import json

from .errors import AgentNewError

FILE = "vercel.json"


def with_cron(text: str, job: str, schedule: str) -> str:
    """With the job as the last entry; what else stands there stays."""
    try:
        settings = json.loads(text)
    except ValueError as error:
        raise AgentNewError(
            f"{FILE} is no JSON: {error}. Mend it, then try again. Nothing was written."
        ) from error
    crons = settings.get("crons", []) if isinstance(settings, dict) else None
    if not isinstance(crons, list):
        raise AgentNewError(
            f"{FILE} must be an object whose `crons` is a list. Mend it, then try again. "
            "Nothing was written."
        )
    path = f"/api/cron/{job}"
    others = [cron for cron in crons if not isinstance(cron, dict) or cron.get("path") != path]
    settings["crons"] = [*others, {"path": path, "schedule": schedule}]
    return json.dumps(settings, indent=2) + "\n"
