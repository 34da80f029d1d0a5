"""Who the agent is, and the names that follow from it."""

from dataclasses import dataclass

EXTENSIONS = ("refusals/v1", "data-source/v1", "invoke/v1")
"""The agent's own extensions of A2A, by their names within its namespace."""


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Who the agent is; the card, the citations and the prompt all read it from here."""

    name: str
    """The slug, for example `my-agent`; it is the namespace of the agent's URNs."""
    title: str
    description: str
    version: str
    organization: str
    organization_url: str
    study: str
    """The dataset that the agent's claims rest on."""
    universe: str
    """The population that the dataset describes, in words."""

    @property
    def citations_media_type(self) -> str:
        """Of the part that carries evidence."""
        return f"application/vnd.{self.name}.citations+json"

    @property
    def refusal_media_type(self) -> str:
        """Of the part that carries a refusal."""
        return f"application/vnd.{self.name}.refusal+json"

    def urn(self, extension: str) -> str:
        """The URI of one of the agent's own card extensions, for example `refusals/v1`."""
        return f"urn:{self.name}:{extension}"
