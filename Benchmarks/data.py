"""The input files: seeded, with valid and distinct lines, and the variants made from them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cluster import Cluster

STREAMS = ("receipt", "level_up", "game_user", "item", "event")
TABLES = {
    "receipt": "game.receipt", "level_up": "game.level_up", "game_user": "game.game_user_snapshot",
    "item": "game.item_snapshot", "event": "game.event"}
# One of this many lines is new in the mostly known file, and bad in the file with bad lines.
ONE_PERCENT = 100
# One of this many lines is in the file of malformed lines.
BROKEN_SHARE = 10
# The bytes cut off the end of each of those lines, often with a part of its last value.
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
    bad: int = 0

    @property
    def plain(self) -> Path:
        return self.folder / self.stream / f"{self.stream}-0001.jsonl"

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
    def broken(self) -> Path:
        return self.variant("broken.jsonl")

    @property
    def broken_lines(self) -> int:
        return -(-self.lines // BROKEN_SHARE)

    @property
    def bad_lines(self) -> Path:
        return self.folder / "bad" / self.stream / f"{self.stream}-0001.jsonl"

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
    binary: Path, folder: Path, lines: int, bad_share: float, *more: str, files: int = 1,
) -> dict[str, int]:
    """Runs the generator; returns the number of bad lines of each stream."""
    answer = subprocess.run(
        [str(binary), "generate", str(folder), "--count", str(lines), "--files", str(files),
         "--bad-share", str(bad_share), "--repeat-share", "0", "--late-share", "0",
         "--correction-share", "0", *more],
        stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if answer.returncode:
        raise DataError(f"generate: {answer.stderr.strip()}")
    # folder, files, lines, repeats, bad lines, late lines, corrections, bytes
    table = [row.split() for row in (answer.stdout + answer.stderr).splitlines()[1:]]
    return {Path(row[0]).name: int(row[4]) for row in table if len(row) == 8}


def make(binary: Path, folder: Path, lines: int) -> dict[str, Files]:
    """Makes all files except the rows."""
    generate(binary, folder, lines, 0)
    bad = generate(binary, folder / "bad", lines, 1 / ONE_PERCENT)
    streams = {}
    for stream in STREAMS:
        files = Files(stream, lines, folder, bad[stream])
        _write(files.other_bytes, map(in_other_bytes, _lines(files.plain)))
        for program, ending in (("gzip", "gz"), ("zstd", "zst")):
            with open(files.variant(f"packed.jsonl.{ending}"), "wb") as packed:
                subprocess.run([program, "-q", "-c", str(files.plain)], stdout=packed, check=True)
        streams[stream] = files
    receipts = streams["receipt"]
    _write(receipts.without_one_percent, (
        line for number, line in enumerate(_lines(receipts.plain))
        if not is_left_out(number)))
    _write(receipts.broken, (
        line.rstrip(b"\n")[:-CUT_BYTES] + b"\n" for number, line in enumerate(_lines(receipts.plain))
        if number % BROKEN_SHARE == 0))
    _write(receipts.few, (
        line for number, line in enumerate(_lines(receipts.plain)) if number < FEW_LINES))
    return streams


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
