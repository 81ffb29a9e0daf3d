"""Random sequences of all commands: after each step the database equals a model, which knows the files alone.

Run by scripts/model-test, which explains the options.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commands import Step
from damages import DAMAGES
from model_run import Run, violation_of
from random_runs import Violated
from server import Server, Session

# These steps are repeated until every table has rows to damage.
STEPS = ("load-several", "load-correction", "none-refused", "forget", "zone")
TABLES = ("game.receipt", "game.level_up", "game.game_user_snapshot", "game.item_snapshot", "game.event", "ingest.reject",
          "ingest.conflict", "ingest.fill", "ingest.failed_reject", "ingest.erased_user", "ingest.setting")
# By a word of the violation: a damage to the database.
DAMAGE = {f"{table}: ": statement for table, statement in DAMAGES.items()} | {
    "event: ": "update game.event set payment_seq = null where payment_seq is not null",
    "no command undoes them": "update ingest.source_file set undone_at = now() where inserted_count > 0",
    "the ledger has lost entries": "delete from ingest.source_file where inserted_count > 0",
    "a tombstone was deleted": "delete from ingest.erased_user",
    "ingest.failed_reject has lines": "update ingest.failed_reject set raw = raw || 'x'::bytea",
    "expected one of": "delete from ingest.setting",
}


@pytest.fixture(scope="module")
def run(server: Server, program: Path) -> Iterator[Run]:
    run = Run(server, program, 1, 0)
    run.maker.random.seed(7)
    has_rows = f"select {' and '.join(f'exists (select from {table})' for table in TABLES)}"
    for name in itertools.cycle(STEPS):
        if server.value(run.database, has_rows) == "t":
            break
        command = run.maker.command(name) if name != "none-refused" else run.maker.load_of(
            [run.maker.stored(run.maker.new_file())], "--max-rejects", "0")
        run.carry_out(Step(name, [command]))
    # The connection would prevent a copy of the database.
    run.session.close()
    yield run
    run.close()


@pytest.mark.parametrize("words", DAMAGE)
def test_a_damaged_database_is_noticed(run: Run, server: Server, words: str) -> None:
    server.drop("damaged")
    server.create("damaged", template=run.database)
    run.judge.session = session = Session(server, "damaged")
    session.execute("set session_replication_role = replica")
    changed = session.execute(DAMAGE[words])
    with pytest.raises(Violated, match=words):
        run.judge.judge(Step("damage", []), [], "heap")
    session.close()
    assert changed > 0


def test_the_database_equals_the_model_after_random_commands(
    server: Server, program: Path, run_number: int, pytestconfig: pytest.Config
) -> None:
    option = pytestconfig.getoption
    skip = frozenset(map(int, filter(None, option("--skip").split(","))))
    run_without = functools.partial(violation_of, server, program, option("--seed"), run_number, option("--steps"))
    found = run_without(skip)
    if found and option("--shrink"):
        found = shrunk(run_without, found, skip, option("--steps"))
    if found:
        pytest.fail(found, pytrace=False)


def shrunk(
    run_without: Callable[[frozenset[int]], str | None], found: str, skip: frozenset[int], steps: int
) -> str:
    """The violation of a run without the steps that it does not need: leaves out halves, then smaller parts."""
    size = max(1, steps // 2)
    while True:
        for first in range(1, steps, size):
            part = skip.union(range(first, min(first + size, steps)))
            if part != skip and (smaller := run_without(part)):
                skip, found = part, smaller
        if size == 1:
            return found
        size = max(1, size // 2)
