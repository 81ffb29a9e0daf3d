"""Measures the reports at the size of a large game: the documented queries, a night, and a full rebuild."""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

import machine
from results import table
from server import ROOT, BenchError, Server, measure, output, say

DATABASE = "reports"
# The application and the user that the numbered queries name, and the application of the questions.
APPLICATION, USER, QUESTIONED = "Qb2FhTzN", "U1", "alpha"
# All rows of one application, of 90 days.
ROWS = {
    view: f"select {columns} from report.{view} where app_id = '{APPLICATION}' and {day} between '2025-05-03' and '2025-07-31'"
    for view, day, columns in (
        ("purchase", "purchased_on", "count(*), sum(amount), max(user_level)"),
        ("level_up", "day", "count(*), max(user_level)"),
        ("game_user_snapshot", "day", "count(*), max(user_level)"))}
# The role that `grant` creates for dashboards and analysts, and a login that is a member of it, which has none of its
# settings.
ANALYST, READER = "gamebase_analyst", "reports_reader"
# The queries ask for the days up to this one.
UNTIL = "2025-07-31"
FACTS = ("receipt", "level_up", "game_user_snapshot")
APPS = 3
NIGHTS, DAYS_OF_A_NIGHT = 3, 7
WARM_RUNS = 5


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--users", type=int, default=300_000, help="users in all applications")
    parser.add_argument("--days", type=int, default=730, help="days of the history")


def run(choice: argparse.Namespace, server: Server, work: Path) -> None:
    Reports(server, work).run(choice)


