"""What the merge of a line compares, and what it notes: the first value wins, and absent values are filled.

The acceptance of a refused line writes its values to the stored row.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field as dataclass_field

from events import Line
from printing import natural_key
from streams import COMPARED, FOLLOWERS, KEYS, Key, Row

# The outcomes of lines, in the ledger's order.
OUTCOMES = ("inserted", "filled", "duplicates", "conflicts", "rejected", "suppressed")


def key_of(stream: str, row: Row) -> Key:
    return tuple(row[name] for name in KEYS[stream])


def compared_by(stream: str, row: Row) -> Row:
    """The values that are compared with another line, or with a stored row; the empty application is none."""
    return {name: row.get(name) or None if name == "app_id" else row.get(name) for name in COMPARED[stream]}


def with_followers(row: Row, names: Iterable[str]) -> Row:
    """The values of these columns, and of those that are filled together with them."""
    return {one: row[one] for name in names for one in (name, *FOLLOWERS.get(name, ()))}


def given_by(stream: str, row: Row) -> Row:
    """The compared values that a line has, with their followers."""
    return with_followers(row, (name for name, value in compared_by(stream, row).items() if value is not None))


@dataclass(frozen=True)
class Record:
    """A line that met the stored row of another line."""

    stream: str
    key: Key
    file: int
    line: int

    @property
    def natural_key(self) -> str:
        return natural_key(self.stream, self.key)

    @property
    def row(self) -> tuple[str, Key]:
        return self.stream, self.key

    @property
    def place(self) -> Line:
        return self.stream, self.file, self.line


@dataclass(frozen=True)
class Fill(Record):
    field: str


@dataclass(frozen=True)
class Refused(Record):
    """A line that contradicts the row."""

    # The stored values that it contradicts, and all values of the line, by column.
    kept: Row
    given: Row
    # The number of its acceptance, and the values that the acceptance changed, as they were before.
    acceptance: int | None = None
    before: Row = dataclass_field(default_factory=dict)


def is_of_another(row: Row, given: Row) -> bool:
    """True when the line names another user or application than the row, or another currency without an amount.

    Such a line is never accepted.
    """
    has_other_currency = given.get("currency") and given["currency"] != row["currency"]
    return bool(
        any(given.get(name) and row[name] and given[name] != row[name] for name in ("user_id", "app_id"))
        or has_other_currency and row["amount_minor"] is not None and given.get("amount_minor") is None)
