"""`uv run python -m <agent>.surfaces.cron` writes the schedules of the jobs into `vercel.json`."""

import json
from pathlib import Path

from ...jobs import JOBS
from .surface import crons

FILE = Path("vercel.json")

configured = json.loads(FILE.read_text(encoding="utf-8")) | {"crons": crons(JOBS)}
FILE.write_text(json.dumps(configured, indent=2) + "\n", encoding="utf-8")
