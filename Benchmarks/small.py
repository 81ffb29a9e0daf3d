"""The cost of a small file: many files of ten receipts, compared with as many one-row commits by psql."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from cluster import MEASURED, Cluster
from data import generate
from measuring import Command
from ways import Expected, Way, run

BARE = "small_bare"
LINES_OF_A_FILE = 10


class SmallFiles:
    """A folder of small files, loaded for the first time and again."""

    def __init__(
        self, binary: Path, cluster: Cluster, folder: Path, count: int,
        measure: Callable[[Way, int], None],
    ) -> None:
        self.binary, self.cluster, self.folder, self.count = binary, cluster, folder, count
        self.measure = measure
        self.inbox = folder / "receipt"
        self.commits = folder / "commits.sql"

    def run(self, rounds: int) -> float:
        """Measures; returns the number of round trips per new file."""
        files = generate(self.binary, self.folder, self.count * LINES_OF_A_FILE, ("receipt",))
        self.inbox.mkdir()
        with open(files["receipt"].plain, "rb") as lines:
            for number in range(self.count):
                (self.inbox / f"receipt-{number:06}.jsonl").write_bytes(b"".join(islice(lines, LINES_OF_A_FILE)))
        self.commits.write_text("create table one (number bigint primary key, text text);\n" + "".join(
            f"insert into one values ({number}, 'row {number}');\n" for number in range(self.count)))
        self.cluster.ask("postgres", f"create database {BARE}")
        run((str(self.binary), "migrate", "--database", self.cluster.conninfo(BARE)))
        for number in range(rounds):
            self.cluster.fresh(BARE)
            self.measure(self._way("small/commits", "psql: one-row commits", Command(tuple(
                self.cluster.psql(MEASURED, f"--file={self.commits}"))), "one", self.count), number)
            self.cluster.fresh(BARE)
            self.measure(self._load("small/fresh", "new files"), number)
            self.cluster.quiesce()
            self.measure(self._load("small/again", "the same files again"), number)
            self.measure(self._way("small/read", "reading the files (`cat`)", Command(
                ("find", str(self.inbox), "-type", "f", "-exec", "cat", "{}", "+")),
                "ingest.source_file", self.count), number)
        return self._statements()

    def _load(self, name: str, label: str) -> Way:
        return self._way(
            name, label, Command((str(self.binary), "load", str(self.inbox), "--no-refresh", "--quiet", "--database",
                                  self.cluster.conninfo(MEASURED))),
            "ingest.source_file where inserted_count = 10", self.count)

    def _way(self, name: str, label: str, command: Command, table: str, count: int) -> Way:
        return Way(
            name, label, (command,), (Expected(f"select count(*) from {table}", count),),
            template=BARE)

    def _statements(self) -> float:
        """The round trips per file: one per statement, and two for COPY."""
        self.cluster.fresh(BARE)
        log = self.cluster.folder / "server.log"
        start = log.stat().st_size
        answer = subprocess.run(
            self._load("small/fresh", "").commands[0].arguments, stdin=subprocess.DEVNULL,
            env=os.environ | {"PGOPTIONS": "-c log_statement=all"}, capture_output=True)
        if answer.returncode:
            raise SystemExit(f"scripts/bench: {answer.stderr.decode(errors='replace')}")
        with open(log, "rb") as written:
            written.seek(start)
            lines = written.read().splitlines()
        statements = [line for line in lines if b"LOG:  statement: " in line or b"LOG:  execute " in line]
        copies = [line for line in statements if b"statement: copy " in line]
        return (len(statements) + len(copies)) / self.count
