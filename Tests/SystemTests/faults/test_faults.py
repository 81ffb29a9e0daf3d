"""Loads under each fault of the modules faults_*. After each, and after the next clean run, all invariants must hold.

Run by scripts/test faults, which explains the options.
"""

from __future__ import annotations

import contextlib
import importlib
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from damages import DAMAGES
from data import MARKER
from loader import tokens_in
from random_runs import sampled
from server import folder_of_servers
from trial import FAULTS, TOLD_BY, Trial, World

for _module in sorted(Path(__file__).parent.glob("faults_*.py")):
    importlib.import_module(_module.stem)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "number" not in metafunc.fixturenames:
        return
    quick = metafunc.config.getoption("--quick")
    every = [(name, number) for name, (_, *times) in FAULTS.items() for number in range(times[quick])]
    chosen = sampled(metafunc.config, every, lambda one: f"{one[0]} {one[1]}")
    metafunc.parametrize("name, number", chosen, ids=[f"{name}-{number}" for name, number in chosen])


@pytest.fixture(scope="session")
def world(program: Path, pytestconfig: pytest.Config) -> Iterator[World]:
    """The servers and data of a worker, after undisturbed runs that are checked line by line."""
    # A test that is terminated, too, removes its servers and files.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with folder_of_servers("torture") as folder:
        world = World(pytestconfig.getoption("--seed"), pytestconfig.getoption("--quick"), folder, program)
        for refreshes in (True, False):
            trial = Trial(world, "undisturbed")
            trial.refreshes = refreshes
            with checked(trial):
                loaded = trial.load()
                trial.outcome(loaded, {3})
            world.seconds[refreshes] = loaded.seconds
        yield world


@contextlib.contextmanager
def checked(trial: Trial) -> Iterator[None]:
    """Checks all invariants after what happens within, and after the next clean run."""
    with trial.closing():
        yield
        trial.verify()
        trial.conclude()
    if trial.violations:
        pytest.fail("VIOLATED\n" + "\n".join(trial.violations), pytrace=False)


@pytest.fixture(scope="session")
def loaded(world: World) -> Iterator[Trial]:
    """A database with all files."""
    with Trial(world, "loaded").closing() as trial:
        assert trial.load().code == 3
        yield trial


@pytest.mark.parametrize("word", DAMAGES)
def test_the_checks_see_damage(world: World, loaded: Trial, word: str) -> None:
    with Trial(world, f"damaged-{word}").closing() as trial:
        trial.database = trial.new_database(loaded.database)
        world.server.ask(trial.database, DAMAGES[word])
        trial.verify()
    invariant = TOLD_BY.get(word, "I2")
    assert any(one.startswith(f"{invariant}: {word}") for one in trial.violations), trial.violations


def test_the_checks_see_a_purchase_token_and_an_unknown_file(
    world: World, loaded: Trial, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(world, "versions", {})
    loaded.check_rows()
    violations = [*tokens_in("a text", f"so-and-so {MARKER}-1".encode()), *loaded.violations]
    assert [one[:2] for one in violations][:2] == ["I6", "I1"]


def test_a_load_keeps_its_promises_under_a_fault(
    world: World, name: str, number: int, pytestconfig: pytest.Config,
) -> None:
    quick = " --quick" if pytestconfig.getoption("--quick") else ""
    # pytest shows it with a failure.
    print(f"repeat with: scripts/test faults --seed {world.seed}{quick} -k '[{name}-{number}]'")
    trial = Trial(world, name, number)
    with checked(trial):
        FAULTS[name][0](trial)
