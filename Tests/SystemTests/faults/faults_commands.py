"""Faults that kill, terminate and crash each writing command except load, and then run it again.

Each command first runs undisturbed in a copy of the database. A disturbed command must leave the database unchanged
or equal to the copy; only a command of several transactions may leave a state in between. After a second run the
database must equal the copy.
"""

from __future__ import annotations

import functools
import itertools
import signal

from loader import ProgramRun
from state import QUERIES, query_state
from trial import Trial, fault

ACCEPT = ["conflicts", "accept", "--load", "1"]
# By name: the arguments, and whether the command is one transaction.
COMMANDS: dict[str, tuple[list[str], bool]] = {
    "undo": (["undo", "--load", "1", "--with-later"], True),
    "conflicts-accept": (ACCEPT, True),
    # `interrupted` appends the number of the acceptance.
    "conflicts-undo": (["conflicts", "undo"], True),
    # The first erasure empties stored lines, in a transaction for each month.
    "first-forget-user": (["forget-user", "AS@7"], False),
    "forget-user": (["forget-user", "AS@7"], True),
    "replay": (["rejects", "replay"], False),
    "retention": (["retention", "--keep", "1"], False),
    "grant": (["grant", "--create-roles"], True),
    "migrate": (["migrate"], False),
}
# Commands after the load, before the disturbed one.
EARLIER = {"conflicts-undo": ACCEPT, "forget-user": ["forget-user", "another"]}
# What the oracle does not cover; and acceptances without their numbers, of which an interrupted command uses one.
MORE = {
    "erased_user": "select count(*) from ingest.erased_user",
    "overlaid_row": "select stream, natural_key, loaded_values from ingest.overlaid_row",
    "met_file": "select source_file_id, stream, met_file_id from ingest.met_file",
    "acceptance": "select line_count, row_count, value_count, undone_at is null from ingest.acceptance",
    "accepted_value": QUERIES["accepted_value"].replace("r.acceptance_id, ", ""),
    "undone": "select source_file_id from ingest.source_file where undone_at is not null",
    "table": """select n.nspname, c.relname, r.rolname, array(select a::text from unnest(c.relacl) a
          order by 1)
        from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_roles r on r.oid = c.relowner
        where n.nspname in ('game', 'ingest', 'report', 'rollup') and c.relkind in ('r', 'p', 'v')""",
    "migration": "select version, encode(checksum, 'hex') from ingest.schema_migration",
}


def rows_of(trial: Trial, database: str) -> dict[str, list[str]]:
    """The rows of all tables, or nothing for a database without the schema."""
    if trial.server.value(database, "select to_regclass('ingest.definition_set') is null") == "t":
        return {}
    return query_state(functools.partial(trial.server.ask, database), "heap", MORE)


@fault("{}-{}", itertools.product(COMMANDS, ("killed", "terminated", "crashed")), times=5)
def interrupted(trial: Trial, name: str, how: str) -> None:
    arguments, is_one = COMMANDS[name]
    key = trial.folder / "erasure.key"
    key.write_bytes(b"k" * 32)
    key.chmod(0o600)

    def start(database: str, arguments: list[str]) -> ProgramRun:
        return trial.command(arguments, trial.server.conninfo(database),
                             variables={"GAMEBASE_INGEST_ERASURE_KEY_FILE": str(key)})

    ours = trial.new_database("template0" if name == "migrate" else "empty")
    if name != "migrate":
        trial.load(conninfo=trial.server.conninfo(ours))
    if name in EARLIER:
        trial.outcome(start(ours, EARLIER[name]), {0, 3})
    if name == "conflicts-undo":
        arguments = [*arguments, trial.server.value(ours, "select max(acceptance_id) from ingest.acceptance")]
    copy = trial.new_database(ours)
    before = rows_of(trial, ours)
    undisturbed = start(copy, arguments)
    trial.outcome(undisturbed, {0, 3})
    after = rows_of(trial, copy)
    running = start(ours, arguments)
    running.run_for(trial.random.uniform(0, undisturbed.seconds))
    if how == "crashed":
        trial.server.restart("immediate")
    else:
        running.send(signal.SIGKILL if how == "killed" else signal.SIGTERM)
    trial.finish(running)
    trial.server.wait_until_ready()
    trial.violations += trial.server.left_by_loaders(ours)
    # Between the transactions of a migrate the tables may not exist yet.
    left = rows_of(trial, ours) if is_one else before
    trial.expect(left in (before, after), f"I1: the interrupted {name} has left a part of its effect")
    trial.outcome(start(ours, arguments), {0, 3, 64} if left == after else {0, 3}, "I5")
    trial.expect(rows_of(trial, ours) == after,
                 f"I5: after the second {name} the database differs from that of an undisturbed {name}")
    # The final loads have a database of their own, because they expect one without erasures.
    trial.results = []
