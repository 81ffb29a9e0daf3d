"""Measures whether a row costs more to load into a grown table, with nightly files of later level-ups."""

from __future__ import annotations

import calendar
import datetime
import shutil
from collections.abc import Callable
from pathlib import Path

from cluster import MEASURED, Cluster
from data import generate
from measuring import Command
from ways import Way, counted, rows_of, run

GROWN = "grown"
# Only migrated: the loader creates the partitions in both kinds of measurement.
BARE = "bare"
FIRST_MONTH = datetime.date(2020, 1, 1)
STREAM = "level_up"


class Growth:
    """Files of consecutive months with the same number of lines."""

    def __init__(
        self, binary: Path, cluster: Cluster, folder: Path, lines: int,
        measure: Callable[[Way], None], say: Callable[[str], None],
    ) -> None:
        self.binary, self.cluster, self.folder, self.lines = binary, cluster, folder, lines
        self.measure, self.say = measure, say

    def run(self, rows: int, rounds: int) -> int:
        """Measures; returns the row count of the grown table before its first measurement.

        Loads of the first file into an empty table and of the next one into the grown table alternate,
        so that both run under the same conditions.
        """
        chunks = max(1, -(-rows // self.lines))
        for database in (BARE, GROWN):
            self.cluster.ask("postgres", f"create database {database}")
            run((str(self.binary), "migrate", "--database", self.cluster.conninfo(database)))
        first = self._chunk(0)
        for number in range(chunks):
            path = first if number == 0 else self._chunk(number)
            self.say(f"growing: {(number + 1) * self.lines} of {chunks * self.lines} rows")
            run(self._load(path, GROWN))
            if number:
                shutil.rmtree(path.parent)
        # Otherwise autovacuum of the grown table would run during the measurements.
        self.cluster.ask(GROWN, "vacuum (analyze)")
        for number in range(rounds):
            self.cluster.fresh(BARE)
            self._measure("growth/first", "into an empty table", first, MEASURED, self.lines)
            later = self._chunk(chunks + number)
            self.cluster.quiesce()
            self._measure(
                "growth/next", "into the grown table", later, GROWN,
                (chunks + number + 1) * self.lines)
            shutil.rmtree(later.parent)
        for database in (BARE, GROWN, MEASURED):
            self.cluster.drop(database)
        return chunks * self.lines

    def _measure(self, name: str, label: str, path: Path, database: str, rows: int) -> None:
        self.measure(Way(
            name, label, (Command(self._load(path, database)),),
            (rows_of(STREAM, rows), counted("inserted_count", self.lines)), database=database))

    def _load(self, path: Path, database: str) -> tuple[str, ...]:
        return (str(self.binary), "load", str(path), "--no-refresh", "--quiet", "--database",
                self.cluster.conninfo(database))

    def _chunk(self, number: int) -> Path:
        """The lines of one month."""
        month = FIRST_MONTH.month - 1 + number
        year, month = FIRST_MONTH.year + month // 12, month % 12 + 1
        days = calendar.monthrange(year, month)[1]
        folder = self.folder / f"{year}-{month:02}"
        files = generate(
            self.binary, folder, self.lines, (STREAM,), days, f"{year}-{month:02}-{days}", number + 1)
        return files[STREAM].plain
