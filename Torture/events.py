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
    # The refused lines that it took for the user's: stream, file and line number; None: not known yet.
    # A line without an application has the row's, which may have been filled or accepted, and undone since.
    lines: frozenset[tuple[str, int, int]] | None = None


@dataclass(frozen=True)
class Choice:
    """The options by which `conflicts accept` chooses conflicts; None means any."""

    file: str | None = None
    load: int | None = None
    stream: str | None = None
    # A JSON array, as the program lists it.
    key: str | None = None
    field: str | None = None


@dataclass(frozen=True)
class Accept:
    """The values of refused lines became the truth."""

    number: int
    choice: Choice
    # The files that the choice means.
    files: frozenset[int]
    # The lines that it accepted: stream, file and line number. They stay its lines even after an undo
    # of what they met.
    lines: frozenset[tuple[str, int, int]] | None = None


@dataclass(frozen=True)
class DropMonth:
    """A retention dropped a month of a stream, from its first millisecond to that of the next."""

    stream: str
    start: int
    end: int


@dataclass(frozen=True)
class Undo:
    """Undos took these files and acceptances back; the history goes on without them."""

    files: frozenset[int]
    acceptances: frozenset[int] = frozenset()

    def takes(self, event: Event) -> bool:
        if isinstance(event, Accept):
            return event.number in self.acceptances
        return isinstance(event, (Load, Replay)) and event.file in self.files


Event = Load | Replay | Erase | Accept | DropMonth | Undo
