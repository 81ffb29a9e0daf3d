"""The views of snapshots (of characters, of items of the shop) and of products, whose names all other views have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, zip_longest

from report_basis import VIEWS, Basis, view
from report_facts import Row, greatest, grouped, least, nulls_last, part, where

KEY = "app_id store_code gamebase_product_id market_item_id item_seq currency"


def versions(rows: list[Row], columns: str) -> list[Row]:
    """The changes of these columns in rows in the order of time, with the times from and to which each is valid."""
    changes = [next(same) for _, same in groupby(rows, key=lambda row: part(row, columns))]
    return [part(row, columns) | {"valid_from": row["at"], "valid_to": later and later["at"]}
            for row, later in zip_longest(changes, changes[1:])]


def newest(rows: list[Row]) -> Row:
    """The snapshot that counts now: the newest with a time of its own, else the one of the newest load."""
    return max(rows, key=lambda row: (
        (True, row["observed_at"]) if row["at"] is not None else (False, row["source_file_id"])))


def add_snapshots(history: str, current: str, stream: str, key: str, state: str, more: str = "") -> None:
    """Registers the view of the changes of what snapshots show, and that of its present state."""
    columns = f"{state} {more} observed_at observed_at_source source_file_id line_number"
    VIEWS[history] = f"{key} valid_from", lambda basis: [
        shown | version for shown, rows in grouped(basis.timed(stream), key) for version in versions(rows, state)]
    VIEWS[current] = key, lambda basis: [
        shown | part(newest(rows), columns) for shown, rows in grouped(basis.rows[stream], key)]


add_snapshots("character_history", "current_game_user", "game_user", "app_id user_id channel_id character_id",
              "user_level class_id")
add_snapshots("item_history", "current_item", "item", KEY,
              "amount_minor amount product_type item_name localized_title is_active",
              "localized_price localized_description")


@view("payment_seq")
def receipt_price_check(basis: Basis) -> Iterator[Row]:
    history = sorted(VIEWS["item_history"][1](basis), key=lambda row: row["valid_from"])
    for receipt in basis.production:
        item = _shown_to(receipt, history)
        if (item is None or None in (receipt["amount_minor"], item["amount_minor"])
                or receipt["amount_minor"] == item["amount_minor"]):
            continue
        yield part(receipt, "payment_seq app_id store_code gamebase_product_id market_item_id currency purchased_at "
                            "amount_minor amount") | {
            "item_amount_minor": item["amount_minor"], "item_amount": item["amount"],
            "difference_minor": receipt["amount_minor"] - item["amount_minor"],
            "difference": receipt["amount"] - item["amount"], "observed_at": item["valid_from"]}


def _shown_to(receipt: Row, history: list[Row]) -> Row | None:
    """The item that the shop showed at a purchase; of several the one with the smallest ids."""
    id_name = "market_item_id" if receipt["gamebase_product_id"] is None else "gamebase_product_id"
    same = f"{id_name} app_id store_code currency"
    shown = {tuple(part(row, KEY).values()): row for row in history
             if receipt[id_name] is not None and part(row, same) == part(receipt, same)
             and row["valid_from"] <= receipt["purchased_at"]}
    return min(shown.values(), key=lambda row: [nulls_last(row[name]) for name in KEY.split()], default=None)


# Products

def product_names(basis: Basis) -> dict[tuple[str, str], str]:
    # The last one counts, and of equal ones: a stored item, else the dropped one of the later file.
    kept = sorted(basis.facts["kept_item_name"], key=lambda row: row["source_file_id"])
    named = [row for row in [*kept, *basis.rows["item"]]
             if row["item_name"] is not None and row["gamebase_product_id"] is not None]
    named.sort(reverse=True, key=lambda row: (row["at"] is None, -row["observed_at"], [
        nulls_last(row[name]) for name in ("store_code", "market_item_id", "item_seq", "currency")]))
    return {(row["app_id"], row["gamebase_product_id"]): row["item_name"][:200] for row in named}


def with_names(basis: Basis, rows: list[Row]) -> list[Row]:
    """The rows with the names of their stores and products beside the codes."""
    names = product_names(basis)
    stores = {row["store_code"]: row["name"] for row in basis.facts["store"]}
    for row in rows:
        if "store_code" in row:
            row["store_name"] = stores.get(row["store_code"], row["store_code"] or "unknown")
        if "gamebase_product_id" in row:
            product = row["gamebase_product_id"]
            row["product_name"] = names.get((row["app_id"], product), product or "unknown")
    return rows


@view("app_id gamebase_product_id")
def product(basis: Basis) -> Iterator[Row]:
    names = product_names(basis)
    sold = {tuple(key.values()): rows for key, rows in grouped(basis.receipts, "app_id gamebase_product_id")}
    items = {(row["app_id"], row["gamebase_product_id"]) for row in basis.rows["item"]}
    for key in {*sold, *items, *names}:
        paid = where(sold.get(key, []), is_paid=True)
        yield {"app_id": key[0], "gamebase_product_id": key[1], "is_named": key in names,
               "product_type": sold[key][-1]["product_type"] if key in sold else None,
               "first_sold_on": least("day", paid), "last_sold_on": greatest("day", paid)}
