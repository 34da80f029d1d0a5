"""YOURS: what the scheduler starts. One file is one function and one job; all bear the same name.

After a change of a schedule, `python -m <agent>.surfaces.cron` brings `vercel.json` up to date.
"""

from . import (
    check_skills,
)

JOBS = {
    job.name: job
    for job in [
        check_skills.JOB,
    ]
}
