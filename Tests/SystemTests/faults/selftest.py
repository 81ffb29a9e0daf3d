"""A test of the checks themselves: they must report each deliberate damage to a database."""

from __future__ import annotations

from data import MARKER
from invariants import Checker
from trial import Trial

# Damage to a loaded database, with the invariant and a word of the violation that must report it.
DAMAGE = (
    ("I2", "receipt", """update game.receipt set amount_minor = amount_minor + 1
        where payment_seq = (select max(payment_seq) from game.receipt where amount_minor > 0)"""),
    ("I2", "level_up", """delete from game.level_up where (source_file_id, line_number) =
        (select source_file_id, max(line_number) from game.level_up group by 1 limit 1)"""),
    ("I2", "game_user", """update game.game_user_snapshot
        set observed_at = observed_at + interval '1 ms' where user_level = 7"""),
    ("I2", "item", """update game.item_snapshot set is_active = not is_active
        where is_active is not null"""),
    ("I1", "reject", """update ingest.reject set byte_offset = byte_offset + 1
        where reject_id = (select min(reject_id) from ingest.reject)"""),
    ("I2", "conflict", """delete from ingest.conflict
        where conflict_id = (select min(conflict_id) from ingest.conflict)"""),
    ("I2", "fill", "delete from ingest.fill where fill_id = (select min(fill_id) from ingest.fill)"),
    ("I3", "file", """update ingest.source_file set inserted_count = inserted_count + 1,
        duplicate_count = duplicate_count - 1 where duplicate_count > 0"""),
    ("I2", "unknown_field", "update ingest.unknown_field set line_count = line_count + 1"),
)


def blind_spots(trial: Trial) -> list[str]:
    """The damage that the checks do not report. Leaves the trial's database damaged."""
    missed = []
    for invariant, word, statement in DAMAGE:
        trial.server.ask(trial.database, statement)
        checker = Checker(trial.server, trial.database, trial.world.versions)
        checker.check([])
        if not any(found.invariant == invariant and word in found.what for found in checker.violations):
            missed.append(f"{invariant} {word}")
    checker = Checker(trial.server, trial.database, {})
    checker.check_no_token("a text", f"so-and-so {MARKER}-1".encode())
    checker.ledger()
    if [found.invariant for found in checker.violations][:2] != ["I6", "I1"]:
        missed.append("a purchase token, or an unknown file")
    return missed
