"""YOURS: what is true of every citation of this dataset.

For fields of your own, derive a class from `Citation` here and build that one.
"""

from .contracts import Citation, Source
from .identity import IDENTITY


def cite(
    *,
    source: Source,
    base: int,
    period: str,
    url: str,
    fingerprint: str,
    fielded: str | None = None,
) -> Citation:
    """The evidence for one claim; `base` counts the observations behind it."""
    return Citation(
        study=IDENTITY.study,
        url=url,
        period=period,
        fielded=fielded,
        base=base,
        source=source,
        fingerprint=fingerprint,
    )
