"""Rows for the hand-worked cases of the report oracle."""

from __future__ import annotations

from report_basis import Basis
from report_calendar import instant_from_text
from report_compare import VIEWS
from report_facts import Facts, Row, with_time

UNITS = {"USD": 2, "JPY": 0, "KWD": 3, "KRW": 0}


def at(text: str) -> int:
    """The instant of a text such as 07-31 or 07-31T10:00, in UTC of 2025."""
    return instant_from_text(f"2025-{text}{'' if 'T' in text else 'T00:00'}:00+00:00")


def receipt(seq: str, time: str, amount: int | None = 100, user: str = "u", **more: object) -> Row:
    row: Row = dict.fromkeys((
        "gamebase_product_id", "market_item_id", "item_seq", "product_type", "product_type_raw",
        "store_code", "price_raw", "expires_at", "payment_id", "original_payment_id"))
    return with_time("receipt", row | {
        "payment_seq": seq, "app_id": "a", "user_id": user, "currency": "USD",
        "amount_minor": amount, "price_repaired": False, "price_imprecise": False,
        "purchased_at": at(time), "is_sandbox": False, "is_promotion": None,
        "text_repaired": False, "source_file_id": 1, "line_number": 1} | more)


def subscription(seq: str, time: str, end: str, amount: int | None = 100, **more: object) -> Row:
    return receipt(seq, time, amount, **{
        "expires_at": at(end), "product_type": "AUTO_RENEWABLE", "gamebase_product_id": "p"} | more)


def player(stream: str, level: int, time: str, user: str = "u", **more: object) -> Row:
    name = "leveled_up_at" if stream == "level_up" else "observed_at"
    source = {} if stream == "level_up" else {"observed_at_source": "line"}
    return with_time(stream, {
        "app_id": "a", "user_id": user, "user_level": level, name: at(time), "channel_id": None,
        "character_id": None, "class_id": None, "text_repaired": False, "source_file_id": 1,
        "line_number": 1} | source | more)


def item(time: str, amount: int | None = 100, **more: object) -> Row:
    row: Row = dict.fromkeys((
        "market_item_id", "item_seq", "product_type", "item_name", "localized_price", "localized_title",
        "localized_description", "is_active"))
    return with_time("item", row | {
        "app_id": "a", "store_code": None, "gamebase_product_id": "p", "currency": "USD",
        "amount_minor": amount, "price_repaired": False, "price_imprecise": False, "observed_at": at(time),
        "observed_at_source": "line", "text_repaired": False, "source_file_id": 1, "line_number": 1} | more)


def facts(*rows: Row, **more: object) -> Facts:
    by_stream: dict[str, list[Row]] = {
        "receipt": [], "level_up": [], "game_user": [], "event": [], "item": []}
    for row in rows:
        by_stream[row["stream"]].append(row)
    files = [{"source_file_id": number, "load_id": 1, "stream": stream, "loaded_at": at("12-01"), "undone_at": None}
             for number, stream in enumerate(by_stream, 1)]
    return Facts(by_stream, UNITS, ledger={  # type: ignore[arg-type]
        "file": files, "file_app": [
            app for number, of_stream in enumerate(by_stream.values(), 1) for app in _apps(number, of_stream)],
        "reject": [], "failed_file": [], "failed_reject": [], "conflict": [],
        "load": [], "erased_line": [], "unknown_field": []}, **more)


def _apps(file: int, rows: list[Row]) -> list[Row]:
    """The applications of a file, as the ledger has them."""
    found = []
    for app in {row["app_id"] for row in rows}:
        times = [row["at"] for row in rows if row["app_id"] == app and row["at"] is not None]
        found.append({"source_file_id": file, "app_id": app, "first_event_at": min(times, default=None),
                      "newest_event_at": max(times, default=None)})
    return found


def view(name: str, *rows: Row, **more: object) -> list[Row]:
    return VIEWS[name][1](Basis(facts(*rows, **more)))


def column(rows: list[Row], name: str, **where: object) -> list[object]:
    return [row[name] for row in rows if where.items() <= row.items()]
