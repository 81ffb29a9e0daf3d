"""A plugin of pytest for numbered random runs: their options and their server.

A test with the argument `run_number` is repeated for each run. The seed and the number determine all random choices.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from cluster import Cluster
from server import Server, folder_of_servers

STARTED = time.monotonic()
Choice = TypeVar("Choice")


class Violated(Exception):
    """The database or the output of a command contradicts the model or the oracle."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("random runs")
    group.addoption("--seed", type=int, default=1, help="the seed of all random choices")
    group.addoption("--runs", type=int, default=60, help="the number of random runs, each on a new database")
    group.addoption("--run", type=int, metavar="N", help="only this random run")
    group.addoption("--seconds", type=float, help="start no further random run after this time")
    group.addoption("--steps", type=int, default=120, help="the greatest number of steps of a run")
    group.addoption("--cluster", type=int, metavar="SHARDS",
                    help="on a Citus cluster of three servers, whose programs must have the extension")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "run_number" in metafunc.fixturenames:
        only = metafunc.config.getoption("--run")
        numbers = range(metafunc.config.getoption("--runs")) if only is None else [only]
        seed = metafunc.config.getoption("--seed")
        metafunc.parametrize("run_number", numbers, ids=lambda number: f"seed-{seed}-run-{number}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--run") is not None:
        items[:] = [item for item in items if "run_number" in item.fixturenames]


def pytest_runtest_setup(item: pytest.Item) -> None:
    seconds = item.config.getoption("--seconds")
    # The first run starts in any case, because a budget without a run would pass.
    is_further = hasattr(item, "callspec") and item.callspec.params.get("run_number", 0) > 0
    if seconds is not None and is_further and time.monotonic() - STARTED > seconds:
        pytest.skip("the time for new runs is over")


def sampled(config: pytest.Config, choices: list[Choice], name: Callable[[Choice], str]) -> list[Choice]:
    """The choices of --sample, or all. By their digests, so a new one moves only itself into or out of a sample."""
    seed = config.getoption("--seed")
    drawn = sorted(choices, key=lambda one: hashlib.sha256(f"{seed} {name(one)}".encode()).digest())
    kept = drawn[:config.getoption("--sample")]
    return [one for one in choices if one in kept]


@pytest.fixture(scope="session")
def server(program: Path, pytestconfig: pytest.Config) -> Iterator[Server]:
    """A private server of this worker, or with --cluster a private cluster, with the migrated database `empty`."""
    with folder_of_servers("runs") as folder:
        shards = pytestconfig.getoption("--cluster")
        server = Cluster(folder / "server", shards) if shards else Server(folder / "server")
        # The log is read only if the server does not start.
        server.set_up(program, log_statement="none", log_min_messages="fatal")
        yield server
