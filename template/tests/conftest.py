"""Fixtures that many tests share: the served agent, and an empty database of each kind."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.postgres import own_server
from tests.serving import Agent, serving

NO_POSTGRES = "no Postgres: install it, or set TEST_DATABASE_URL to a server that may be filled"


@pytest.fixture(scope="session")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    database = tmp_path_factory.mktemp("data") / "agent.db"
    with serving(f"sqlite:///{database}") as served:
        served.wait_until_ready()
        yield served


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/agent.db"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """An empty database on the Postgres server of the tests."""
    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return urlsplit(postgres_server)._replace(path=f"/{name}").geturl()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """TEST_DATABASE_URL, else a server of our own from the `postgres` that is installed."""
    if url := os.environ.get("TEST_DATABASE_URL"):
        yield url
        return
    with own_server() as url:
        if url is None and os.environ.get("REQUIRE_POSTGRES"):
            pytest.fail(NO_POSTGRES)
        if url is None:
            pytest.skip(NO_POSTGRES)
        yield url
