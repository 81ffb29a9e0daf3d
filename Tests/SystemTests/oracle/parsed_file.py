"""A parsed file: its rows, its refused lines and its counts, by the rules for lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Container

from streams import Row


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
    unknown_names: dict[int, frozenset[str]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """True when the file has no record. Such files of one stream are told apart by their paths."""
        return self.line_count == self.blank_count

    def unknown_fields(self, left_out: Container[int] = ()) -> dict[str, tuple[int, int]]:
        """By field name: the number of lines with the field, and the first such line; without suppressed lines."""
        found: dict[str, tuple[int, int]] = {}
        for number, names in self.unknown_names.items():
            for name in names if number not in left_out else ():
                count, first = found.get(name, (0, number))
                found[name] = (count + 1, first)
        return found


@dataclass(frozen=True)
class Settings:
    """The loader options that affect parsing; times in epoch milliseconds."""

    observed_at: int
    now: int
    # The application of lines without one.
    app_id: str = ""
    # The field that holds the record of a line.
    unwrap: str | None = None
