"""Every setting of the template, read once from the environment or `.env`."""

import os
import re
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from dotenv import load_dotenv
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import NoDecode, SettingsConfigDict

from .auth_settings import DEVELOPMENT_ISSUER, LOOPBACK_NAMES, AuthSettings
from .contracts.identity import EXTENSIONS

PLATFORM_MARKERS = ("VERCEL", "K_SERVICE", "FLY_APP_NAME", "RENDER", "RAILWAY_ENVIRONMENT_NAME")
"""Variables that a hosting platform sets; where one is there, this is production."""

DEFAULT_DATABASE_URL = "sqlite:///./.data/agent.db"
DATABASES = ("sqlite", "postgres", "postgresql")


class ConfigurationError(Exception):
    """The settings do not allow a start; the message names each setting and the way out."""


class Settings(AuthSettings):
    """The environment variable of each field is its name in upper case."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, extra="ignore")

    app_env: Literal["development", "production"] = Field(
        default_factory=lambda: (
            "production" if any(os.environ.get(m) for m in PLATFORM_MARKERS) else "development"
        )
    )
    public_base_url: str = ""
    """The address that callers use, for example `https://agent.example.com`."""
    vercel_project_production_url: str = ""
    """Set by Vercel, without a scheme; used where `public_base_url` is empty."""
    vercel_url: str = ""
    vercel_branch_url: str = ""
    """Set by Vercel: the addresses of a preview, which are ours too."""
    card_signing_keys: SecretStr = SecretStr("")
    """Private keys as PEM, one after the other; the first signs the card, all are published."""
    required_extensions: Annotated[tuple[str, ...], NoDecode] = ()
    """Extensions that callers must know, by the names that they have on the card."""
    database_url: str = DEFAULT_DATABASE_URL
    """SQLite or Postgres, as a provider writes it."""
    database_url_unpooled: str = ""
    """The direct address where `database_url` goes through a pooler; the command migrates by it."""
    agent_model: str = ""
    """A pydantic-ai model name, for example `openai:gpt-5.2`; empty means the offline model."""
    agent_tool_model: str = ""
    """The model that tools may ask; empty means `agent_model`."""
    model_request_limit: int = Field(default=20, gt=0)
    model_token_limit: int = Field(default=200_000, gt=0)
    """Requests and tokens that one turn may use."""
    history_tokens: int = Field(default=8_000, ge=0)
    """How much of a conversation the model is shown again, about."""
    time_limit_seconds: float = Field(default=60, gt=0)
    """A turn that takes longer fails; keep it below the limit of your platform."""
    push_notifications: bool = True
    """Whether callers may have webhooks told how their tasks stand."""
    push_allow_private: bool = False
    """Webhooks on this machine or in its network, for trials in development."""
    shutdown_seconds: float = Field(default=10, gt=0)
    """What running turns and open streams may take to end when the process is told to stop."""
    max_body_bytes: int = Field(default=4 * 1024 * 1024, gt=0)
    """A request body above this is answered with 413."""

    @field_validator("public_base_url")
    @classmethod
    def _without_trailing_slash(cls, value: str) -> str:
        if value and not _is_base_url(value):
            raise ValueError(
                "write an address without a query, for example https://agent.example.com"
            )
        return value.rstrip("/")

    @field_validator("required_extensions", mode="before")
    @classmethod
    def _known_extensions(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        names = tuple(name.strip() for name in value.split(",") if name.strip())
        if unknown := [name for name in names if name not in EXTENSIONS]:
            raise ValueError(f"{unknown[0]!r} is none of {', '.join(EXTENSIONS)}")
        return names

    @field_validator("database_url", "database_url_unpooled")
    @classmethod
    def _a_database_that_is_served(cls, value: str) -> str:
        kind = value.partition(":")[0].partition("+")[0]
        if value and kind not in DATABASES:
            raise ValueError(
                f"it names {kind!r}; write sqlite:///./.data/agent.db or "
                "postgresql://user:password@host/database"
            )
        try:
            urlsplit(value).port  # noqa: B018  # it is read on access
        except ValueError:
            raise ValueError(
                "it cannot be read as an address; in a password, write @ : / as %40 %3A %2F"
            ) from None
        return value

    @model_validator(mode="after")
    def _development_stays_at_home(self) -> Self:
        issuer = self.auth_issuer
        if self.app_env == "production" and (
            issuer == DEVELOPMENT_ISSUER or issuer.startswith("http:")
        ):
            raise ValueError(
                f"production cannot have AUTH_ISSUER={issuer}, whose tokens anybody on one "
                "machine can make. Name the issuer of your callers"
            )
        return self

    @model_validator(mode="after")
    def _production_tells_public_hosts(self) -> Self:
        if self.app_env == "production" and self.push_allow_private:
            raise ValueError(
                "production cannot have PUSH_ALLOW_PRIVATE: callers could reach into its network"
            )
        return self

    @model_validator(mode="after")
    def _production_is_closed_and_durable(self) -> Self:
        if self.app_env == "production":
            missing = [
                f"{name} ({why})"
                for name, value, why in (
                    ("AUTH_ISSUER", self.auth_issuer, "who signs the tokens of your callers"),
                    (
                        "DATABASE_URL",
                        self._is_durable,
                        "where conversations are kept; a local file is lost with the machine",
                    ),
                )
                if not value
            ]
            if missing:
                raise ValueError(
                    "production needs "
                    + " and ".join(missing)
                    + ". Set them, or APP_ENV=development to run on your own machine"
                )
        return self

    @property
    def base_url(self) -> str:
        """The public address without a trailing slash; empty where none is configured."""
        if self.public_base_url or not self.vercel_project_production_url:
            return self.public_base_url
        return f"https://{self.vercel_project_production_url}"

    @property
    def _is_durable(self) -> bool:
        kind, _, file = self.database_url.partition(":///")
        if not kind.startswith("sqlite"):
            return True
        default = DEFAULT_DATABASE_URL.partition(":///")[2]
        return file not in {"", ":memory:"} and Path(file).resolve() != Path(default).resolve()

    @property
    def own_hosts(self) -> frozenset[str]:
        """The names by which callers may address this process."""
        platform = (
            self.vercel_project_production_url,
            self.vercel_url,
            self.vercel_branch_url,
        )
        urls = (self.base_url, *(f"https://{host}" for host in platform))
        local = LOOPBACK_NAMES if self.app_env == "development" else ()
        return frozenset(name for url in urls if (name := urlsplit(url).hostname)) | {*local}

    @property
    def audience(self) -> str:
        """What `aud` must name; empty where nothing says it."""
        return self.auth_audience or self.base_url

    @property
    def development_tokens(self) -> bool:
        """Tokens are those of this machine."""
        return self.auth_issuer == DEVELOPMENT_ISSUER

    @property
    def tokens_are_issued(self) -> bool:
        """There is an issuer with an address, where callers can get tokens."""
        return bool(self.auth_issuer) and not self.development_tokens

    @property
    def data_folder(self) -> Path:
        """Where the database file stands, and what else this machine keeps."""
        folder = Path(self.database_url.partition(":///")[2]).parent
        return folder if folder.name else Path(".data")

    @property
    def open_to_loopback(self) -> bool:
        """No tokens are asked for: development without an issuer."""
        return self.app_env == "development" and not self.auth_issuer


def _is_base_url(value: str) -> bool:
    # No user and password: the card is public.
    return (
        re.fullmatch(r"https?://([\w.-]+|\[[0-9a-f:]+\])(:\d{1,5})?(/[\w./-]*)?", value) is not None
    )


def load_settings() -> Settings:
    """The settings of this process; ConfigurationError tells every problem at once.

    What `.env` says goes to the environment, so that a model's own library finds its key there.
    """
    load_dotenv(".env")
    try:
        return Settings()
    except ValidationError as error:
        problems = [
            f"- {'.'.join(str(step) for step in e['loc']).upper() or 'settings'}: "
            + e["msg"].removeprefix("Value error, ")
            for e in error.errors(include_url=False, include_input=False)
        ]
        raise ConfigurationError("The agent cannot start:\n" + "\n".join(problems)) from None
