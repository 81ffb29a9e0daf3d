"""Measures the reports at the size of a large game: the documented queries, a night, and a full rebuild."""

from __future__ import annotations

import argparse
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import machine
from cluster import Cluster, ClusterError

ROOT = Path(__file__).parent.parent
QUERIES = ROOT / "Benchmarks" / "queries.sql"
QUESTIONS = ROOT / "docs" / "queries.md"
DATABASE = "reports"
# The application and the user that the numbered queries name.
APPLICATION, USER = "Qb2FhTzN", "U1"
# The application of the questions, on their small data set.
QUESTIONED = "alpha"
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
# Events bring nothing to the measured reports.
STREAMS = ("receipt", "level_up", "game_user", "item")
NIGHT_DAYS = 7
WARM_RUNS = 5


def say(text: str) -> None:
    print(f"== {text}", file=sys.stderr, flush=True)


def in_milliseconds(seconds: list[float]) -> str:
    """The median, for a table."""
    return f"{statistics.median(seconds) * 1000:.0f}" if seconds else "–"


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/bench reports", allow_abbrev=False)
    parser.add_argument("--users", type=int, default=300_000, help="users in all applications")
    parser.add_argument("--apps", type=int, default=3, help="applications")
    parser.add_argument("--days", type=int, default=730, help="days of the history")
    parser.add_argument("--nights", type=int, default=3, help="measured nights, of seven days each")
    parser.add_argument("--binary", type=Path, required=True, help="program to measure")
    parser.add_argument(
        "--data", type=Path, default=Path(tempfile.gettempdir()), help="folder for files and server")
    return parser.parse_args()


