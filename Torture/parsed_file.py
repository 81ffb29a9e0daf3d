"""A file as the rules for lines read it: its rows, its refused lines and its counts."""

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
    # The line as it was read; it decides which user the line belongs to.
    line_bytes: bytes = b""


@dataclass(eq=False)
class ParsedFile:
    """A file, line by line; the fate of its rows depends on the rows stored before."""

    name: str
    stream: str
    sha256: str
    byte_count: int
    # The application of lines that name none, and the field that holds the records.
    app_id: str = ""
    unwrap: str | None = None
    line_count: int = 0
    blank_count: int = 0
    rows: list[tuple[int, Row]] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    # By line: the names of fields that its stream does not know.
    unknown_names: dict[int, frozenset[str]] = field(default_factory=dict)

    def unknown_fields(self, left_out: Container[int] = ()) -> dict[str, tuple[int, int]]:
        """By name: how many lines have it, and the first of them; suppressed lines are left out."""
        found: dict[str, tuple[int, int]] = {}
        for number, names in self.unknown_names.items():
            for name in names if number not in left_out else ():
                count, first = found.get(name, (0, number))
                found[name] = (count + 1, first)
        return found


@dataclass(frozen=True)
class Settings:
    """The loader's options that change how a file is read; times in epoch milliseconds."""

    observed_at: int
    now: int
    # The application of lines that name none.
    app_id: str = ""
    # The field that holds the record.
    unwrap: str | None = None
