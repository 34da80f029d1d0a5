"""YOURS: what the scheduler starts. One file is one function and one job; all bear the same name.

After a change, `crons` of the command brings `vercel.json` up to date.
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
