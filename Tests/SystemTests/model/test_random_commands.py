"""Random sequences of all commands: after each step the database equals a model, which knows the files alone.

Run by scripts/test model, which explains the options.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import Step
from damages import DAMAGES
from model_run import Run
from random_runs import Violated
from server import Server, Session

# These steps are repeated until every table has rows to damage.
STEPS = ("load-several", "load-correction", "load-failing", "forget", "zone")
TABLES = """game.receipt game.level_up game.game_user_snapshot game.item_snapshot game.event ingest.reject
    ingest.conflict ingest.fill ingest.failed_reject ingest.erased_user ingest.setting"""
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
    for name in itertools.cycle(STEPS):
        if run.has_rows(TABLES.split()):
            break
        run.carry_out(Step(name, [run.maker.command(name)]))
    # The connection would prevent a copy of the database.
    run.session.close()
    yield run
    run.close()


@pytest.mark.parametrize("words", DAMAGE)
def test_a_damaged_database_is_noticed(run: Run, server: Server, words: str) -> None:
    server.drop("damaged")
    server.create("damaged", template=run.database)
    run.session = Session(server, "damaged")
    run.session.execute("set session_replication_role = replica")
    changed = run.session.execute(DAMAGE[words])
    with pytest.raises(Violated, match=words):
        run.judge(Step("damage", []), [])
    run.session.close()
    assert changed > 0


def test_the_database_equals_the_model_after_random_commands(
    server: Server, program: Path, run_number: int, pytestconfig: pytest.Config
) -> None:
    run = Run(server, program, pytestconfig.getoption("--seed"), run_number)
    run.test_random_steps(pytestconfig.getoption("--steps"))
