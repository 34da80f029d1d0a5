"""YOURS: settings of your tools and data, read from the environment (and so from `.env`)."""

from pydantic_settings import BaseSettings, SettingsConfigDict


class OwnSettings(BaseSettings):
    """Add a field for each setting; its name in upper case is the environment variable."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore")
