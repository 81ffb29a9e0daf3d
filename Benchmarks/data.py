"""The input files: seeded, with valid and distinct lines, and the variants made from them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from server import BenchError, output

# By stream: its table, its rows in words, and the lines that each user of a game of a month brings, at least.
STREAMS = {
    "receipt": ("game.receipt", "receipts", 3),
    "level_up": ("game.level_up", "level-ups", 12),
    "game_user": ("game.game_user_snapshot", "game users", 4),
    "item": ("game.item_snapshot", "items", 2),
    "event": ("game.event", "events", 4)}
# The bytes cut off the end of each bad line, often with a part of its last value.
CUT_BYTES = 20


@dataclass(frozen=True)
class Files:
    """The files of one stream: `plain`, the rows that the loader makes of it, and variants for the ways that need them."""

    stream: str
    lines: int
    folder: Path

    def path(self, variant: str) -> Path:
        """The beginning of the name selects the stream."""
        return self.folder / f"{self.stream}-{variant}"

    @property
    def plain(self) -> Path:
        return self.path("plain.jsonl")

    @property
    def rows(self) -> dict[str, Path]:
        """By table, in PostgreSQL's binary format; events bring receipts."""
        streams = [self.stream] + ["receipt"] * (self.stream == "event")
        return {STREAMS[stream][0]: self.path(f"{stream}.rows") for stream in streams}

    def write(self, variant: str, lines: Iterable[bytes]) -> Path:
        with open(self.path(variant), "wb") as file:
            file.writelines(lines)
        return self.path(variant)

    def read(self) -> Iterable[bytes]:
        with open(self.plain, "rb") as file:
            yield from file


def generate(
    program: Path, folder: Path, lines: int, streams: Iterable[str] = STREAMS, days: int = 31,
    until: str = "2025-07-31", seed: int = 1,
) -> dict[str, Files]:
    """Writes a file of distinct, valid lines for each stream."""
    made = folder / "made"
    found = {}
    for stream in streams:
        users = 100 + lines // STREAMS[stream][2]
        output(program, "generate", made, "--stream", stream, "--users", f"{users}", "--days", f"{days}",
               "--until", until, "--seed", f"{seed}", "--bad-share", "0")
        found[stream] = files = Files(stream, lines, folder)
        # A line that comes twice has the same bytes.
        known: set[int] = set()
        with open(files.plain, "wb") as file:
            for path in sorted((made / stream).iterdir()):
                with open(path, "rb") as generated:
                    for line in generated:
                        if len(known) < lines and hash(line) not in known:
                            known.add(hash(line))
                            file.write(line)
        if len(known) < lines:
            raise BenchError(f"{stream}: {len(known)} lines in place of {lines}")
        shutil.rmtree(made)
    return found


def write_variants(files: Files) -> None:
    """Writes the same rows in other bytes, packed files, one percent of bad lines, and all but one percent."""
    files.write("other-bytes.jsonl", map(in_other_bytes, files.read()))
    files.write("bad-lines.jsonl", (
        line[: -CUT_BYTES - 1] + b"\n" if is_left_out(number) else line for number, line in enumerate(files.read())))
    files.write("without-one-percent.jsonl", (
        line for number, line in enumerate(files.read()) if not is_left_out(number)))
    for program, ending in (("gzip", "gz"), ("zstd", "zst")):
        output("sh", "-c", f'{program} -q -c "$1" > "$2"', "sh", files.plain, files.path(f"packed.jsonl.{ending}"))


def first_lines(files: Files, lines: int, folder: Path) -> Files:
    """A file of the first lines."""
    folder.mkdir()
    few = Files(files.stream, min(lines, files.lines), folder)
    few.write("plain.jsonl", islice(files.read(), lines))
    return few


def is_left_out(number: int) -> bool:
    """True for one line of each hundred, in its middle."""
    return number % 100 == 50


def left_out(lines: int) -> int:
    return sum(map(is_left_out, range(lines)))


def in_other_bytes(line: bytes) -> bytes:
    """The same record with its first member last and a few added spaces."""
    first, comma, rest = line.partition(b",")
    if not comma or not first.startswith(b'{"') or first.count(b'"') != 4 or b"\\" in first:
        raise BenchError("a line of the generator has an unexpected form")
    return b"{ " + rest.rstrip(b"\n")[:-1] + b", " + first[1:] + b"}\n"
