"""The observations and names of items that retention drops with their rows, and that the reports must keep."""

from __future__ import annotations

from report_basis import merged
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
        self.items: list[Row] = []
        self.months: set[tuple[str, str]] = set()
        self.standing: list[Row] = []
        self.standing_items: list[Row] = []

    def before(self, facts: Facts) -> None:
        """Notes the months and their rows before a retention."""
        self.months = set(map(tuple, self.ask(MONTHS)))  # type: ignore[arg-type]
        self.standing = [row for stream in PLAYER_STREAMS[1:] for row in facts.rows[stream]
                         if row["at"] is not None]
        self.standing_items = [row for row in facts.rows["item"] if row["item_name"] is not None]

    def after(self) -> bool:
        """Remembers the rows of the months that are gone; false when none is."""
        gone = self.months - set(map(tuple, self.ask(MONTHS)))  # type: ignore[arg-type]
        self.dropped |= gone
        self.rows += [row for row in self.standing
                      if (row["stream"], utc_month(row["at"])) in gone]
        self.items += [row for row in self.standing_items if ("item", utc_month(row["observed_at"])) in gone]
        return bool(gone)

    def undone(self) -> None:
        """Forgets the rows of undone files."""
        undone = {int(number) for (number,) in self.ask(
            "select source_file_id from ingest.source_file where undone_at is not null")}
        self.rows = [row for row in self.rows if row["source_file_id"] not in undone]
        self.items = [row for row in self.items if row["source_file_id"] not in undone]

    def erased(self, user: str, app: str | None) -> None:
        self.rows = [row for row in self.rows
                     if row["user_id"] != user or app not in (None, row["app_id"])]

    def kept(self) -> dict[User, Kept]:
        """The observations that the views must count beside those of stored rows."""
        found: dict[User, Kept] = {}
        for row in self.rows:
            found[user_of(row)] = merged(
                found.get(user_of(row)), Kept(row["at"], row["stream"], row["at"]))
        return found