class Reports:
    """A database with a long history, and the measurements in it."""

    def __init__(self, choice: argparse.Namespace, work: Path, cluster: Cluster) -> None:
        self.choice, self.work, self.cluster = choice, work, cluster
        self.binary = choice.binary
        self.lines: list[str] = []
        # The lines for docs/queries.md.
        self.questions: list[str] = []

    def run(self) -> None:
        self.cluster.ask("postgres", f"create database {DATABASE} template template0 encoding 'UTF8'")
        self._ingest("migrate")
        days = self._generate()
        night = NIGHT_DAYS * self.choice.nights
        half = (len(days) - night) // 2
        say("loading half of the history")
        self._load(days[: half - night])
        self._timed("refresh")
        self.cluster.ask(DATABASE, "vacuum (analyze)")
        early = self._nights(days[half - night: half])
        say("loading the other half")
        self._load(days[half: len(days) - night])
        rebuild = self._timed("refresh", "--full")
        say(f"rebuild: {rebuild:.0f} s")
        sizes = [self._sizes()]
        self._timed("refresh", "--full")
        sizes.append(self._sizes())
        # From here on the state is the one that loads leave.
        late = self._nights(days[len(days) - night:])
        self._report_nights(early, late)
        self._report_rebuild(rebuild, *sizes)
        self._report_one_line_first(days)
        self._ingest("grant", "--create-roles")
        self.cluster.ask(DATABASE, f"create role {READER} login in role {ANALYST}")
        # The view of receipts' variants that the last question reads.
        self.cluster.ask(
            DATABASE,
            f"""create schema fields;
                create view fields.receipt_variant as
                select payment_seq, extra ->> 'variant' as variant from game.receipt where extra ->> 'variant' is not null;
                grant usage on schema fields to {ANALYST};
                grant select on fields.receipt_variant to {ANALYST}""")
        self._report_queries()
        self._report_rows()
        self._report_questions()

    # The data.

    def _generate(self) -> list[list[Path]]:
        """The files of each day, in the order of the days."""
        say("generating")
        folder = self.work / "data"
        choice = self.choice
        streams = [word for stream in STREAMS for word in ("--stream", stream)]
        self._run(
            "generate", str(folder), "--days", str(choice.days), "--users", str(choice.users), "--apps", str(choice.apps),
            "--until", UNTIL, *streams)
        files: dict[str, list[Path]] = {}
        for path in sorted(folder.glob("*/*.jsonl")):
            files.setdefault(path.stem[-len(UNTIL):], []).append(path)
        return [files[day] for day in sorted(files)]

    def _load(self, days: list[list[Path]], database: str = DATABASE) -> float:
        """Loads days by a link to each of their files, without a refresh."""
        inbox = Path(tempfile.mkdtemp(dir=self.work))
        for day in days:
            for path in day:
                (inbox / path.name).hardlink_to(path)
        seconds = self._timed("load", str(inbox), "--no-refresh", "--quiet", codes=(0, 3), database=database)
        shutil.rmtree(inbox)
        return seconds

    def _nights(self, days: list[list[Path]]) -> list[tuple[float, float]]:
        """The seconds of the load and of the refresh of each night."""
        found = []
        for start in range(0, len(days), NIGHT_DAYS):
            self.cluster.quiesce()
            load = self._load(days[start: start + NIGHT_DAYS])
            found.append((load, self._timed("refresh")))
            say(f"night: load {found[-1][0]:.2f} s, refresh {found[-1][1]:.2f} s")
        return found

    # Commands.

    def _run(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> None:
        answer = subprocess.run([str(self.binary), *arguments], capture_output=True, text=True)
        if answer.returncode not in codes:
            raise ClusterError(f"{arguments}: exit status {answer.returncode}: {answer.stderr[-500:]}")

    def _ingest(self, *arguments: str, codes: tuple[int, ...] = (0,), database: str = DATABASE) -> None:
        self._run(*arguments, "--database", self.cluster.conninfo(database), codes=codes)

    def _timed(self, *arguments: str, codes: tuple[int, ...] = (0,), database: str = DATABASE) -> float:
        started = time.perf_counter()
        self._ingest(*arguments, codes=codes, database=database)
        return time.perf_counter() - started

    # Results.

    def _report_nights(self, early: list[tuple[float, float]], late: list[tuple[float, float]]) -> None:
        self.lines += ["| night of 1 % new rows | `load --no-refresh` | `refresh` | refresh / load |",
                       "| --- | ---: | ---: | ---: |"]
        for name, nights in (("after half of the history", early), ("after all of it", late)):
            load = statistics.median(one[0] for one in nights)
            refresh = statistics.median(one[1] for one in nights)
            ratio = statistics.median(one[1] / one[0] for one in nights)
            self.lines.append(f"| {name} | {load:.2f} s | {refresh:.2f} s | {ratio:.2f} × |")
        growth = (statistics.median(sum(one) for one in late) / statistics.median(sum(one) for one in early))
        self.lines += ["", f"When the history doubles, a night takes {growth:.2f} × as long (bound 1.15 ×)."]

    def _sizes(self) -> tuple[int, int]:
        """The bytes of the rollups and of the facts."""
        rollups, facts = self.cluster.ask(
            DATABASE,
            """select sum(pg_total_relation_size(c.oid)) filter (where n.nspname = 'rollup'),
                 sum(pg_total_relation_size(c.oid)) filter (where n.nspname = 'game')
               from pg_class c join pg_namespace n on n.oid = c.relnamespace
               where c.relkind in ('r', 'm') and n.nspname in ('rollup', 'game')""").split("|")
        return int(rollups), int(facts)

    def _report_rebuild(self, seconds: float, first: tuple[int, int], second: tuple[int, int]) -> None:
        facts = int(self.cluster.ask(
            DATABASE, """select (select count(*) from game.receipt) + (select count(*) from game.level_up)
                           + (select count(*) from game.game_user_snapshot)""")) / 1e6
        # The largest program of all runs, which is that of a rebuild.
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        self.lines += [
            "", f"A full rebuild takes {seconds:.0f} s, {seconds / facts:.1f} s for a million facts. "
            f"The facts have {first[1] / 1e6:.0f} MB, the rollups {first[0] / 1e6:.0f} MB, {first[0] / first[1]:.2f} times "
            f"as much; after a second rebuild {second[0] / 1e6:.0f} MB. No program took more than {memory:.0f} MiB."]

    def _report_one_line_first(self, days: list[list[Path]]) -> None:
        """A refresh of a part of the data at once, and after a refresh of its first line."""
        part = days[: len(days) // 20]
        first = self.work / "first.receipt.jsonl"
        # As bytes: a file also has lines that are no UTF-8.
        first.write_bytes(next(path for path in part[0] if "receipt" in path.name).read_bytes().partition(b"\n")[0] + b"\n")
        seconds = []
        for lines in ([], [[first]]):
            self.cluster.ask("postgres", "create database part template template0 encoding 'UTF8'")
            self._ingest("migrate", database="part")
            if lines:
                self._load(lines, "part")
                self._timed("refresh", database="part")
            self._load(part, "part")
            seconds.append(self._timed("refresh", database="part"))
            self.cluster.ask("postgres", "drop database part")
        say(f"one line first: {seconds[1]:.1f} s, at once {seconds[0]:.1f} s")
        self.lines += ["", f"A twentieth of the days is refreshed in {seconds[0]:.1f} s; after a refresh of its first line in "
                       f"{seconds[1]:.1f} s, {seconds[1] / seconds[0]:.2f} times as long."]

    def _report_queries(self) -> None:
        lines = [["query"], ["---"], ["warm, ms"], ["cold, ms"]]
        for name, statements in sorted(numbered_queries(self._a_user()).items(), key=lambda one: int(one[0][1:])):
            warm, rows = self._warm(statements), self._query(statements)[1]
            for line, cell in zip(lines, (name, "---:", in_milliseconds(warm), in_milliseconds(self._cold(statements)))):
                line.append(cell)
            say(f"{name}: {rows} rows, {lines[2][-1]} ms, cold {lines[3][-1]} ms")
        self.lines += ["", *(f"| {' | '.join(line)} |" for line in lines)]

    def _report_rows(self) -> None:
        self.lines += ["", "| all rows of one application, 90 days | rows | warm, ms | cold, ms |", "| --- | ---: | ---: | ---: |"]
        for view, statement in ROWS.items():
            warm = in_milliseconds(self._warm(statement))
            rows = self.cluster.ask(DATABASE, f"{statement};").partition("|")[0]
            self.lines.append(f"| `{view}` | {rows} | {warm} | {in_milliseconds(self._cold(statement))} |")
            say(self.lines[-1])

    def _report_questions(self) -> None:
        milliseconds = [statistics.median(self._warm(one)) * 1000 for one in documented_questions()]
        texts = ["< 1" if one < 1 else f"{one:.0f}" for one in milliseconds]
        self.questions.append(f"Questions 1 to {len(texts)}: {', '.join(texts)}.")
        say(f"questions: {', '.join(texts)}")

    def _warm(self, statements: str) -> list[float]:
        """The seconds of all runs but the first."""
        return [self._query(statements)[0] for _ in range(WARM_RUNS + 1)][1:]

    def _a_user(self) -> str:
        return self.cluster.ask(
            DATABASE,
            f"""select user_id from report.player where app_id = '{APPLICATION}'
                order by paid_count desc, user_id limit 1""")

    def _query(self, statements: str) -> tuple[float, int]:
        """The seconds, by psql's clock, and the number of rows."""
        answer = subprocess.run(
            self.cluster.psql(f"{DATABASE} user={READER}"), input=f"\\timing on\n{statements}", capture_output=True, text=True)
        if answer.returncode:
            raise ClusterError(answer.stderr)
        times = re.findall(r"^Time: ([0-9.]+) ms", answer.stdout, re.MULTILINE)
        return sum(map(float, times)) / 1000, len(answer.stdout.splitlines()) - len(times) - 1

    def _cold(self, statements: str) -> list[float]:
        """After a restart of the server, without the system's caches; nothing where they cannot be dropped."""
        self._run("local", "stop", "--directory", str(self.cluster.folder))
        try:
            subprocess.run(["sync"], check=True)
            Path("/proc/sys/vm/drop_caches").write_text("3\n")
            dropped = True
        except OSError:
            dropped = False
        self._run("local", "start", "--directory", str(self.cluster.folder))
        seconds, _ = self._query(statements)
        return [seconds] if dropped else []


def numbered_queries(user: str) -> dict[str, str]:
    """The queries of Benchmarks/queries.sql, by number."""
    found: dict[str, str] = {}
    for part in re.split(r"\n\n(?=--)", QUERIES.read_text().strip()):
        if number := re.match(r"-- (Q\d+)\. ", part):
            statements = re.sub(r"^--.*$", "", part, flags=re.MULTILINE)
            found[number[1]] = statements.replace(f"'{USER}'", f"'{user}'").strip()
    if len(found) != 15:
        raise SystemExit(f"bench-reports: {QUERIES} has {len(found)} numbered queries instead of 15")
    return found


def documented_questions() -> list[str]:
    """The questions of docs/queries.md in their order, for an application of the benchmark."""
    found = re.findall(r"### \d+\. .*?\n\n```sql\n(.*?)```", QUESTIONS.read_text(), re.DOTALL)
    if len(found) != 30:
        raise SystemExit(f"bench-reports: {QUESTIONS} has {len(found)} questions instead of 30")
    return [one.replace(f"'{QUESTIONED}'", f"'{APPLICATION}'").strip() for one in found]


def main() -> int:
    choice = options()
    work = Path(tempfile.mkdtemp(prefix="gamebase-ingest-reports.", dir=choice.data))
    work.chmod(0o755)
    cluster = None
    try:
        cluster = Cluster(choice.binary, work / "server")
        reports = Reports(choice, work, cluster)
        reports.run()
        counts = [cluster.ask(DATABASE, f"select count(*) from game.{table}")
                  for table in ("receipt", "level_up", "game_user_snapshot")]
        facts = [f"`scripts/bench reports`, {counts[0]} receipts, {counts[1]} level-ups, {counts[2]} snapshots of "
                 f"{choice.users} users in {choice.apps} applications, "
                 f"{choice.days} days; {machine.machine()}; PostgreSQL {cluster.version()} with default settings",
                 ""]
        content = "\n".join(facts + reports.lines)
        questions = "\n".join(reports.questions)
        print(content, questions, sep="\n\n")
        return 0
    except ClusterError as error:
        print(f"bench-reports: {error}", file=sys.stderr)
        return 1
    finally:
        if cluster:
            cluster.destroy()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
