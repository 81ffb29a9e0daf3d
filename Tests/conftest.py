"""The program and the databases of all Python tests."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import psycopg.conninfo
import pytest

from server import rows_of

# The beginnings of variables that a process of a test does not have.
OF_THE_USER = ("PG", "GAMEBASE_INGEST_", "TEST_")
# The options and the server of numbered random runs.
pytest_plugins = ["random_runs"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--case", default="", help="only the cases with this text in the name of their file or their own")
    parser.addoption("--nights", type=int, default=30, help="the number of quiet nights")
    parser.addoption("--sample", type=int, metavar="N", help="try N mutants or faults, the same for the same seed")
    parser.addoption("--quick", action="store_true", help="fewer repetitions of the faults, with less data")
    parser.addoption("--only", action="append", default=[], metavar="NAME",
                     help="try only mutants whose names begin so, such as ingest. (repeatable)")
    parser.addoption("--results", type=Path, metavar="FILE",
                     help="keep the noticed mutants in this file, and skip them")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    text = config.getoption("--case")
    items[:] = [item for item in items if text in item.name]


class Database:
    """A database of the server that TEST_DATABASE names."""

    def __init__(self, name: str, template: str = "template0") -> None:
        self.name = name
        self.conninfo = psycopg.conninfo.make_conninfo(os.environ["TEST_DATABASE"], dbname=name)
        # The variables of libpq that name this database.
        self.variables = {option.envvar.decode(): option.val.decode() for option in psycopg.pq.Conninfo.parse(
            self.conninfo.encode()) if option.val and option.envvar}
        # The environment of a process that works on this database, without the user's own settings.
        self.environment = self.variables | {
            name: value for name, value in os.environ.items() if not name.startswith(OF_THE_USER)}
        self.drop()
        asked(os.environ["TEST_DATABASE"], f'create database "{name}" template "{template}" strategy file_copy')

    def drop(self) -> None:
        asked(os.environ["TEST_DATABASE"], f'drop database if exists "{self.name}" with (force)')

    def ask(self, sql: str) -> list[list[str]]:
        return asked(self.conninfo, sql)


def asked(conninfo: str, sql: str) -> list[list[str]]:
    """The rows of all statements, as PostgreSQL prints their values in UTC; null is \\N."""
    with psycopg.connect(conninfo, autocommit=True, options="-c timezone=UTC") as connection:
        return rows_of(connection, sql)


@pytest.fixture(scope="session")
def program() -> Path:
    return Path(os.environ["TEST_PROGRAM"]).resolve()


@pytest.fixture(scope="session")
def template(program: Path) -> Iterator[Database]:
    """A migrated database, which no connection uses any more. Each worker has its own, of TEST_TEMPLATE or new."""
    name = f"cases_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
    template = Database(name, os.environ.get("TEST_TEMPLATE", "template0"))
    subprocess.run([program, "migrate"], env=template.environment, check=True, capture_output=True)
    yield template
    template.drop()


@pytest.fixture
def database(template: Database) -> Iterator[Database]:
    """A copy of the migrated database for one test."""
    database = Database(f"{template.name}_copy", template.name)
    yield database
    database.drop()
