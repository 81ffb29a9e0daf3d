"""The measured ways: the command, its database, and the expected rows."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from cluster import MEASURED, Cluster
from data import STREAMS, TABLES, Files, left_out
from measuring import Command

HERE = Path(__file__).parent
# Migrated, with the partitions of the data and without rows.
EMPTY = "empty"


class WrongRows(Exception):
    """A way has not loaded the expected rows, so its time is invalid."""


@dataclass(frozen=True)
class Expected:
    """A query and its expected answer after the way has run."""

    question: str
    answer: int


@dataclass(frozen=True)
class Way:
    """One way of loading, measured at least once per round."""

    # The group and the short name, as in --only.
    name: str
    label: str
    commands: tuple[Command, ...]
    expected: tuple[Expected, ...]
    template: str = EMPTY
    database: str = MEASURED
    together: bool = False
    times: int = 1

    @property
    def group(self) -> str:
        return self.name.partition("/")[0]

    def check(self, cluster: Cluster) -> None:
        for expected in self.expected:
            answer = cluster.ask(self.database, expected.question)
            if answer != str(expected.answer):
                raise WrongRows(
                    f"{self.name}: {expected.question} gives {answer}, expected {expected.answer}")


def loaded(stream: str) -> str:
    """The database that already holds a stream's file."""
    return f"loaded_{stream}"


def nearly_loaded(stream: str) -> str:
    """The database that holds 99 percent of a stream's file."""
    return f"nearly_{stream}"


def rows_of(stream: str, count: int) -> Expected:
    return Expected(f"select count(*) from {TABLES[stream]}", count)


def counted(column: str, count: int) -> Expected:
    """The expected count of the last file in the ledger."""
    return Expected(
        f"select {column} from ingest.source_file order by source_file_id desc limit 1", count)