class Reports:
    """A database with a long history, and the measurements in it."""

    def __init__(self, server: Server, work: Path) -> None:
        self.server, self.work = server, work
        self.peak_kib = 0

    def run(self, choice: argparse.Namespace) -> None:
        self.server.create(DATABASE)
        self._seconds("migrate")
        days = self._generate(choice)
        night = NIGHTS * DAYS_OF_A_NIGHT
        half = (len(days) - night) // 2
        say("loading half of the history")
        self._load(days[: half - night])
        self._seconds("refresh")
        early = self._nights(days[half - night: half])
        say("loading the other half")
        self._load(days[half: len(days) - night])
        rebuild = self._seconds("refresh", "--full")
        say(f"rebuild: {rebuild:.0f} s")
        rollups, facts = self._megabytes()
        self._seconds("refresh", "--full")
        again, _ = self._megabytes()
        late = self._nights(days[len(days) - night:])
        counts = [int(self.server.ask(DATABASE, f"select count(*) from game.{name}")) for name in FACTS]
        found = machine.facts(self.server)
        print(f"`scripts/bench reports`: {counts[0]:,} receipts, {counts[1]:,} level-ups and {counts[2]:,} snapshots of "
              f"{choice.users:,} users in {APPS} applications, {choice.days} days; {found['machine']}; PostgreSQL "
              f"{found['PostgreSQL']}\n")
        print(table(["seven days of new rows", "`load --no-refresh`", "`refresh`"], *(
            [name, *(f"{statistics.median(part):.2f} s" for part in zip(*nights))]
            for name, nights in (("after half of the history", early), ("after all of it", late)))))
        growth = statistics.median(map(sum, late)) / statistics.median(map(sum, early))
        print(f"\n- When the history doubles, such a night takes {growth:.2f} × as long (at most 1.1).\n"
              f"- A full rebuild takes {rebuild:.0f} s, {rebuild / sum(counts) * 1e6:.1f} s for a million facts.\n"
              f"- The facts have {facts:.0f} MB, the rollups {rollups:.0f} MB, {again:.0f} MB after a second rebuild.\n"
              f"- No program takes more than {self.peak_kib / 1024:.0f} MiB.\n", flush=True)
        self._prepare_reader()
        self._report_queries()

    def _generate(self, choice: argparse.Namespace) -> list[list[Path]]:
        """The files of each day, in the order of the days."""
        say("generating")
        output(self.server.program, "generate", self.work / "data", "--days", f"{choice.days}", "--users",
               f"{choice.users}", "--apps", f"{APPS}", "--until", UNTIL)
        files: dict[str, list[Path]] = {}
        for path in sorted((self.work / "data").glob("*/*.jsonl")):
            files.setdefault(path.stem[-len(UNTIL):], []).append(path)
        return [files[day] for day in sorted(files)]

    def _seconds(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> float:
        taken = measure(self.server.ingest(*arguments, database=DATABASE, codes=codes))
        self.peak_kib = max(self.peak_kib, taken.peak_kib)
        return taken.seconds

    def _load(self, days: list[list[Path]]) -> float:
        """Loads days by a link to each of their files, without a refresh."""
        inbox = Path(tempfile.mkdtemp(dir=self.work))
        for path in (path for day in days for path in day):
            (inbox / path.name).hardlink_to(path)
        seconds = self._seconds("load", str(inbox), "--no-refresh", "--quiet", codes=(0, 3))
        shutil.rmtree(inbox)
        return seconds

    def _nights(self, days: list[list[Path]]) -> list[tuple[float, float]]:
        """The seconds of the load and of the refresh of each night."""
        found = []
        for start in range(0, len(days), DAYS_OF_A_NIGHT):
            self.server.quiesce()
            found.append((self._load(days[start: start + DAYS_OF_A_NIGHT]), self._seconds("refresh")))
            say("night: load {:.2f} s, refresh {:.2f} s".format(*found[-1]))
        return found

    def _megabytes(self) -> list[float]:
        """The rollups and the facts."""
        return [int(self.server.ask(DATABASE, f"""
            select sum(pg_total_relation_size(oid)) from pg_class
            where relkind in ('r', 'm') and relnamespace = '{schema}'::regnamespace""")) / 1e6
                for schema in ("rollup", "game")]

    # Queries.

    def _prepare_reader(self) -> None:
        self._seconds("grant", "--create-roles")
        # The view of receipts' variants is that of the last question.
        self.server.ask(DATABASE, f"""
            create role {READER} login in role {ANALYST};
            create schema fields;
            create view fields.receipt_variant as
            select payment_seq, extra ->> 'variant' as variant from game.receipt where extra ->> 'variant' is not null;
            grant usage on schema fields to {ANALYST};
            grant select on fields.receipt_variant to {ANALYST}""")

    def _report_queries(self) -> None:
        user = self.server.ask(DATABASE, f"""
            select user_id from report.player where app_id = '{APPLICATION}' order by paid_count desc, user_id limit 1""")
        numbered = re.findall(
            r"^-- (Q\d+)\. .*\n((?:.+\n)+)", (ROOT / "Benchmarks" / "queries.sql").read_text(), re.MULTILINE)
        if len(numbered) != 15:
            raise BenchError(f"queries.sql has {len(numbered)} numbered queries instead of 15")
        rows = []
        for name, query in numbered:
            rows.append([name, *self._warm_and_cold(query.replace(f"'{USER}'", f"'{user}'"))])
        print(table(["query", "warm, ms", "cold, ms"], *rows), flush=True)
        rows = []
        for view, query in ROWS.items():
            count = self.server.ask(DATABASE, query).partition("|")[0]
            rows.append([f"`{view}`", count, *self._warm_and_cold(f"{query};")])
        print("", table(["all rows of one application, 90 days", "rows", "warm, ms", "cold, ms"], *rows), sep="\n", flush=True)
        questions = re.findall(
            r"### \d+\. .*?\n\n```sql\n(.*?)```", (ROOT / "docs" / "queries.md").read_text(), re.DOTALL)
        if len(questions) != 30:
            raise BenchError(f"docs/queries.md has {len(questions)} questions instead of 30")
        found = [self._warm(query.replace(f"'{QUESTIONED}'", f"'{APPLICATION}'")) for query in questions]
        texts = ["< 1" if one < 1 else f"{one:.0f}" for one in found]
        print(f"\nFor docs/queries.md: questions 1 to {len(texts)}: {', '.join(texts)}.")

    def _warm_and_cold(self, statements: str) -> list[str]:
        found = [f"{self._warm(statements):.0f}", self._cold(statements)]
        say(f"{statements.splitlines()[0]}: {' ms, cold '.join(found)} ms")
        return found

    def _warm(self, statements: str) -> float:
        """The median of all runs but the first."""
        return statistics.median([self._milliseconds(statements) for _ in range(WARM_RUNS + 1)][1:])

    def _milliseconds(self, statements: str) -> float:
        """By psql's clock."""
        answer = output(*self.server.psql(f"{DATABASE} user={READER}").arguments, text=f"\\timing on\n{statements}")
        return sum(map(float, re.findall(r"^Time: ([0-9.]+) ms", answer, re.MULTILINE)))

    def _cold(self, statements: str) -> str:
        """After a restart of the server without the system's caches; nothing where they cannot be dropped."""
        self.server.end("stop")
        try:
            subprocess.run(["sync"], check=True)
            Path("/proc/sys/vm/drop_caches").write_text("3\n")
            dropped = True
        except OSError:
            dropped = False
        self.server.start()
        milliseconds = self._milliseconds(statements)
        return f"{milliseconds:.0f}" if dropped else "–"
