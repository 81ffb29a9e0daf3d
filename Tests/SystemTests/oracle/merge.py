"""The merge of a row into the stored rows: the first value wins, and absent values are filled.

The acceptance of a refused line writes its values to the stored row.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from parsing import ParsedFile
from streams import COMPARED, EVENT_TIMES, FOLLOWERS, KEYS, Key, Row
from values import OracleError


@dataclass
class Counts:
    """The outcomes of a file's lines."""

    inserted: int = 0
    filled: int = 0
    duplicates: int = 0
    conflicts: int = 0
    rejected: int = 0
    suppressed: int = 0

    def note(self, outcome: str, count: int = 1) -> None:
        setattr(self, outcome, getattr(self, outcome) + count)

    def in_order(self, parsed: ParsedFile) -> tuple[int, ...]:
        """The outcomes in the ledger's order; they add up to the file's lines."""
        outcomes = (
            self.inserted, self.filled, self.duplicates, self.conflicts, self.rejected,
            self.suppressed, parsed.blank_count)
        if sum(outcomes) != parsed.line_count:
            raise OracleError(f"the outcomes of {parsed.name} do not add up")
        return outcomes


@dataclass
class AcceptedApps:
    """The applications of a file's accepted lines, each with the times of its events up to the start of the run."""

    times: dict[str, list[int]] = field(default_factory=dict)

    def note(self, stream: str, row: Row, outcome: str, as_of: int) -> None:
        if outcome == "conflicts":
            return
        times = self.times.setdefault(str(row["app_id"]), [])
        if row.get("observed_at_source") != "load_start":
            time = int(str(row[EVENT_TIMES[stream]]))
            # A client's clock that is fast moves no horizon.
            times += [time] if time <= as_of else []

    def spans(self) -> list[tuple[str, int | None, int | None]]:
        """Each application with its first and newest event; None without an event."""
        return [(app, min(times, default=None), max(times, default=None)) for app, times in self.times.items()]

    def copy(self) -> AcceptedApps:
        return AcceptedApps({app: list(times) for app, times in self.times.items()})


@dataclass(frozen=True)
class Taken:
    """The outcome of merging one line's row."""

    outcome: str
    # The fields that differ: name, stored value, value of the line.
    conflicts: tuple[tuple[str, object, object], ...] = ()
    # The fields that had no value before.
    fills: tuple[str, ...] = ()


def key_of(stream: str, row: Row) -> Key:
    return tuple(row[name] for name in KEYS[stream])


def given_by(stream: str, row: Row) -> Row:
    """The compared values of a line, with their followers."""
    given: Row = {}
    for name in COMPARED[stream]:
        if row[name] is None or (name == "app_id" and row[name] == ""):
            continue
        for one in (name, *FOLLOWERS.get(name, ())):
            given[one] = row[one]
    return given


def compared_by(stream: str, values: Row) -> list[object]:
    """The values that are compared with another line, or with a stored row."""
    return [None if name == "app_id" and values.get(name) == "" else values.get(name) for name in COMPARED[stream]]


def take(stream: str, row: Row, place: Row, stored: dict[Key, Row]) -> Taken:
    """Merges a row into the stored rows; `place` has its file and line."""
    key = key_of(stream, row)
    old = stored.get(key)
    if old is None:
        stored[key] = row | place
        return Taken("inserted")

    def value(of: Row, name: str) -> object:
        return None if name == "app_id" and of[name] == "" else of[name]

    pairs = [(name, value(old, name), value(row, name)) for name in COMPARED[stream]]
    different = tuple(pair for pair in pairs if None not in pair and pair[1] != pair[2])
    if different:
        return Taken("conflicts", conflicts=different)
    new = [(name, incoming) for name, kept, incoming in pairs if kept is None and incoming is not None]
    for name, incoming in new:
        old[name] = incoming
        for follower in FOLLOWERS.get(name, ()):
            old[follower] = row[follower]
    return Taken("filled", fills=tuple(name for name, _ in new)) if new else Taken("duplicates")


# Acceptances

# Stream, file and line number.
Line = tuple[str, int, int]


@dataclass(frozen=True)
class Record:
    """A field of a row that a line filled, contradicted or changed."""

    stream: str
    key: Key
    natural_key: str
    field: str
    file: int
    line: int


@dataclass(frozen=True)
class Accepted(Record):
    """A value that an accepted line changed."""

    before: object
    after: object
    acceptance: int


def is_of_another(row: Row, given: Row) -> bool:
    """True when the line names another user or application than the row, or another currency without an amount.

    Such a line is never accepted.
    """
    return any(
        given.get(name) and row[name] and given[name] != row[name] for name in ("user_id", "app_id")
    ) or bool(
        given.get("currency") and given["currency"] != row["currency"]
        and row["amount_minor"] is not None and given.get("amount_minor") is None)
