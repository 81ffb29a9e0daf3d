"""The input files: seeded, with valid and distinct lines, and the variants made from them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cluster import Cluster

STREAMS = ("receipt", "level_up", "game_user", "item", "event")
TABLES = {
    "receipt": "game.receipt", "level_up": "game.level_up", "game_user": "game.game_user_snapshot",
    "item": "game.item_snapshot", "event": "game.event"}
# The lines that each user of a game of a month brings, at least.
LINES_OF_A_USER = {"receipt": 3, "level_up": 12, "game_user": 4, "item": 2, "event": 4}
# One of this many lines is new in the mostly known file, and bad in the file with bad lines.
ONE_PERCENT = 100
# The bytes cut off the end of each bad line, often with a part of its last value.
CUT_BYTES = 20
# The lines for the check whether a repeated load is a no-op.
FEW_LINES = 2000


class DataError(Exception):
    """The generated data is not as expected."""


@dataclass
class Files:
    """The files of one stream; some variants exist only for the ways that need them."""

    stream: str
    lines: int
    folder: Path

    @property
    def plain(self) -> Path:
        return self.variant("plain.jsonl")

    def variant(self, name: str) -> Path:
        """A file whose name ends with `name`; its beginning selects the stream."""
        return self.folder / f"{self.stream}-{name}"

    @property
    def other_bytes(self) -> Path:
        return self.variant("other-bytes.jsonl")

    @property
    def without_one_percent(self) -> Path:
        return self.variant("without-one-percent.jsonl")

    @property
    def few(self) -> Path:
        return self.variant("few.jsonl")

    @property
    def bad_lines(self) -> Path:
        return self.variant("bad-lines.jsonl")

    @property
    def rows(self) -> Path:
        """The rows of the loader, in PostgreSQL's binary COPY format."""
        return self.variant("rows")

    @property
    def receipt_rows(self) -> Path:
        """The receipts that events bring, in the same format."""
        return self.variant("receipt-rows")

    @property
    def mebibytes(self) -> float:
        return self.plain.stat().st_size / (1 << 20)


def generate(
    binary: Path, folder: Path, lines: int, streams: tuple[str, ...] = STREAMS, days: int = 31,
    until: str = "2025-07-31", seed: int = 1,
) -> dict[str, Files]:
    """Writes a file of distinct, valid lines for each stream."""
    made = folder / "made"
    found = {}
    for stream in streams:
        users = 100 + lines // LINES_OF_A_USER[stream]
        answer = subprocess.run(
            [str(binary), "generate", str(made), "--stream", stream, "--users", str(users),
             "--days", str(days), "--until", until, "--seed", str(seed), "--bad-share", "0"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if answer.returncode:
            raise DataError(f"generate: {answer.stderr.strip()}")
        found[stream] = Files(stream, lines, folder)
        # A line that comes twice has the same bytes.
        known: set[int] = set()
        with open(found[stream].plain, "wb") as file:
            for path in sorted((made / stream).iterdir()):
                for line in _lines(path):
                    if len(known) < lines and hash(line) not in known:
                        known.add(hash(line))
                        file.write(line)
        if len(known) < lines:
            raise DataError(f"{stream}: {len(known)} lines in place of {lines}")
        shutil.rmtree(made)
    return found


def make(binary: Path, folder: Path, lines: int) -> dict[str, Files]:
    """Makes all files except the rows."""
    streams = generate(binary, folder, lines)
    for files in streams.values():
        _write(files.other_bytes, map(in_other_bytes, _lines(files.plain)))
        _write(files.bad_lines, (
            cut(line) if is_left_out(number) else line for number, line in enumerate(_lines(files.plain))))
        for program, ending in (("gzip", "gz"), ("zstd", "zst")):
            with open(files.variant(f"packed.jsonl.{ending}"), "wb") as packed:
                subprocess.run([program, "-q", "-c", str(files.plain)], stdout=packed, check=True)
    receipts = streams["receipt"]
    _write(receipts.without_one_percent, (
        line for number, line in enumerate(_lines(receipts.plain))
        if not is_left_out(number)))
    _write(receipts.few, (
        line for number, line in enumerate(_lines(receipts.plain)) if number < FEW_LINES))
    return streams


def cut(line: bytes) -> bytes:
    """The line without its end, so that it is malformed."""
    return line.rstrip(b"\n")[:-CUT_BYTES] + b"\n"


def is_left_out(number: int) -> bool:
    """True for one line of each hundred, in its middle."""
    return number % ONE_PERCENT == ONE_PERCENT // 2


def left_out(lines: int) -> int:
    return sum(map(is_left_out, range(lines)))


def in_other_bytes(line: bytes) -> bytes:
    """The same record with its first member last and a few added spaces."""
    first, comma, rest = line.partition(b",")
    if not comma or not first.startswith(b'{"') or first.count(b'"') != 4 or b"\\" in first:
        raise DataError("a line of the generator has an unexpected form")
    return b"{ " + rest.rstrip(b"\n")[:-1] + b", " + first[1:] + b"}\n"


def make_rows(cluster: Cluster, files: Files, database: str) -> None:
    """Exports the rows that the loader has stored in a database, in the order of the file."""
    table = TABLES[files.stream]
    cluster.ask(
        database,
        f"\\copy (select * from {table} order by line_number) to '{files.rows}' (format binary)")
    if files.stream == "event":
        cluster.ask(
            database, "\\copy (select * from game.receipt order by line_number) "
            f"to '{files.receipt_rows}' (format binary)")


def _lines(path: Path) -> Iterator[bytes]:
    with open(path, "rb") as file:
        yield from file


def _write(path: Path, lines: Iterable[bytes]) -> None:
    with open(path, "wb") as file:
        file.writelines(lines)
