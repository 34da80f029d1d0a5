"""What stands behind a claim."""

import hashlib
import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, computed_field


class Source(BaseModel):
    """Where a number comes from, precise enough to run again."""

    model_config = ConfigDict(frozen=True)

    table: str
    column: str
    function: str
    """Dotted name of the domain function, for example `claims.open_claims`."""
    args: dict[str, Any]
    """The arguments it was called with."""


class Citation(BaseModel):
    """The evidence for one claim."""

    # `citations.py` fills it and may derive from it. Docstrings of models go out in schemas.

    model_config = ConfigDict(frozen=True, extra="allow")

    study: str
    """Title of the dataset."""
    url: str
    """Where a reader finds the dataset."""
    period: str
    """The time that the observations cover, for example `2007/2009`."""
    fielded: str | None = None
    """How and by whom the data was collected, where that is known."""
    base: int = Field(ge=0)
    """How many observations the claim rests on."""
    weight: str = "unweighted"
    """Name of the weighting, or `unweighted`."""
    source: Source
    fingerprint: str
    """Digest of the dataset that was read, for example `sha256:9f0c…`."""

    @computed_field  # type: ignore[prop-decorator]  # pydantic wants the property outside
    @property
    def id(self) -> str:
        """Stable name of this evidence: same dataset, same call, same id."""
        what = json.dumps([self.fingerprint, self.source.model_dump()], sort_keys=True)
        return "cite-" + hashlib.sha256(what.encode()).hexdigest()[:12]

    def as_line(self) -> str:
        """The citation as one line of text, for readers that show nothing else."""
        return (
            f"Source: {self.study}, {self.period}; base n={self.base}, {self.weight}; "
            f"{self.source.table}.{self.source.column} [{self.id}]"
        )
