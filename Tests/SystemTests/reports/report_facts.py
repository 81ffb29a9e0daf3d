"""The facts behind the reports, read from one transaction: rows, ledger, settings, rates, kept observations."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any

from report_calendar import instant_of, utc

Ask = Callable[..., list[list[str]]]
User = tuple[str, str]  # application, user
# The streams of the views; the last two appear in views about loads only.
PLAYER_STREAMS = ("receipt", "level_up", "game_user")
STREAMS = (*PLAYER_STREAMS, "event", "item")
# By stream: its table and its time.
SOURCES = {
    "receipt": ("game.receipt", "purchased_at"), "level_up": ("game.level_up", "leveled_up_at"),
    "game_user": ("game.game_user_snapshot", "observed_at"), "event": ("game.event", "occurred_at"),
    "item": ("game.item_snapshot", "observed_at"),
}
RECEIPT_COLUMNS = (
    "payment_seq", "app_id", "user_id", "gamebase_product_id", "market_item_id", "item_seq",
    "product_type", "product_type_raw", "store_code", "currency", "amount_minor", "price_raw",
    "price_repaired", "price_imprecise", "purchased_at", "expires_at", "payment_id",
    "original_payment_id", "is_sandbox", "is_promotion", "text_repaired", "source_file_id",
    "line_number")


def _instant(expression: str, name: str) -> str:
    return f"(extract(epoch from {expression}) * 1000000)::bigint as {name}"


def _columns(names: tuple[str, ...] | str) -> str:
    return ", ".join(
        _instant(name, name) if name.endswith("_at") else name
        for name in (names.split() if isinstance(names, str) else names))


QUERIES = {
    "receipt": f"select {_columns(RECEIPT_COLUMNS)} from game.receipt",
    "level_up": "select " + _columns(
        "app_id user_id user_level leveled_up_at channel_id character_id class_id text_repaired "
        "source_file_id line_number") + " from game.level_up",
    "game_user": "select " + _columns(
        "app_id user_id user_level observed_at observed_at_source channel_id character_id class_id "
        "text_repaired source_file_id line_number") + " from game.game_user_snapshot",
    "currency": "select currency, minor_unit from game.currency where minor_unit is not null",
    "setting": "select name, value from ingest.setting",
    "file": "select " + _columns(
        "source_file_id load_id stream path app_id byte_count line_count inserted_count filled_count "
        "duplicate_count conflict_count rejected_count suppressed_count blank_count loaded_at "
        "undone_at") + " from ingest.source_file",
    "now": "select " + _instant("now()", "now"),
    "store": "select store_code, name from game.store",
    "refreshed": "select stream, source_file_id from rollup.refresh_state",
    "change": "select source_file_id from rollup.touched_row union select source_file_id from rollup.touched_file",
    "dismissal": "select " + _columns("failed_file_id dismissed_at") + " from ingest.failure_dismissal",
    "file_app": "select " + _columns("source_file_id app_id first_event_at newest_event_at")
        + " from ingest.file_app",
    "load": "select " + _columns("load_id started_at finished_at exit_code") + " from ingest.load",
    "failed_file": "select " + _columns(
        "failed_file_id load_id stream path canonical_path reason byte_count line_count rejected_count failed_at "
        "first_failed_at attempt_count error_code")
        + " from ingest.failed_file",
    "reject": "select source_file_id, stream, line_number, code, field, reason, "
        "resolved_at is not null as is_resolved from ingest.reject",
    "failed_reject": "select failed_file_id, line_number, code, field from ingest.failed_reject",
    "conflict": "select distinct stream, natural_key, source_file_id, line_number from ingest.conflict",
    "unknown_field": "select source_file_id, field, line_count, first_line_number "
        "from ingest.unknown_field",
    "erased_line": "select source_file_id, outcome, line_count from ingest.erased_line",
}
# By stream: the natural key.
KEYS = {
    "receipt": "payment_seq", "level_up": "app_id, user_id, character_id, user_level, leveled_up_at",
    "game_user": "app_id, user_id, channel_id, character_id, observed_at", "event": "occurred_at, app_id, event_id",
    "item": "observed_at, app_id, store_code, gamebase_product_id, market_item_id, item_seq, currency",
}
# Tables that some versions of the schema lack.
OPTIONAL = {
    **{f"extra_{stream}": (
        table, f"select jsonb_build_array({KEYS[stream]}) as key, extra::text from {table} where extra is not null")
       for stream, (table, _) in SOURCES.items()},
    "field_exposure": (
        "ingest.field_exposure", "select stream, field from ingest.field_exposure where hidden_at is null"),
    "exchange_rate": ("game.exchange_rate", "select base_currency, currency, valid_on, rate from game.exchange_rate"),
    "event": ("game.event", "select " + _columns(
        "event_id app_id user_id occurred_at category event_group code push_id push_is_foreground push_action_type "
        "idp_type payment_seq text_repaired source_file_id line_number") + " from game.event"),
    "item": ("game.item_snapshot", "select " + _columns(
        "app_id store_code gamebase_product_id market_item_id item_seq currency observed_at "
        "observed_at_source amount_minor price_repaired price_imprecise product_type item_name "
        "localized_price localized_title localized_description is_active text_repaired "
        "source_file_id line_number") + " from game.item_snapshot"),
    "kept_observation": ("ingest.kept_observation", "select " + _columns(
        "app_id user_id stream first_observed_at last_observed_at")
        + " from ingest.kept_observation"),
    "kept_item_name": ("ingest.kept_item_name", "select " + _columns(
        "app_id gamebase_product_id observed_at is_dated item_name store_code market_item_id item_seq currency")
        + " from ingest.kept_item_name"),
    "pruned_reject": ("ingest.pruned_reject", "select " + _columns(
        "source_file_id counted_at stream code field reject_count open_count") + " from ingest.pruned_reject"),
    "pruned_conflict": ("ingest.pruned_conflict", "select " + _columns(
        "source_file_id counted_at stream app_id conflict_count") + " from ingest.pruned_conflict"),
    "dropped_month": (
        "rollup.dropped_month", "select stream, to_char(month, 'YYYY-MM') as month "
        "from rollup.dropped_month"),
}

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

    # By stream, all stored rows; each has "at", which is None for a row without a time of its own.
    rows: dict[str, list[Row]]
    minor_unit: dict[str, int]
    zone: str = "UTC"
    base_currency: str | None = None
    # By application: the feed that money views follow; of "" the setting for all.
    feeds: dict[str, str] = field(default_factory=dict)
    # By currency: the rates in the order of their days.
    rates: dict[str, list[tuple[date, Fraction]]] = field(default_factory=dict)
    kept: dict[User, Kept] = field(default_factory=dict)
    # The items with a name that retention has dropped.
    kept_items: list[Row] = field(default_factory=list)
    # Stream, first instant and end of each month that retention has dropped.
    dropped: list[tuple[str, int, int]] = field(default_factory=list)
    # The ledger, by the name of its query.
    ledger: dict[str, list[Row]] = field(default_factory=dict)


def user_of(row: Row) -> User:
    return row["app_id"], row["user_id"]


def with_time(stream: str, row: Row) -> Row:
    """The row with its own time as "at" and its stream."""
    own = row.get("observed_at_source") != "load_start"
    return row | {"at": row[SOURCES[stream][1]] if own else None, "stream": stream}


def read_tables(ask: Ask, queries: dict[str, str]) -> dict[str, list[Row]]:
    """The rows of each query as objects. The caller has begun the transaction."""
    statements = []
    for name, query in queries.items():
        # Materialized, because the servers of a cluster return rows without the names of their columns.
        statements += [f"select '== {name}'", f"with q as materialized ({query}) select to_jsonb(q)::text from q"]
    tables: dict[str, list[Row]] = {name: [] for name in queries}
    rows: list[Row] = []
    for (line,) in ask(*statements):
        if line.startswith("== "):
            rows = tables[line[3:]]
        else:
            rows.append(json.loads(line, parse_float=Decimal))
    return tables


def existing(ask: Ask, names: list[str]) -> set[str]:
    listed = ", ".join(f"'{name}'" for name in names)
    return {name for (name,) in ask(
        f"select n from unnest(array[{listed}]) n where to_regclass(n) is not null")}


def read_facts(ask: Ask, dropped: set[tuple[str, str]] | None = None) -> Facts:
    """The facts; `dropped` has stream and month (such as 2025-07) of each month that retention dropped.

    Without it, the database's own list of these months counts.
    """
    there = existing(ask, [table for table, _ in OPTIONAL.values()])
    tables = read_tables(
        ask, QUERIES | {name: query for name, (table, query) in OPTIONAL.items() if table in there})
    settings = {row["name"]: row["value"] for row in tables["setting"]}
    if dropped is None:
        dropped = {(row["stream"], row["month"]) for row in tables.get("dropped_month", [])}
    rates: dict[str, list[tuple[date, Fraction]]] = {}
    for row in tables.get("exchange_rate", []):
        if row["base_currency"] != settings.get("base-currency"):
            continue
        rates.setdefault(row["currency"], []).append(
            (date.fromisoformat(row["valid_on"]), Fraction(str(row["rate"]))))
    return Facts(
        rows={stream: [with_time(stream, row) for row in tables.get(stream, [])]
              for stream in STREAMS},
        minor_unit={row["currency"]: row["minor_unit"] for row in tables["currency"]},
        zone=settings.get("time-zone", "UTC"), base_currency=settings.get("base-currency"),
        feeds={name.removeprefix("receipt-feed").removeprefix("."): value
               for name, value in settings.items() if name.startswith("receipt-feed")},
        rates={currency: sorted(found) for currency, found in rates.items()},
        kept=kept_of(tables.get("kept_observation", [])),
        kept_items=[row | {"at": row["observed_at"] if row["is_dated"] else None}
                    for row in tables.get("kept_item_name", [])],
        dropped=[(stream, *month_bounds(month)) for stream, month in sorted(dropped)],
        ledger=tables)


def kept_of(rows: list[Row]) -> dict[User, Kept]:
    """The first and last observation of each user in rows of ingest.kept_observation."""
    found: dict[User, Kept] = {}
    for row in sorted(rows, key=lambda row: (row["first_observed_at"], row["stream"] != "level_up")):
        one = Kept(row["first_observed_at"], row["stream"], row["last_observed_at"])
        known = found.setdefault(user_of(row), one)
        found[user_of(row)] = Kept(known.first_at, known.first_in, max(known.last_at, one.last_at))
    return found


def utc_month(instant: int) -> str:
    """The month (UTC) of an instant, such as 2025-07."""
    return utc(instant).strftime("%Y-%m")


def month_bounds(month: str) -> tuple[int, int]:
    """The first instant and the end of a month (UTC), such as of 2025-07."""
    year, number = map(int, month.split("-"))
    bounds = [datetime(year + at // 12, at % 12 + 1, 1, tzinfo=timezone.utc)
              for at in (number - 1, number)]
    return instant_of(bounds[0]), instant_of(bounds[1])
