"""Loads under each fault of the modules faults_*. After each, and after the next clean run, all invariants must hold.

Run by scripts/torture, which explains the options.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from data import MARKER
from invariants import Checker
from server import folder_of_servers
from trial import FAULTS, Trial, World

for _module in sorted(Path(__file__).parent.glob("faults_*.py")):
    importlib.import_module(_module.stem)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "number" not in metafunc.fixturenames:
        return
    seed, quick, sample = map(metafunc.config.getoption, ("--seed", "--quick", "--sample"))
    chosen = [(name, number) for name, one in FAULTS.items() for number in range(one.quick if quick else one.times)]
    if sample is not None:
        # The order of digests: a new fault moves only itself into or out of the sample.
        drawn = sorted(chosen, key=lambda one: hashlib.sha256(f"{seed} {one[0]} {one[1]}".encode()).digest())[:sample]
        chosen = [one for one in chosen if one in drawn]
    metafunc.parametrize("name, number", chosen, ids=[f"{name}-{number}" for name, number in chosen])


@pytest.fixture(scope="session")
def world(program: Path, pytestconfig: pytest.Config) -> Iterator[World]:
    """The servers and data of a worker, after undisturbed runs that are checked line by line."""
    # A test that is terminated, too, removes its servers and files.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with folder_of_servers("torture") as folder:
        world = World(pytestconfig.getoption("--seed"), pytestconfig.getoption("--quick"), folder, program)
        for refreshes in (True, False):
            trial = Trial(world, "undisturbed", 0)
            trial.refreshes = refreshes
            with checked(trial):
                result = trial.load()
                trial.outcome(result, {3})
            world.seconds[refreshes] = result.seconds
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
    with Trial(world, "loaded", 0).closing() as trial:
        assert trial.load().code == 3
        yield trial


# Damage to a loaded database, with the invariant and a word of the violation that must report it.
DAMAGE = (
    ("I2", "receipt", """update game.receipt set amount_minor = amount_minor + 1
        where payment_seq = (select max(payment_seq) from game.receipt where amount_minor > 0)"""),
    ("I2", "level_up", """delete from game.level_up where (source_file_id, line_number) =
        (select source_file_id, max(line_number) from game.level_up group by 1 limit 1)"""),
    ("I2", "game_user", """update game.game_user_snapshot
        set observed_at = observed_at + interval '1 ms' where user_level = 7"""),
    ("I2", "item", "update game.item_snapshot set is_active = not is_active where is_active is not null"),
    ("I1", "reject", """update ingest.reject set byte_offset = byte_offset + 1
        where reject_id = (select min(reject_id) from ingest.reject)"""),
    ("I2", "conflict", """delete from ingest.conflict
        where conflict_id = (select min(conflict_id) from ingest.conflict)"""),
    ("I2", "fill", "delete from ingest.fill where fill_id = (select min(fill_id) from ingest.fill)"),
    ("I3", "file", """update ingest.source_file set inserted_count = inserted_count + 1,
        duplicate_count = duplicate_count - 1 where duplicate_count > 0"""),
    ("I2", "unknown_field", "update ingest.unknown_field set line_count = line_count + 1"),
)


@pytest.mark.parametrize("invariant, word, statement", DAMAGE, ids=[word for _, word, _ in DAMAGE])
def test_the_checks_see_damage(world: World, loaded: Trial, invariant: str, word: str, statement: str) -> None:
    damaged = loaded.new_database(loaded.database)
    world.server.ask(damaged, statement)
    checker = Checker(world.server, damaged, world.versions)
    checker.check([])
    assert any(one.startswith(f"{invariant}: {word}") for one in checker.violations), checker.violations


def test_the_checks_see_a_purchase_token_and_an_unknown_file(world: World, loaded: Trial) -> None:
    checker = Checker(world.server, loaded.database, {})
    checker.check_no_token("a text", f"so-and-so {MARKER}-1".encode())
    checker.ledger()
    assert [one[:2] for one in checker.violations][:2] == ["I6", "I1"]


def test_a_load_keeps_its_promises_under_a_fault(
    world: World, name: str, number: int, pytestconfig: pytest.Config,
) -> None:
    quick = " --quick" if pytestconfig.getoption("--quick") else ""
    # pytest shows it with a failure.
    print(f"repeat with: scripts/torture --seed {world.seed}{quick} -k '[{name}-{number}]'")
    trial = Trial(world, name, number)
    with checked(trial):
        FAULTS[name].run(trial)
