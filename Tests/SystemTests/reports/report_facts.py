"""The facts behind the reports, read in one transaction, and what all views do with rows: filter, count and group."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from psycopg.rows import dict_row

from report_calendar import instant_of
from streams import COLUMNS, EVENT_TIMES, TABLES

if TYPE_CHECKING:
    import psycopg

# Times are microseconds, numbers exact.
Row = dict[str, Any]
User = tuple[str, str]  # application, user
# By the name of a table or query: its rows.
Facts = dict[str, list[Row]]
# The streams of the views; the last two appear in views about loads only.
PLAYER_STREAMS = ("receipt", "level_up", "game_user")
STREAMS = (*PLAYER_STREAMS, "event", "item")
# Columns that no view of the reports shows.
UNREAD = {"payload", "purchase_token_sha256", "extra", "category_raw", "message", "auth_mapping_list", "push_title",
          "push_body", "push_user_text", "data"}
# Tables of which all columns are read.
WHOLE = """ingest.setting ingest.source_file ingest.file_app ingest.load ingest.failed_file ingest.failure_dismissal
    ingest.open_day ingest.unknown_field ingest.erased_line ingest.pruned_reject ingest.pruned_conflict
    ingest.kept_observation ingest.kept_item_name game.exchange_rate game.store rollup.refresh_state""".split()
# The months that have a table.
MONTHS = """select s.stream, to_date(right(c.relname, 7), 'YYYY_MM') as month
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    join ingest.stream s on format('game.%I', s.target_table)::regclass = i.inhparent"""
QUERIES = {
    **{table.partition(".")[2]: f"select * from {table}" for table in WHOLE},
    **{stream: f"select {', '.join(sorted({*COLUMNS[stream]} - UNREAD))}, source_file_id, line_number "
               f"from game.{TABLES[stream]}" for stream in STREAMS},
    "currency": "select currency, minor_unit from game.currency where minor_unit is not null",
    "now": "select now()",
    "change": "select source_file_id from rollup.touched_row union select source_file_id from rollup.touched_file",
    "reject": "select source_file_id, stream, line_number, code, field, reason, resolved_at is not null as is_resolved "
        "from ingest.reject order by source_file_id, line_number",
    "failed_reject": "select f.failed_at, f.stream, r.code, r.field from ingest.failed_reject r "
        "join ingest.failed_file f using (failed_file_id)",
    "conflict": "select stream, natural_key, source_file_id, line_number, bool_or(acceptance_id is null) as is_open "
        "from ingest.conflict group by stream, natural_key, source_file_id, line_number",
    "month": MONTHS,
    "dropped_month": "select stream, month from rollup.dropped_month",
}
# What the facts and the basis add to a stored row: its own time, which some rows do not have, and its file.
ADDED = ("stream", "at", "day", "hour", "file")


def read_rows(connection: psycopg.Connection[Any], query: str) -> list[Row]:
    cursor = connection.cursor(row_factory=dict_row).execute(query)
    return [{name: _value(value) for name, value in row.items()} for row in cursor]


def _value(value: object) -> object:
    if isinstance(value, datetime):
        return instant_of(value)
    return Fraction(value) if isinstance(value, Decimal) else value


def read_facts(connection: psycopg.Connection[Any]) -> Facts:
    """The facts. A row that refers to a file has the file's row, and a stored one its stream and its own time, if any.

    The database's own records of what retention dropped are among them.
    """
    facts = {name: read_rows(connection, query) for name, query in QUERIES.items()}
    files = {row["source_file_id"]: row for row in facts["source_file"]}
    for name, row in ((name, row) for name, rows in facts.items() for row in rows):
        if "source_file_id" in row and name != "source_file":
            row["file"] = files.get(row["source_file_id"])
        if name in STREAMS:
            is_of_load = row.get("observed_at_source") == "load_start"
            row |= {"stream": name, "at": None if is_of_load else row[EVENT_TIMES[name]]}
        if name == "kept_item_name":
            row["at"] = row["observed_at"] if row["is_dated"] else None
    return facts


# Rows

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
