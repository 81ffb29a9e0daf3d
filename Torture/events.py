"""The events that change the database: each one commits on its own."""

from __future__ import annotations

from dataclasses import dataclass

from streams import Key


@dataclass(frozen=True)
class Version:
    """A file's bytes and the start of the load that read them, which bounds the times in them."""

    sha256: str
    stream: str
    as_of: int


@dataclass(frozen=True)
class Load:
    file: int
    version: Version


@dataclass(frozen=True)
class Replay:
    """A replay read refused lines of a file anew, as this version, and loaded them."""

    file: int
    version: Version
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Erase:
    user: str
    # None means all applications.
    app: str | None
    # The rows that it took: stream, key and file. They stay taken even after the undo of a file
    # that had filled the application by which the row was the user's.
    taken: frozenset[tuple[str, Key, int]] = frozenset()


@dataclass(frozen=True)
class DropMonth:
    """A retention dropped a month of a stream, from its first millisecond to that of the next."""

    stream: str
    start: int
    end: int


@dataclass(frozen=True)
class Undo:
    """An undo took these files back; the history goes on without them."""

    files: frozenset[int]


Event = Load | Replay | Erase | DropMonth | Undo


def file_of(event: Event) -> int | None:
    return event.file if isinstance(event, (Load, Replay)) else None
