"""The views of the items of the shop and of products, and the names of products in all other views."""

from __future__ import annotations

from collections.abc import Iterator

from report_basis import Basis, grouped, newest, paid_of, part, versions, view
from report_facts import Row
from report_levels import nulls_last

KEY = "app_id store_code gamebase_product_id market_item_id item_seq currency"
STATE = "amount_minor product_type item_name localized_title is_active"


@view(KEY)
def current_item(basis: Basis) -> list[Row]:
    more = "localized_price localized_description observed_at observed_at_source source_file_id line_number"
    return [basis.priced(key | part(newest(rows), f"{STATE} {more}"))
            for key, rows in grouped(basis.facts.rows["item"], KEY)]


@view(f"{KEY} valid_from")
def item_history(basis: Basis) -> list[Row]:
    return [basis.priced(key | version) for key, rows in grouped(basis.timed("item"), KEY)
            for version in versions(rows, STATE)]


@view("payment_seq")
def receipt_price_check(basis: Basis) -> Iterator[Row]:
    history = sorted(item_history(basis), key=lambda row: row["valid_from"])
    for receipt in basis.production:
        item = _shown_to(receipt, history)
        if item is None or None in (receipt["amount_minor"], item["amount_minor"]):
            continue
        difference = receipt["amount_minor"] - item["amount_minor"]
        if difference == 0:
            continue
        yield basis.priced(part(receipt, (
            "payment_seq app_id store_code gamebase_product_id market_item_id currency purchased_at amount_minor"))) | {
            "item_amount_minor": item["amount_minor"], "item_amount": item["amount"],
            "difference_minor": difference, "difference": basis.major(difference, receipt["currency"]),
            "observed_at": item["valid_from"]}


def _shown_to(receipt: Row, history: list[Row]) -> Row | None:
    """The item that the shop showed at a purchase; of several the one with the smallest ids."""
    id_name = "market_item_id" if receipt["gamebase_product_id"] is None else "gamebase_product_id"
    same = f"{id_name} app_id store_code currency"
    shown = {tuple(part(row, KEY).values()): row for row in history
             if receipt[id_name] is not None and part(row, same) == part(receipt, same)
             and row["valid_from"] <= receipt["purchased_at"]}
    return min(shown.values(), key=lambda row: [nulls_last(row[name]) for name in KEY.split()], default=None)


# Products

LONGEST_NAME = 200


def product_names(basis: Basis) -> dict[tuple[str, str], str]:
    # The last of equal ones counts: a stored item, else the dropped one of the later file.
    kept = sorted(basis.facts.kept_items, key=lambda row: row["source_file_id"])
    named = [row for row in [*kept, *basis.facts.rows["item"]]
             if row["item_name"] is not None and row["gamebase_product_id"] is not None]

    def rank(row: Row) -> tuple[object, ...]:
        """The smallest is the item whose name counts."""
        ties = ("store_code", "market_item_id", "item_seq", "currency")
        return row["at"] is None, -row["observed_at"], [nulls_last(row[name]) for name in ties]

    return {(row["app_id"], row["gamebase_product_id"]): row["item_name"][:LONGEST_NAME]
            for row in sorted(named, key=rank, reverse=True)}


def with_names(basis: Basis, rows: list[Row]) -> list[Row]:
    """The rows with the names of their stores and products beside the codes."""
    names = product_names(basis)
    stores = {row["store_code"]: row["name"] for row in basis.facts.ledger["store"]}
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
    items = {(row["app_id"], row["gamebase_product_id"]) for row in basis.facts.rows["item"]}
    for key in {*sold, *items, *names}:
        days = [row["day"] for row in paid_of(sold.get(key, []))]
        yield {"app_id": key[0], "gamebase_product_id": key[1], "is_named": key in names,
               "product_type": sold[key][-1]["product_type"] if key in sold else None,
               "first_sold_on": min(days, default=None), "last_sold_on": max(days, default=None)}
