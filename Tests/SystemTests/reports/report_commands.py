"""Random commands for the test of the reports."""

from __future__ import annotations

import random
import shlex
from dataclasses import dataclass
from pathlib import Path

import psycopg

from report_calendar import utc
from report_universe import PRICES, USERS, ZONES, InputFile, ReportUniverse

STREAMS = ("receipt", "level_up", "game_user", "item", "event")
# The exit code of a load of which a file failed.
FAILED = 4
# The commands of a step, with their relative frequency.
WEIGHTS = {
    "load": 22, "load_together": 10, "load_without_refresh": 8, "load_again": 3, "mixed_together": 6, "refresh": 4,
    "refresh_full": 2, "undo": 7, "forget": 4, "retention": 4, "accept": 6, "undo_acceptance": 3, "replay": 4,
    "zone": 4, "rates": 5, "base": 3, "feed": 4, "prune": 4, "fail": 4, "mend": 2, "dismiss": 2,
    "empty": 2, "limit": 3,
}


# The times of the ledger by which a prune goes.
AGES = {
    "ingest.source_file": ["loaded_at", "undone_at"], "ingest.failed_file": ["failed_at", "first_failed_at"],
    "ingest.reject": ["resolved_at"], "ingest.acceptance": ["accepted_at", "undone_at"],
    "ingest.failure_dismissal": ["dismissed_at"], "ingest.load": ["started_at", "finished_at", "seen_at"],
}


@dataclass
class Step:
    """Commands that run at once. After it the views show all rows, those of before, or either."""

    commands: list[list[str]]
    # "all": the step ends with a refresh; "before": it changes no view but the live ones; "as_before": it refreshes
    # nothing, but every view follows what it changes; "unknown": a later step refreshes.
    shows: str = "all"
    codes: tuple[int, ...] = (0, 3)

    def __str__(self) -> str:
        return " & ".join(shlex.join(["gamebase-ingest", *one]) for one in self.commands)


