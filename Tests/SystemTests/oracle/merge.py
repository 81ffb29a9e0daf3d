"""The merge of a row into the stored rows: the first value wins, and absent values are filled.

The acceptance of a refused line writes its values to the stored row.
"""

from __future__ import annotations

from dataclasses import dataclass

from events import Line
from parsing import ParsedFile
from streams import COMPARED, FOLLOWERS, KEYS, Key, Row
from values import OracleError


@dataclass
class Counts:
    """The outcomes of a file's lines, in the ledger's order."""

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
        outcomes = (*vars(self).values(), parsed.blank_count)
        if sum(outcomes) != parsed.line_count:
            raise OracleError(f"the outcomes of {parsed.name} do not add up")
        return outcomes


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


def compared_by(stream: str, row: Row) -> Row:
    """The values that are compared with another line, or with a stored row; the empty application is none."""
    return {name: row.get(name) or None if name == "app_id" else row.get(name) for name in COMPARED[stream]}


def given_by(stream: str, row: Row) -> Row:
    """The compared values that a line has, with their followers."""
    return {one: row[one] for name, value in compared_by(stream, row).items() if value is not None
            for one in (name, *FOLLOWERS.get(name, ()))}


def take(stream: str, row: Row, place: Row, stored: dict[Key, Row]) -> Taken:
    """Merges a row into the stored rows; `place` has its file and line."""
    key = key_of(stream, row)
    if key not in stored:
        stored[key] = row | place
        return Taken("inserted")
    old, given = stored[key], given_by(stream, row)
    compared = [(name, kept, given[name]) for name, kept in compared_by(stream, old).items() if name in given]
    different = tuple(one for one in compared if one[1] is not None and one[1] != one[2])
    if different:
        return Taken("conflicts", conflicts=different)
    new = tuple(name for name, kept, _ in compared if kept is None)
    old.update({one: row[one] for name in new for one in (name, *FOLLOWERS.get(name, ()))})
    return Taken("filled", fills=new) if new else Taken("duplicates")


# Acceptances

@dataclass(frozen=True)
class Record:
    """A field of a row that a line filled, contradicted or changed."""

    stream: str
    key: Key
    natural_key: str
    field: str
    file: int
    line: int

    @property
    def row(self) -> tuple[str, Key]:
        return self.stream, self.key

    @property
    def place(self) -> Line:
        return self.stream, self.file, self.line


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
    has_other_currency = given.get("currency") and given["currency"] != row["currency"]
    return bool(
        any(given.get(name) and row[name] and given[name] != row[name] for name in ("user_id", "app_id"))
        or has_other_currency and row["amount_minor"] is not None and given.get("amount_minor") is None)