class Ways:
    """The ways of a run."""

    def __init__(self, binary: Path, cluster: Cluster, streams: dict[str, Files]) -> None:
        self.binary = binary
        self.cluster = cluster
        self.streams = streams
        self.lines = next(iter(streams.values())).lines

    def load(self, *arguments: Path | str, codes: tuple[int, ...] = (0,)) -> Command:
        return Command(
            (str(self.binary), "load", *map(str, arguments), "--no-refresh", "--quiet", "--database",
             self.cluster.conninfo(MEASURED)), codes=codes)

    def copy(self, stream: str) -> Command:
        """A `\\copy` of prepared rows; of events and of the receipts that they bring."""
        files = self.streams[stream]
        copies = [(TABLES[stream], files.rows)]
        if stream == "event":
            copies.append((TABLES["receipt"], files.receipt_rows))
        return Command(tuple(self.cluster.psql(MEASURED, *(
            f"--command=\\copy {table} from '{rows}' (format binary)" for table, rows in copies))))

    def all(self) -> list[Way]:
        ways = [way for stream in STREAMS for way in self.of_stream(self.streams[stream])]
        return [*ways, self.mostly_known(self.streams["receipt"]), *self.two()]

    def of_stream(self, files: Files) -> list[Way]:
        stream, lines = files.stream, files.lines
        rows = rows_of(stream, lines)
        return [
            # The limit is measured twice per round, because other results are divided by it, and so
            # are ways that may differ from it by only a few percent.
            Way(f"{stream}/limit", "limit", (self.copy(stream),), (rows,), times=2),
            Way(f"{stream}/fresh", "gamebase-ingest", (self.load(files.plain),),
                (rows, counted("inserted_count", lines)), times=2),
            Way(f"{stream}/again", "the same file again", (self.load(files.plain),),
                (rows, Expected("select count(*) from ingest.source_file", 1)), loaded(stream)),
            Way(f"{stream}/other-bytes", "the same rows in other bytes",
                (self.load(files.other_bytes),),
                (rows, counted("duplicate_count", lines)), loaded(stream)),
            Way(f"{stream}/rejects", "1 % of the lines are refused",
                (self.load(files.bad_lines, "--max-rejects", "unlimited", codes=(3,)),),
                (rows_of(stream, lines - left_out(lines)),
                 Expected("select count(*) from ingest.reject", left_out(lines))), times=2),
            Way(f"{stream}/gzip", "from a gzip file",
                (self.load(files.variant("packed.jsonl.gz")),), (rows,)),
            Way(f"{stream}/zstd", "from a zstd file",
                (self.load(files.variant("packed.jsonl.zst")),), (rows,)),
        ]

    def mostly_known(self, files: Files) -> Way:
        new = left_out(files.lines)
        return Way(
            f"{files.stream}/mostly-known", "99 % are known, 1 % are new",
            (self.load(files.other_bytes),),
            (rows_of(files.stream, files.lines), counted("inserted_count", new),
             counted("duplicate_count", files.lines - new)), nearly_loaded(files.stream))

    def two(self) -> list[Way]:
        """Two files of different streams, in sequence and in parallel."""
        pair = ("receipt", "level_up")
        rows = tuple(rows_of(stream, self.lines) for stream in pair)
        copies = tuple(self.copy(stream) for stream in pair)
        files = tuple(self.streams[stream].plain for stream in pair)
        return [
            Way("two/copy-1", "two COPY, one after the other", copies, rows, times=2),
            Way("two/copy-2", "two COPY at once", copies, rows, together=True, times=2),
            Way("two/jobs-1", "`--jobs 1`", (self.load(*files, "--jobs", "1"),), rows, times=2),
            Way("two/jobs-2", "`--jobs 2`", (self.load(*files, "--jobs", "2"),), rows, times=2),
        ]

    def by_psql(self) -> list[Way]:
        """The ways that need only psql."""
        files = self.streams["receipt"]
        rows = (rows_of("receipt", files.lines),)
        return [
            Way("peer/psql-rows", "psql: ready-made rows, temp table, `on conflict do nothing`",
                (self.merge_rows(files.rows),), rows),
            Way("peer/psql-jsonb", "psql: jsonb staging, then SQL",
                (self.stage_jsonb(files.plain),), rows),
        ]

    def merge_rows(self, path: Path) -> Command:
        return Command(tuple(self.cluster.psql(
            MEASURED, "--command=begin",
            "--command=create temp table ready (like game.receipt)",
            f"--command=\\copy ready from '{path}' (format binary)",
            "--command=insert into game.receipt select * from ready on conflict do nothing",
            "--command=commit")))

    def stage_jsonb(self, path: Path) -> Command:
        return Command(
            tuple(self.cluster.psql(MEASURED, f"--file={HERE / 'psql-jsonb.sql'}")), stdin=path)


def prepare(ways: Ways, cluster: Cluster) -> None:
    """Creates the template databases of the ways.

    Databases with rows are vacuumed and analyzed, as autovacuum does some time after a load.
    """
    binary = str(ways.binary)
    first_month = "2025-07-01"
    cluster.ask("postgres", f"create database {EMPTY}")
    run((binary, "migrate", "--database", cluster.conninfo(EMPTY)))
    for stream in ("level_up", "game_user", "item", "event"):
        cluster.ask(EMPTY, f"select ingest.ensure_partition('{stream}', '{first_month}')")
    for stream, files in ways.streams.items():
        _make_loaded(binary, cluster, loaded(stream), files.plain)
        count = cluster.ask(loaded(stream), rows_of(stream, files.lines).question)
        if count != str(files.lines):
            raise WrongRows(f"{files.plain} has {files.lines} lines and became {count} rows")
        if stream == "receipt":
            _make_loaded(binary, cluster, nearly_loaded(stream), files.without_one_percent)


def _make_loaded(binary: str, cluster: Cluster, name: str, path: Path) -> None:
    cluster.create(name, EMPTY)
    run((binary, "load", str(path), "--no-refresh", "--quiet", "--database", cluster.conninfo(name)))
    cluster.ask(name, "vacuum (analyze)")


def run(arguments: tuple[str, ...]) -> None:
    """Runs a command that is not measured."""
    answer = subprocess.run(
        arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if answer.returncode:
        raise WrongRows(f"{' '.join(arguments)}: {answer.stderr.strip()}")
