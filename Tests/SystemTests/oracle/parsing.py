"""Splits files into lines, and parses each line into a row or a refusal."""

from __future__ import annotations

import gzip
import hashlib
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Container

from line_rules import Settings, row_of_line
from masking import kept_bytes
from streams import Row, stream_of
from values import Refusal


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
    # The application of lines without one, and the field that holds the record of a line.
    app_id: str = ""
    unwrap: str | None = None
    line_count: int = 0
    blank_count: int = 0
    rows: list[tuple[int, Row]] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    # By line: the field names that the stream does not declare.
    unknown_names: dict[int, set[str]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """True when the file has no record. Such files of one stream are told apart by their paths."""
        return self.line_count == self.blank_count

    def unknown_fields(self, left_out: Container[int]) -> dict[str, tuple[int, int]]:
        """By field name: the number of lines with the field, and the first such line; without suppressed lines."""
        found: dict[str, tuple[int, int]] = {}
        for number, names in self.unknown_names.items():
            for name in names if number not in left_out else ():
                count, first = found.get(name, (0, number))
                found[name] = (count + 1, first)
        return found


def decoded_bytes(path: Path) -> bytes:
    """The bytes of a file, decompressed according to its magic bytes."""
    content = path.read_bytes()
    if content[:2] == b"\x1f\x8b":
        return gzip.decompress(content)
    if content[:4] == b"\x28\xb5\x2f\xfd":
        return subprocess.run(["zstd", "-dcq", str(path)], check=True, capture_output=True).stdout
    return content


def parse_bytes(content: bytes, name: str, settings: Settings, stream: str | None = None) -> ParsedFile:
    """Parses the bytes of a whole file by the rules for lines."""
    parsed = ParsedFile(
        name, stream or stream_of(name), hashlib.sha256(content).hexdigest(), len(content),
        settings.app_id, settings.unwrap)
    offset = 0
    lines = content.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    for number, whole_line in enumerate(lines, 1):
        parsed.line_count += 1
        start, line = offset, whole_line
        offset += len(whole_line) + 1
        if number == 1 and line.startswith(b"\xef\xbb\xbf"):
            line = line[3:]
            start = 3
        line = line.removesuffix(b"\r")
        if not line.strip(b" \t\r\n"):
            parsed.blank_count += 1
            continue
        unknown = parsed.unknown_names[number] = set()
        try:
            parsed.rows.append((number, row_of_line(line, parsed.stream, settings, unknown)))
        except Refusal as refusal:
            is_cut = offset > len(content) and refusal.code in ("invalid_utf8", "malformed_json")
            parsed.rejects.append(Reject(
                number, start, "truncated_line" if is_cut else refusal.code, refusal.field, kept_bytes(line), line))
    return parsed
