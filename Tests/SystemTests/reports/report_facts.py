"""The facts behind the reports, read from one transaction: rows, ledger, settings, rates, kept observations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from report_calendar import HOUR, Calendar, instant_of, utc
from streams import COLUMNS, EVENT_TIMES, TABLES

if TYPE_CHECKING:
    import psycopg

User = tuple[str, str]  # application, user
# The streams of the views; the last two appear in views about loads only.
PLAYER_STREAMS = ("receipt", "level_up", "game_user")
STREAMS = (*PLAYER_STREAMS, "event", "item")
# Long columns that no view of the reports shows.
UNREAD = {"payload", "purchase_token_sha256", "extra", "category_raw", "message", "auth_mapping_list", "push_title",
          "push_body", "push_user_text", "data"}


# By name: a table of which all columns are read.
TABLES_READ = {
    **{name: f"ingest.{name}" for name in (
        "setting", "file_app", "load", "failed_file", "open_day", "unknown_field", "erased_line", "pruned_reject",
        "pruned_conflict", "kept_observation", "kept_item_name")},
    "file": "ingest.source_file", "dismissal": "ingest.failure_dismissal", "exchange_rate": "game.exchange_rate",
    "store": "game.store", "refreshed": "rollup.refresh_state",
}
# The months that have a table.
MONTHS = """select s.stream, replace(right(c.relname, 7), '_', '-') as month
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    join ingest.stream s on format('game.%I', s.target_table)::regclass = i.inhparent"""
QUERIES = {
    **{name: f"select * from {table}" for name, table in TABLES_READ.items()},
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
    "dropped_month": "select stream, to_char(month, 'YYYY-MM') as month from rollup.dropped_month",
}
# What the facts add to a stored row: its own time, which some rows do not have, with its day and hour, and its file.
ADDED = ("stream", "at", "day", "hour", "file")

Row = dict[str, Any]


@dataclass(frozen=True)
class Kept:
    """The first and the last observation of a user, kept beyond the rows that held them."""

    first_at: int
    first_in: str
    last_at: int


@dataclass
class Facts:
    """All rows that the reports are made of. Times are microseconds, rates exact."""

    # By stream, all stored rows, each with what is added to it.
    rows: dict[str, list[Row]]
    # The ledger, by the name of its query. What refers to a file has its row under the name `file`.
    ledger: dict[str, list[Row]]
    settings: dict[str, str]
    calendar: Calendar
    minor_unit: dict[str, int]
    # By currency: the rates in the order of their days.
    rates: dict[str, list[tuple[date, Fraction]]]
    kept: dict[User, Kept]
    # The items with a name that retention has dropped.
    kept_items: list[Row]
    # Stream, first instant and end of each month that retention has dropped.
    dropped: list[tuple[str, int, int]]

    @property
    def base_currency(self) -> str | None:
        return self.settings.get("base-currency")


def user_of(row: Row) -> User:
    return row["app_id"], row["user_id"]


def read_rows(connection: psycopg.Connection, query: str) -> list[Row]:
    """The rows of a query, times as microseconds and numbers exact."""
    cursor = connection.execute(query)
    names = [column.name for column in cursor.description or ()]
    return [dict(zip(names, map(_value, row))) for row in cursor]


def _value(value: object) -> object:
    if isinstance(value, datetime):
        return instant_of(value)
    return Fraction(value) if isinstance(value, Decimal) else value


def read_facts(connection: psycopg.Connection, dropped: set[tuple[str, str]] | None = None) -> Facts:
    """The facts; `dropped` has stream and month (such as 2025-07) of each month that retention dropped.

    Without it, the database's own list of these months counts.
    """
    tables = {name: read_rows(connection, query) for name, query in QUERIES.items()}
    settings = {row["name"]: row["value"] for row in tables["setting"]}
    calendar = Calendar(settings.get("time-zone", "UTC"))
    files = {row["source_file_id"]: row for row in tables["file"]}
    for name, row in ((name, row) for name, rows in tables.items() for row in rows):
        if "source_file_id" in row and name != "file":
            row["file"] = files.get(row["source_file_id"])
    for stream, row in ((stream, row) for stream in STREAMS for row in tables[stream]):
        at = None if row.get("observed_at_source") == "load_start" else row[EVENT_TIMES[stream]]
        row |= {"stream": stream, "at": at, "day": None if at is None else calendar.day(at),
                "hour": None if at is None else at // HOUR * HOUR}
    if dropped is None:
        dropped = {(row["stream"], row["month"]) for row in tables["dropped_month"]}
    rates: dict[str, list[tuple[date, Fraction]]] = {}
    for row in sorted(tables["exchange_rate"], key=lambda row: row["valid_on"]):
        if row["base_currency"] == settings.get("base-currency"):
            rates.setdefault(row["currency"], []).append((row["valid_on"], row["rate"]))
    return Facts(
        rows={stream: tables[stream] for stream in STREAMS}, ledger=tables, settings=settings, calendar=calendar,
        minor_unit={row["currency"]: row["minor_unit"] for row in tables["currency"]}, rates=rates,
        kept=kept_of((user_of(row), Kept(row["first_observed_at"], row["stream"], row["last_observed_at"]))
                     for row in tables["kept_observation"]),
        kept_items=[row | {"at": row["observed_at"] if row["is_dated"] else None} for row in tables["kept_item_name"]],
        dropped=[(stream, *month_bounds(month)) for stream, month in sorted(dropped)])


def kept_of(observations: Iterable[tuple[User, Kept]]) -> dict[User, Kept]:
    """The first and last observation of each user. At one instant, the first one is of the stream named first."""
    found: dict[User, Kept] = {}
    for user, one in observations:
        known = found.get(user, one)
        first = min((known, one), key=lambda kept: (kept.first_at, PLAYER_STREAMS.index(kept.first_in)))
        found[user] = Kept(first.first_at, first.first_in, max(known.last_at, one.last_at))
    return found


def utc_month(instant: int) -> str:
    """The month (UTC) of an instant, such as 2025-07."""
    return utc(instant).strftime("%Y-%m")


def month_bounds(month: str) -> tuple[int, int]:
    """The first instant and the end of a month (UTC), such as of 2025-07."""
    first = date.fromisoformat(f"{month}-01")
    utc_calendar = Calendar("UTC")
    return utc_calendar.start(first), utc_calendar.start(utc_calendar.next_period("month", first))