class ReportCommands:
    def __init__(
        self, seed: str, universe: ReportUniverse, folder: Path, connection: psycopg.Connection, now: int
    ) -> None:
        self.random = random.Random(f"report commands {seed}")
        self.universe = universe
        self.folder = folder
        self.connection = connection
        self.now = now
        self.files: list[InputFile] = []
        self.failing: list[InputFile] = []

    def step(self, number: int) -> Step:
        if number == 1:
            return Step([self._load(self.universe.file(stream)) for stream in STREAMS])
        name = self.random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        made: Step = getattr(self, name)()
        return made

    # Loads

    def _load(self, file: InputFile, *more: str) -> list[str]:
        path = self.folder / file.name
        path.write_bytes(file.content)
        if file not in self.files:
            self.files.append(file)
        return ["load", str(path), *file.options, *more]

    def load(self) -> Step:
        return Step([self._load(self.universe.file())])

    def load_without_refresh(self) -> Step:
        return Step([self._load(self.universe.file(), "--no-refresh")], "before")

    def load_together(self) -> Step:
        """Loads of several streams, or several of one, by processes that run at once."""
        streams = self.random.choice([
            ["receipt", "level_up", "game_user"], ["receipt", "level_up", "game_user"],
            ["receipt", "receipt", "level_up"], ["game_user", "level_up"], ["item", "receipt"], ["event", "item"],
            ["item", "item", "game_user"]])
        late = self.random.random() < 0.25
        commands = [self._load(self.universe.file(stream)) for stream in streams]
        if late:
            commands[-1].append("--no-refresh")
        return Step(commands, "unknown" if late else "all")

    def mixed_together(self) -> Step:
        """A load beside a command that changes or refreshes the reports."""
        other = self.random.choice([self.refresh, self.refresh_full, self.undo, self.forget, self.accept])()
        return Step([*other.commands, self._load(self.universe.file())])

    def load_again(self) -> Step:
        return Step([self._load(self.random.choice(self.files))])

    def fail(self) -> Step:
        """A file whose first line breaks the limit, in its first attempt or a further one."""
        if self.failing and self.random.random() < 0.6:
            file = self.random.choice(self.failing)
        else:
            file = self.universe.file()
            self.failing.append(file)
        path = self.folder / f"failing-{file.name}"
        path.write_bytes(b"{\n" + file.content)
        stream = ["--stream", file.stream]
        return Step([["load", str(path), *stream, "--max-rejects", "0"]], "as_before", codes=(FAILED,))

    def mend(self) -> Step:
        """A file that failed, without the line that broke the limit."""
        if not self.failing:
            return self.load()
        file = self.failing.pop(self.random.randrange(len(self.failing)))
        path = self.folder / f"failing-{file.name}"
        path.write_bytes(file.content)
        return Step([["load", str(path), "--stream", file.stream, *file.options]])

    def dismiss(self) -> Step:
        path = self._some("select path from report.open_failure order by path")
        return Step([["failures", "dismiss", path]], "as_before", codes=(0, 64)) if path else self.fail()

    def empty(self) -> Step:
        """A file without a record, of an application or of none."""
        path = self.folder / f"empty-{self.random.randrange(10 ** 9)}.jsonl"
        path.write_bytes(self.random.choice([b"", b"\n"]))
        app = self.random.choice([[], ["--app-id", "game-a"], ["--app-id", "game-b"]])
        return Step([["load", str(path), "--stream", self.random.choice(STREAMS), *app]])

    # Refreshes

    def refresh(self) -> Step:
        return Step([["refresh"]])

    def refresh_full(self) -> Step:
        return Step([["refresh", "--full"]])

    # Changes

    def _some(self, query: str) -> str | None:
        """A number or path from a query, in the order of paths, because loads that run at once draw numbers by chance."""
        rows = self.connection.execute(query).fetchall()
        return str(self.random.choice(rows)[0]) if rows else None

    def undo(self) -> Step:
        number = self._some(
            """select source_file_id from ingest.source_file where undone_at is null
            order by path, source_file_id""")
        return Step([["undo", number, "--with-later"]]) if number else self.load()

    def forget(self) -> Step:
        app = self.random.choice([None, None, "game-a", "game-b"])
        return Step([["forget-user", self.random.choice(USERS), *(["--app-id", app] if app else [])]])

    def retention(self) -> Step:
        """Drops one or two of the first months."""
        first, now = utc(self.universe.start), utc(self.now)
        months = (now.year - first.year) * 12 + now.month - first.month
        keep = max(1, months - self.random.choice([0, 0, 0, 1]))
        stream = self.random.choice([None, None, "level_up", "game_user", "item", "event"])
        return Step([["retention", "--keep", str(keep), *(["--stream", stream] if stream else [])]])

    def prune(self) -> Step:
        """Removes what is older than the present month, after a part of the ledger has grown three months older."""
        for table, columns in AGES.items():
            self.connection.execute(
                f"update {table} set " + ", ".join(f"{one} = {one} - interval '3 months'" for one in columns)
                + f" where {columns[0]} > now() - interval '1 month' and ctid in (select ctid from {table}"
                f" order by {columns[0]} limit {self.random.randrange(1, 8)})")
        return Step([["retention", "--keep", "1", "--ledger"]], "as_before", codes=(0,))

    def accept(self) -> Step:
        number = self._some(
            """select f.source_file_id from ingest.source_file f where f.undone_at is null
              and exists (select 1 from ingest.conflict c
                where c.source_file_id = f.source_file_id and c.acceptance_id is null)
            order by f.path, f.source_file_id""")
        return Step([["conflicts", "accept", "--file", number]]) if number else self.load()

    def undo_acceptance(self) -> Step:
        number = self._some("select acceptance_id from ingest.acceptance where undone_at is null order by 1")
        return Step([["conflicts", "undo", number, "--with-later"]]) if number else self.accept()

    def replay(self) -> Step:
        # A later as_of accepts the times that were too late at the load.
        self.connection.execute("update ingest.source_file set as_of = now() where as_of < now()")
        return Step([["rejects", "replay"]], "unknown")

    # Settings

    def _value(self, name: str) -> str | None:
        row = self.connection.execute("select value from report.setting where name = %s", (name,)).fetchone()
        return row and row[0]

    def _setting(self, name: str, value: str, changes_reports: bool = True) -> Step:
        # The value that the reports have already refreshes nothing.
        shows = "all" if changes_reports and value != self._value(name) else "as_before"
        return Step([["settings", "set", name, value]], shows, codes=(0,))

    def limit(self) -> Step:
        """The limits beyond which the reports are not to be trusted."""
        name = self.random.choice(["max-age", "min-daily-lines", "min-usual-lines"])
        stream = self.random.choice(["", ".receipt", ".level_up", ".event", ".item"])
        value = self.random.choice(["1", "100", "5000"] if name == "max-age" else ["1", "2", "10"])
        return self._setting(f"{name}{stream}", value, changes_reports=name != "max-age")

    def zone(self) -> Step:
        return self._setting("time-zone", self.random.choice(ZONES))

    def feed(self) -> Step:
        name = self.random.choice(["receipt-feed", "receipt-feed", "receipt-feed.game-a", "receipt-feed.game-b"])
        return self._setting(name, self.random.choice(["auto", "files", "events"]))

    def base(self) -> Step:
        return self._setting("base-currency", self.random.choice(list(PRICES)))

    def rates(self) -> Step:
        base = self._value("base-currency")
        if base is None:
            return self.base()
        path = self.folder / f"rates-{self.random.randrange(10 ** 9)}.csv"
        path.write_text(self.universe.rates(base))
        return Step([["reference", "load", "exchange-rates", str(path)]], codes=(0,))
