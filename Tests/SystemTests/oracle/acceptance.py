"""The acceptance of a refused line, which writes its values to the stored row."""

from __future__ import annotations

from dataclasses import dataclass

from streams import Key, Row

# Stream, file and line number.
Line = tuple[str, int, int]


@dataclass(frozen=True)
class Accepted:
    """A value that an accepted line changed."""

    stream: str
    key: Key
    natural_key: str
    field: str
    before: object
    after: object
    acceptance: int
    file: int
    line: int


def is_of_another(row: Row, given: Row) -> bool:
    """True when the line names another user or application than the row, or another currency without an amount.

    Such a line is never accepted.
    """
    return any(
        given.get(name) and row[name] and given[name] != row[name] for name in ("user_id", "app_id")
    ) or bool(
        given.get("currency") and given["currency"] != row["currency"]
        and row["amount_minor"] is not None and given.get("amount_minor") is None)


def accept_line(
    row: Row, given: Row, stream: str, key: Key, natural_key: str, acceptance: int, file: int, line: int
) -> list[Accepted]:
    """Writes all values of the line to the row, and returns the changes."""
    changes = [
        Accepted(stream, key, natural_key, name, row[name], value, acceptance, file, line)
        for name, value in given.items() if row[name] != value]
    row.update(given)
    return changes
