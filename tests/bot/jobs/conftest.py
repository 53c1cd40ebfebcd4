"""Every test of the jobs runs on SQLite and, where its server is installed, on PostgreSQL."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.bench.postgres import Cluster, cluster, programs
from bot.jobs import Inbox
from bot.settings import ProcessSettings


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A server for the whole session."""
    binaries = programs()
    if binaries is None:
        assert not os.environ.get("CI"), "CI has to have PostgreSQL's initdb and pg_ctl"
        pytest.skip("no initdb and pg_ctl on this machine")
    with cluster() as running:
        yield running


@pytest.fixture(scope="session")
def prepared(postgres: Cluster) -> str:
    """The name of a database with empty tables, to be copied: making them takes longer than most tests."""
    url = postgres.database()
    Inbox(ProcessSettings(database_url=url)).close()
    return postgres.name(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> ProcessSettings:
    """Settings with an empty database of each kind."""
    url = None
    if request.param == "postgresql":
        like = request.getfixturevalue("prepared")
        url = request.getfixturevalue("postgres").database(like)
    return ProcessSettings(state_dir=tmp_path, database_url=url, workers=2)


@pytest.fixture
def inbox(settings: ProcessSettings) -> Iterator[Inbox]:
    """The inbox of that database."""
    box = Inbox(settings)
    yield box
    box.close()
