"""Keeps query strings, which may hold what is secret, out of uvicorn's access log."""

import logging

PATH = 2
"""Place of the address among the arguments of an access record."""


def without_query(record: logging.LogRecord) -> bool:
    """A filter that lets every record pass, its address cut at the question mark."""
    args = record.args
    if isinstance(args, tuple) and len(args) > PATH:
        path = str(args[PATH]).partition("?")[0]
        record.args = (*args[:PATH], path, *args[PATH + 1 :])
    return True
