"""The observations that retention drops with their rows, and that the reports must keep."""

from __future__ import annotations

from report_basis import Basis, merged
from report_compare import View
from report_facts import PLAYER_STREAMS, Ask, Facts, Kept, Row, User, user_of, utc_month

MONTHS = """select s.stream, replace(right(c.relname, 7), '_', '-')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    join ingest.stream s on format('game.%I', s.target_table)::regclass = i.inhparent"""


class KeptObservations:
    """Remembers the rows of dropped months, independent of the database's own records."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        # Stream and month of each drop.
        self.dropped: set[tuple[str, str]] = set()
        self.rows: list[Row] = []
        self.months: set[tuple[str, str]] = set()
        self.standing: list[Row] = []
        # Users whose kept observations depend on the order of the commands.
        self.unsure: set[User] = set()

    def before(self, facts: Facts) -> None:
        """Notes the months and their rows before a retention."""
        self.months = set(map(tuple, self.ask(MONTHS)))  # type: ignore[arg-type]
        self.standing = [row for stream in PLAYER_STREAMS[1:] for row in facts.rows[stream]
                         if row["at"] is not None]

    def after(self) -> bool:
        """Remembers the rows of the months that are gone; false when none is."""
        gone = self.months - set(map(tuple, self.ask(MONTHS)))  # type: ignore[arg-type]
        self.dropped |= gone
        self.rows += [row for row in self.standing
                      if (row["stream"], utc_month(row["at"])) in gone]
        return bool(gone)

    def undone(self, before: Facts) -> None:
        """Forgets the rows of undone files.

        The database keeps only the first and the last observation of dropped rows. So after an undo, only their limits
        are known for the users of the undone files.
        """
        undone = {int(number) for (number,) in self.ask(
            "select source_file_id from ingest.source_file where undone_at is not null")}
        standing = [row for stream in PLAYER_STREAMS for row in before.rows[stream]]
        touched = {user_of(row) for row in self.rows + standing if row["source_file_id"] in undone}
        self.unsure |= touched & {user_of(row) for row in self.rows}
        self.rows = [row for row in self.rows if row["source_file_id"] not in undone]

    def erased(self, user: str, app: str | None) -> None:
        self.rows = [row for row in self.rows
                     if row["user_id"] != user or app not in (None, row["app_id"])]

    def kept(self, table: dict[User, Kept]) -> dict[User, Kept]:
        """The observations that the views must count beside those of stored rows."""
        found: dict[User, Kept] = {}
        for row in self.rows:
            found[user_of(row)] = merged(
                found.get(user_of(row)), Kept(row["at"], row["stream"], row["at"]))
        for user in self.unsure:
            found.pop(user, None)
            if user in table:
                found[user] = table[user]
        return found

    def check(self, basis: Basis, table: View) -> list[str]:
        """The differences of report.first_observation from the observations of stored and of dropped rows."""
        found = {user_of(row): (
            row["first_observed_at"], row["first_observed_on"], row["first_observed_in"],
            row["last_observed_at"], row["last_observed_on"]) for row in table.rows}
        due = {user: (one.first_at, basis.day(one.first_at), one.first_in, one.last_at,
                      basis.day(one.last_at)) for user, one in basis.observed.items()}
        told = [f"first_observation ({user}): {found.get(user)}, oracle {due.get(user)}"
                for user in sorted({*found, *due}) if found.get(user) != due.get(user)]
        for user in self.unsure & set(found):
            # Each instant is that of a stored row or of a dropped one.
            known = {row["at"] for row in basis.observations + self.rows if user_of(row) == user}
            told += [f"first_observation ({user}): no row of {instant}"
                     for instant in (found[user][0], found[user][3]) if instant not in known]
        return told
