"""Cron: the scheduler starts a job by GET."""
