"""The events that change the database. Each event is one commit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from streams import EVENT_TIMES, KEYS, Key, Row

# Stream, file and line number.
Line = tuple[str, int, int]
# The values that became loaded ones when an accepted line of their row was removed: stream, key, values, and the
# accepted lines. No undo takes them back.
Folded = tuple[tuple[str, Key, Row, frozenset[Line]], ...]


@dataclass(frozen=True)
class Version:
    """The bytes of a file and the start of the load that read them; the start limits the times in the file."""

    sha256: str
    stream: str
    as_of: int


@dataclass(frozen=True)
class Load:
    file: int
    version: Version


@dataclass(frozen=True)
class Replay:
    """A replay read refused lines of a file again, as this version, and loaded them."""

    file: int
    version: Version
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Erase:
    user: str
    # None means all applications.
    app: str | None
    # The erased rows: stream, key and file. They stay erased after the undo of a file whose fill had given the row
    # the application of the erasure.
    taken: frozenset[tuple[str, Key, int]] = frozenset()
    # The erased refused lines; None while unknown. They stay erased after an undo. A line without an application has
    # that of the row, which a fill or an acceptance may have set. A line of another user goes with the row of its key,
    # even if retention had dropped the row that it contradicted.
    lines: frozenset[Line] | None = None
    folded: Folded = ()

    def is_of(self, row: Row) -> bool:
        """True when the values name the user and the application."""
        return row.get("user_id") == self.user and self.app in (None, row["app_id"])


@dataclass(frozen=True)
class Emptied:
    """A disturbed first erasure emptied `extra` of items, but for months that still have some, and erased nobody."""

    # In milliseconds: the first of each month that was left, and of the month after it.
    left: frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Choice:
    """The options with which `conflicts accept` selects conflicts; None means any."""

    file: str | None = None
    load: int | None = None
    stream: str | None = None
    # A JSON array, as the program lists it.
    key: str | None = None
    field: str | None = None


@dataclass(frozen=True)
class Accept:
    """An acceptance wrote the values of refused lines to the stored rows."""

    number: int
    choice: Choice
    # The files that the choice selects.
    files: frozenset[int]
    # The accepted lines. They stay accepted after an undo of the rows that they changed.
    lines: frozenset[Line] | None = None


@dataclass(frozen=True)
class DropMonth:
    """A retention dropped a month of a stream, from its first millisecond up to the first of the next month."""

    stream: str
    start: int
    end: int
    # The accepted lines of the dropped rows. Later lines met their values, so no undo takes them back.
    lines: frozenset[Line] = frozenset()

    def has(self, stream: str, key: Key) -> bool:
        place = KEYS[self.stream].index(EVENT_TIMES[self.stream])
        return stream == self.stream and self.start <= int(str(key[place])) < self.end


@dataclass(frozen=True)
class Prune:
    """A prune removed details of these old files and acceptances."""

    files: frozenset[int]
    acceptances: frozenset[int]
    # The removed lines that the reader refused, and those that contradicted a row; None while unknown. They stay
    # removed after an undo.
    rejects: frozenset[tuple[int, int]] | None = None
    lines: frozenset[Line] | None = None
    folded: Folded = ()


@dataclass(frozen=True)
class Undo:
    """Undos removed these files and acceptances from the history."""

    files: frozenset[int]
    acceptances: frozenset[int] = frozenset()

    def others(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events that stay, and of an undone acceptance the lines whose values have become loaded ones."""
        events = list(events)
        folded = frozenset[Line]().union(*(
            one[3] for event in events if isinstance(event, (Erase, Prune)) for one in event.folded), *(
            event.lines for event in events if isinstance(event, DropMonth)))
        for event in events:
            if isinstance(event, Accept) and event.number in self.acceptances:
                if event.lines and event.lines & folded:
                    yield replace(event, lines=event.lines & folded)
            elif not (isinstance(event, (Load, Replay)) and event.file in self.files):
                yield event


Event = Load | Replay | Erase | Emptied | Accept | DropMonth | Prune | Undo
