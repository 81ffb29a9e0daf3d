"""Measures loads against the limit of the server and against other tools, all ways interleaved."""

from __future__ import annotations

import argparse
import calendar
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import machine
from data import STREAMS, Files, first_lines, generate, left_out, write_variants
from results import Results
from server import MEASURED, ROOT, BenchError, Command, Server, measure, output, say

HERE = ROOT / "Benchmarks"
# Migrated, with the partitions of the data and without rows.
EMPTY = "empty"
# The lines for the check whether a repeated load is a no-op.
FEW_LINES = 2000
LINES_OF_A_SMALL_FILE = 10
# The lines of a round of one of the sizes: a smaller file is measured more often, because its time varies more.
LINES_OF_A_SIZE = 600_000
PEERS = {
    "psycopg": "psycopg binary COPY + orjson", "adbc": "ADBC + Arrow", "dlt": "dlt + Arrow",
    "duckdb": "DuckDB + its postgres extension"}
# A checksum that every way must give for the same lines, over columns that need no reference data.
SAME = """select coalesce(sum(hashtextextended(concat_ws('|', payment_seq, app_id, user_id,
  gamebase_product_id, market_item_id, item_seq, store_code, currency, purchased_at, expires_at,
  payment_id, original_payment_id, purchase_token_sha256), 0)), 0) from game.receipt"""
SOURCE_FILES = "select count(*) from ingest.source_file"


@dataclass(frozen=True)
class Way:
    """One way of loading, measured `times` in each round."""

    # The group and the short name, as in --only.
    name: str
    label: str
    commands: tuple[Command, ...]
    # The questions to the database after it, and the answers; other answers end the run.
    expected: dict[str, int]
    # The database of which it gets a copy.
    template: str = EMPTY
    together: bool = False
    times: int = 1

    @property
    def group(self) -> str:
        return self.name.rpartition("/")[0]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lines", type=int, default=1_000_000, help="lines of each file")
    parser.add_argument("--rounds", type=int, default=5, help="number of measurements of each way")
    parser.add_argument(
        "--only", action="append", default=[], metavar="WAY",
        help="prefix of the ways to measure, such as receipt/ or peer/dlt; may be repeated")
    parser.add_argument(
        "--peers", action=argparse.BooleanOptionalAction, default=True, help="measure other tools too")
    parser.add_argument(
        "--growth", type=int, nargs="?", const=20_000_000, metavar="ROWS",
        help="also load into a table that has grown to this many rows (%(const)s)")
    parser.add_argument(
        "--small", type=int, nargs="?", const=10_000, metavar="FILES",
        help="also load this many files of ten lines (%(const)s)")
    parser.add_argument(
        "--sizes", type=int, nargs="*", metavar="LINES",
        help="also load files with these numbers of lines (100000 300000 1000000)")


def run(choice: argparse.Namespace, server: Server, work: Path) -> None:
    if choice.sizes == []:
        choice.sizes = [100_000, 300_000, 1_000_000]
    results = Results(choice, machine.facts(server))
    Loads(choice, server, work, results).run()
    (ROOT / ".build").mkdir(exist_ok=True)
    results.write(ROOT / ".build" / "bench.json")
    print(results.tables())


def rows_of(stream: str, count: int) -> dict[str, int]:
    return {f"select count(*) from {STREAMS[stream][0]}": count}


def counted(column: str, count: int) -> dict[str, int]:
    """The expected count of the last file in the ledger."""
    return {f"select {column}_count from ingest.source_file order by source_file_id desc limit 1": count}


