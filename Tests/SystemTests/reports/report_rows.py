"""Rows as dictionaries, with what all views do with them: filter, count and group."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

# Times are microseconds, numbers exact.
Row = dict[str, Any]
User = tuple[str, str]  # application, user


def user_of(row: Row) -> User:
    return row["app_id"], row["user_id"]


def users(rows: Iterable[Row]) -> set[User]:
    """The users whom the rows name."""
    return {user_of(row) for row in rows if row["user_id"] is not None}


def by_user(rows: Iterable[Row]) -> dict[User, list[Row]]:
    return {user_of(key): some for key, some in grouped(rows, "app_id user_id")}


def part(row: Row, columns: str) -> Row:
    return {name: row[name] for name in columns.split()}


def where(rows: Iterable[Row], **values: object) -> list[Row]:
    """The rows with these values."""
    return [row for row in rows if all(row[name] == value for name, value in values.items())]


def count(rows: Iterable[Row], **values: object) -> int:
    return len(where(rows, **values))


def least(column: str, rows: Iterable[Row]) -> Any:
    """The smallest value that is not NULL."""
    return min((row[column] for row in rows if row[column] is not None), default=None)


def greatest(column: str, rows: Iterable[Row]) -> Any:
    return max((row[column] for row in rows if row[column] is not None), default=None)


def sum_of(column: str, rows: Iterable[Row]) -> int:
    """The sum of a column, in the rows that have it."""
    return sum(row.get(column, 0) for row in rows)


def grouped(rows: Iterable[Row], columns: str) -> Iterator[tuple[Row, list[Row]]]:
    """The rows with equal values in these columns, with the values by column."""
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(part(row, columns).items())].append(row)
    return ((dict(key), some) for key, some in groups.items())


def nulls_last(value: str | int | None) -> tuple[object, ...]:
    """The place of a value in an order by bytes."""
    return value is None, value.encode() if isinstance(value, str) else value or 0
