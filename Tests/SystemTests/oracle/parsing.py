"""Splits files into lines, and parses each line into a row or a refusal."""

from __future__ import annotations

import gzip
import hashlib
import re
import subprocess
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from line_rules import Settings, row_of_line
from masking import kept_bytes
from streams import Row, stream_of
from values import Refusal

LINE = re.compile(rb"[^\n]*\n|[^\n]+")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Reject:
    """A refused line."""

    line: int
    offset: int
    code: str
    field: str | None
    raw: bytes
    # The line before masking, for finding the user that the line belongs to.
    line_bytes: bytes = b""


@dataclass(eq=False)
class ParsedFile:
    """A parsed file; the outcomes of its rows depend on the rows stored before."""

    name: str
    stream: str
    sha256: str
    byte_count: int
    settings: Settings
    line_count: int = 0
    blank_count: int = 0
    rows: list[tuple[int, Row]] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    # By line: the field names that the stream does not declare.
    unknown_names: dict[int, set[str]] = field(default_factory=dict)

    def take(self, line: FileLine) -> None:
        """Adds the outcome of the next line."""
        self.line_count += 1
        if not line.content.strip(b" \t\r\n"):
            self.blank_count += 1
            return
        unknown = self.unknown_names[line.number] = set()
        try:
            self.rows.append((line.number, row_of_line(line.content, self.stream, self.settings, unknown)))
        except Refusal as refusal:
            is_cut = not line.has_line_feed and refusal.code in ("invalid_utf8", "malformed_json")
            self.rejects.append(Reject(
                line.number, line.offset, "truncated_line" if is_cut else refusal.code, refusal.field,
                kept_bytes(line.content), line.content))

    @property
    def is_empty(self) -> bool:
        """True when the file has no record. Such files of one stream are told apart by their paths."""
        return self.line_count == self.blank_count

    @property
    def is_cut(self) -> bool:
        """True when the file ends in the middle of a line."""
        return any(reject.code == "truncated_line" for reject in self.rejects)

    def unknown_fields(self, left_out: Container[int]) -> dict[str, tuple[int, int]]:
        """By field name: the number of lines with the field, and the first such line; without suppressed lines."""
        found: dict[str, tuple[int, int]] = {}
        for number, names in self.unknown_names.items():
            for name in names if number not in left_out else ():
                count, first = found.get(name, (0, number))
                found[name] = (count + 1, first)
        return found


@dataclass(frozen=True)
class FileLine:
    """A line of a file without its end; the offset is that of its first byte."""

    number: int
    offset: int
    content: bytes
    has_line_feed: bool


def decoded_bytes(path: Path) -> bytes:
    """The bytes of a file, decompressed according to its magic bytes."""
    content = path.read_bytes()
    if content[:2] == b"\x1f\x8b":
        return gzip.decompress(content)
    if content[:4] == b"\x28\xb5\x2f\xfd":
        return subprocess.run(["zstd", "-dcq", str(path)], check=True, capture_output=True).stdout
    return content


def lines_of(content: bytes) -> Iterator[FileLine]:
    """The lines of a whole file. A byte-order mark at its start is no part of the first line."""
    for number, found in enumerate(LINE.finditer(content), 1):
        whole = found[0].removesuffix(b"\n")
        line = whole.removeprefix(BYTE_ORDER_MARK) if number == 1 else whole
        yield FileLine(
            number, found.start() + len(whole) - len(line), line.removesuffix(b"\r"), found[0].endswith(b"\n"))


def parse_bytes(content: bytes, name: str, settings: Settings, stream: str | None = None) -> ParsedFile:
    """Parses the bytes of a whole file by the rules for lines."""
    parsed = ParsedFile(name, stream or stream_of(name), hashlib.sha256(content).hexdigest(), len(content), settings)
    for line in lines_of(content):
        parsed.take(line)
    return parsed