class Loads:
    """The ways of a run, and the databases and files that they need."""

    def __init__(self, choice: argparse.Namespace, server: Server, work: Path, results: Results) -> None:
        self.choice, self.server, self.work, self.results = choice, server, work, results
        # The files to load into a copy of the empty database, by the name of a database that ways copy.
        self.templates: dict[str, Callable[[], Iterable[Path]]] = {}

    def run(self) -> None:
        self.server.create(EMPTY)
        measure(self.server.ingest("migrate", database=EMPTY))
        for stream in STREAMS:
            if stream != "receipt":
                self.server.ask(EMPTY, f"select ingest.ensure_partition('{stream}', '2025-07-01')")
        ways = [way for part in (self._streams, self._growth, self._small, self._sizes) for way in part()]
        found = [way for way in ways if self._wants(way.name)]
        # Every way is compared with the limit of its group.
        groups = {"receipt" if way.group == "peer" else way.group for way in found}
        chosen = [way for way in ways if way in found or way.name.endswith("/limit") and way.group in groups]
        if not chosen:
            raise BenchError(f"no way's name begins with {' or '.join(self.choice.only)}")
        say("making the databases of the ways")
        for name in dict.fromkeys(way.template for way in chosen if way.template != EMPTY):
            self._make(name)
        self.results.labels = {way.name: way.label for way in chosen}
        for number in range(self.choice.rounds):
            say(f"round {number + 1} of {self.choice.rounds}: {sum(way.times for way in chosen)} loads")
            for way in in_turn(chosen, number, self.choice.rounds):
                self.server.fresh(way.template)
                self._measure(way)

    def _wants(self, name: str) -> bool:
        return not self.choice.only or any(
            name.startswith(only) or only.startswith(name) for only in self.choice.only)

    def _measure(self, way: Way) -> None:
        taken = measure(*way.commands, together=way.together)
        self._check(way)
        self.results.samples.setdefault(way.name, []).append(taken)
        print(f"{way.name:28} {taken.seconds:8.2f} s {taken.peak_kib // 1024:6} MiB", file=sys.stderr)

    def _check(self, way: Way) -> None:
        for question, answer in way.expected.items():
            found = self.server.ask(MEASURED, question)
            if found != str(answer):
                raise BenchError(f"{way.name}: {question} gives {found}, expected {answer}")

    def _make(self, name: str) -> None:
        """Makes a database with rows, vacuumed and analyzed, as autovacuum does some time after a load."""
        self.server.create(name, EMPTY)
        for path in self.templates[name]():
            measure(self.server.load(path, database=name))
        self.server.ask(name, "vacuum (analyze)")

    def _make_rows(self, files: Files) -> None:
        """Loads a file, and exports the rows for the ways that take them."""
        self.templates["rows"] = lambda: [files.plain]
        self._make("rows")
        [question] = rows_of(files.stream, files.lines)
        found = self.server.ask("rows", question)
        if found != str(files.lines):
            raise BenchError(f"{files.plain} has {files.lines} lines and became {found} rows")
        for table, path in files.rows.items():
            self.server.ask(
                "rows", f"\\copy (select * from {table} order by line_number) to '{path}' (format binary)")
        self.server.drop("rows")

    # The ways.

    def _streams(self) -> Iterator[Way]:
        """The ways of each stream, of two streams, and of other tools."""
        if not any(map(self._wants, [f"{stream}/" for stream in (*STREAMS, "two", "peer")])):
            return
        say(f"making {self.choice.lines} lines of each stream")
        streams = generate(self.server.program, self.work / "data", self.choice.lines)
        sizes = [f"{files.plain.stat().st_size / (1 << 20):.0f} MiB of {name}" for name, files in streams.items()]
        self.results.facts["data"] = f"{self.choice.lines:,} lines of each stream: {', '.join(sizes)}"
        for stream, files in streams.items():
            write_variants(files)
            self._make_rows(files)
            self.templates |= {
                f"loaded_{stream}": lambda files=files: [files.plain],
                f"nearly_{stream}": lambda files=files: [files.path("without-one-percent.jsonl")]}
            yield from self._of_stream(files)
        yield from self._two(streams["receipt"], streams["level_up"])
        yield from self._others(streams["receipt"])

    def _limit_and_fresh(self, files: Files, group: str, times: int = 2) -> Iterator[Way]:
        """The limit is measured twice in a round, because other results are divided by it, and so are ways that may differ
        from it by only a few percent."""
        rows = rows_of(files.stream, files.lines)
        yield Way(f"{group}/limit", "limit", (self._copy(files),), rows, times=times)
        yield Way(f"{group}/fresh", "gamebase-ingest", (self.server.load(files.plain),),
                  rows | counted("inserted", files.lines), times=times)

    def _of_stream(self, files: Files) -> Iterator[Way]:
        stream, lines, new = files.stream, files.lines, left_out(files.lines)
        rows = rows_of(stream, lines)
        yield from self._limit_and_fresh(files, stream)

        def way(name: str, label: str, variant: str, expected: dict[str, int], template: str = EMPTY) -> Way:
            return Way(f"{stream}/{name}", label, (self.server.load(files.path(variant)),), expected, template)

        yield way("again", "the same file again", "plain.jsonl", rows | {SOURCE_FILES: 1}, f"loaded_{stream}")
        yield way("other-bytes", "the same rows in other bytes", "other-bytes.jsonl",
                  rows | counted("duplicate", lines), f"loaded_{stream}")
        if stream == "receipt":
            yield way("mostly-known", "99 % known, 1 % new", "other-bytes.jsonl",
                      rows | counted("inserted", new) | counted("duplicate", lines - new), f"nearly_{stream}")
        yield way("gzip", "gzip", "packed.jsonl.gz", rows)
        yield way("zstd", "Zstandard", "packed.jsonl.zst", rows)
        yield Way(f"{stream}/rejects", "1 % refused",
                  (self.server.load(files.path("bad-lines.jsonl"), "--max-rejects", "unlimited", codes=(3,)),),
                  rows_of(stream, lines - new) | {"select count(*) from ingest.reject": new}, times=2)

    def _copy(self, files: Files) -> Command:
        """A `\\copy` of prepared rows; of events and of the receipts that they bring."""
        return self.server.psql(MEASURED, *(
            f"--command=\\copy {table} from '{rows}' (format binary)" for table, rows in files.rows.items()))

    def _two(self, *pair: Files) -> Iterator[Way]:
        """Two files of different streams, in sequence and in parallel."""
        rows = {question: count for files in pair for question, count in rows_of(files.stream, files.lines).items()}
        copies = tuple(map(self._copy, pair))
        for jobs in (1, 2):
            load = self.server.load(*(files.plain for files in pair), "--jobs", f"{jobs}")
            yield Way(f"two/copy-{jobs}", f"{jobs} COPY at once", copies, rows, together=jobs == 2, times=2)
            yield Way(f"two/jobs-{jobs}", f"--jobs {jobs}", (load,), rows, times=2)

    def _others(self, files: Files) -> list[Way]:
        """Other means to load receipts, once the repeat of each with a few lines is tried."""
        python = self._python() if self.choice.peers and self._wants("peer/") else None
        few = first_lines(files, FEW_LINES, self.work / "few")
        found, tried = list(self._peers(files, python)), list(self._peers(few, python))
        if any(self._wants(way.name) for way in found):
            say("loading a few lines twice with each of the other tools")
            self._make_rows(few)
            # The loader is the first, and its rows are what the others must store.
            [_, fresh] = self._limit_and_fresh(few, "receipt")
            wanted = ""
            for way in [fresh, *(way for way in tried if self._wants(way.name))]:
                self.server.fresh(EMPTY)
                measure(*way.commands)
                self._check(way)
                wanted = wanted or self.server.ask(MEASURED, SAME)
                if self.server.ask(MEASURED, SAME) != wanted:
                    raise BenchError(f"{way.name} stores other rows than the loader for the same lines")
                self.results.repeats[way.name] = self._repeat(way)
        return found

    def _repeat(self, way: Way) -> str:
        """Whether it changes nothing once more."""
        try:
            measure(*way.commands)
        except BenchError:
            return "no: it fails"
        [question] = rows_of("receipt", 0)
        more = int(self.server.ask(MEASURED, question)) - way.expected[question]
        return f"no: {more} rows more" if more else "yes"

    def _python(self) -> Path | None:
        """A Python with the packages of the other tools; None where pip cannot install them."""
        program = '. "$0"; virtual_environment bench-python <"$1"; echo "$virtual/bin/python"'
        try:
            python = output("bash", "-euc", program, ROOT / "scripts/lib/setup.sh", HERE / "requirements.txt")
        except BenchError as problem:
            say(f"SKIPPED: psycopg, ADBC, dlt and DuckDB: {problem}")
            self.results.facts["not measured"] = "psycopg, ADBC, dlt and DuckDB, whose packages pip cannot install"
            return None
        pinned = (HERE / "requirements.txt").read_text().splitlines()
        self.results.facts["peers"] = ", ".join(line.replace("==", " ") for line in pinned if "==" in line)
        return Path(python)

    def _peers(self, files: Files, python: Path | None) -> Iterator[Way]:
        rows = rows_of("receipt", files.lines)
        yield Way("peer/psql-rows", "psql: ready-made rows, temp table, `on conflict do nothing`", (self.server.psql(
            MEASURED, "--command=begin", "--command=create temp table ready (like game.receipt)",
            f"--command=\\copy ready from '{files.rows['game.receipt']}' (format binary)",
            "--command=insert into game.receipt select * from ready on conflict do nothing", "--command=commit"),), rows)
        staging = self.server.psql(MEASURED, f"--file={HERE / 'psql-jsonb.sql'}").arguments
        yield Way("peer/psql-jsonb", "psql: jsonb staging, then SQL", (Command(staging, stdin=files.plain),), rows)
        for name, label in PEERS.items() if python else ():
            for manner in ("append", "merge"):
                yield Way(f"peer/{name}-{manner}", f"{label}, {manner}", (Command((
                    str(python), str(HERE / "peers.py"), name, manner, str(files.plain),
                    self.server.conninfo(MEASURED))),), rows)

    def _growth(self) -> Iterator[Way]:
        """Whether a row costs more to load into a grown table: a month of level-ups, after all those before it."""
        if not self.choice.growth or not self._wants("growth/"):
            return
        lines = self.choice.lines
        months = max(1, -(-self.choice.growth // lines))

        def month(number: int) -> Path:
            year, month = 2020 + number // 12, number % 12 + 1
            days = calendar.monthrange(year, month)[1]
            folder = self.work / "growth" / f"{number}"
            until = f"{year}-{month:02}-{days}"
            return generate(self.server.program, folder, lines, ["level_up"], days, until, number + 1)["level_up"].plain

        def earlier() -> Iterator[Path]:
            for number in range(months):
                path = month(number)
                yield path
                shutil.rmtree(path.parent)

        self.templates["grown"] = earlier
        self.results.facts["growth"] = f"a table of {months * lines:,} level-ups"
        load = self.server.load(month(months))
        for name, template, before in (("first", EMPTY, 0), ("next", "grown", months)):
            yield Way(f"growth/{name}", f"{lines:,} level-ups into {before * lines:,}", (load,),
                      rows_of("level_up", (before + 1) * lines) | counted("inserted", lines), template)

    def _small(self) -> Iterator[Way]:
        """The cost of a small file: many files of ten receipts, compared with as many one-row commits by psql."""
        if not self.choice.small or not self._wants("small/"):
            return
        count, folder = self.choice.small, self.work / "small"
        files = generate(self.server.program, folder, count * LINES_OF_A_SMALL_FILE, ["receipt"])["receipt"]
        inbox, commits = folder / "inbox", folder / "commits.sql"
        inbox.mkdir()
        lines = iter(files.read())
        for number in range(count):
            (inbox / f"receipt-{number:06}.jsonl").write_bytes(b"".join(islice(lines, LINES_OF_A_SMALL_FILE)))
        commits.write_text("create table one (number bigint primary key, text text);\n" + "".join(
            f"insert into one values ({number}, 'row {number}');\n" for number in range(count)))
        self.templates["small"] = lambda: [inbox]
        loaded = {f"{SOURCE_FILES} where inserted_count = {LINES_OF_A_SMALL_FILE}": count}
        load = self.server.load(inbox)
        self.results.small_files, self.results.trips_of_a_file = count, self._round_trips(load) / count
        yield Way("small/commits", "psql: one-row commits", (self.server.psql(MEASURED, f"--file={commits}"),),
                  {"select count(*) from one": count})
        yield Way("small/fresh", f"{count:,} new files of ten receipts", (load,), loaded)
        yield Way("small/again", "the same files again", (load,), loaded, "small")

    def _round_trips(self, load: Command) -> int:
        """The round trips of a load: one for each statement, and two for COPY."""
        self.server.fresh(EMPTY)
        log = self.server.folder / "server.log"
        start = log.stat().st_size
        measure(Command(load.arguments, environment={"PGOPTIONS": "-c log_statement=all"}))
        with open(log, "rb") as written:
            written.seek(start)
            text = written.read()
        return sum(map(text.count, (b"LOG:  statement: ", b"LOG:  execute ", b"statement: copy ")))

    def _sizes(self) -> Iterator[Way]:
        """The fixed cost of a run: loads of smaller files, compared with the limit of the same size."""
        for lines in self.choice.sizes if self.choice.sizes and self._wants("sizes/") else ():
            for stream, files in generate(self.server.program, self.work / f"{lines}", lines).items():
                self._make_rows(files)
                times = min(6, max(2, LINES_OF_A_SIZE // lines))
                yield from self._limit_and_fresh(files, f"sizes/{stream}/{lines}", times)


def in_turn(ways: list[Way], number: int, rounds: int) -> list[Way]:
    """All ways of a round, each as often as it is measured.

    Limit and load are neighbors, and the order rotates and turns round from round to round, so that no way profits from
    its position.
    """
    order = [way for turn in range(max(way.times for way in ways)) for way in ways if turn < way.times]
    start = number * len(order) // max(1, rounds)
    return (order[start:] + order[:start])[:: 1 if number % 2 == 0 else -1]
