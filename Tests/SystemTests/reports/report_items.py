"""The views of the items of the shop and of products, and the names of products in all other views."""

from __future__ import annotations

from report_basis import Basis, grouped, newest, versions, view
from report_facts import Row

KEY = ("app_id", "store_code", "gamebase_product_id", "market_item_id", "item_seq", "currency")
STATE = ("amount_minor", "product_type", "item_name", "localized_title", "is_active")
CURRENT = (*STATE, "localized_price", "localized_description", "observed_at", "observed_at_source",
           "source_file_id", "line_number")


def _priced(basis: Basis, row: Row) -> Row:
    """The row with its price in the major unit; an item without a currency has none."""
    amount = row["amount_minor"]
    return row | {"amount": None if amount is None else basis.major(amount, row["currency"])}


@view(" ".join(KEY))
def current_item(basis: Basis) -> list[Row]:
    return [_priced(basis, key | {name: newest(rows)[name] for name in CURRENT})
            for key, rows in grouped(basis.facts.rows["item"], *KEY)]


@view(" ".join((*KEY, "valid_from")))
def item_history(basis: Basis) -> list[Row]:
    return [_priced(basis, key | version) for key, rows in grouped(basis.timed("item"), *KEY)
            for version in versions(rows, STATE)]


@view("payment_seq")
def receipt_price_check(basis: Basis) -> list[Row]:
    found = []
    for receipt in basis.production:
        id_name = "market_item_id" if receipt["gamebase_product_id"] is None else "gamebase_product_id"
        items = [item for item in basis.facts.rows["item"]
                 if item["at"] is not None and item["at"] <= receipt["purchased_at"]
                 and item["amount_minor"] is not None
                 and receipt[id_name] is not None and item[id_name] == receipt[id_name]
                 and (item["app_id"], item["currency"]) == (receipt["app_id"], receipt["currency"])]
        # Items of the receipt's store go before those of other stores.
        items = [item for item in items if item["store_code"] == receipt["store_code"]] or items
        if not items or receipt["amount_minor"] is None:
            continue
        last = max(item["at"] for item in items)
        shown = [item for item in items if item["at"] == last]
        item = min(shown, key=lambda item: tuple(
            (item[name] is None, item[name] or 0 if name == "item_seq" else (item[name] or "").encode())
            for name in KEY[1:5]))
        difference = receipt["amount_minor"] - item["amount_minor"]
        if not difference:
            continue
        currency = receipt["currency"]
        found.append({
            name: receipt[name] for name in (
                "payment_seq", "app_id", "store_code", "gamebase_product_id", "market_item_id", "currency",
                "purchased_at", "amount_minor")} | {
            "amount": basis.major(receipt["amount_minor"], currency),
            "item_amount_minor": item["amount_minor"],
            "item_amount": basis.major(item["amount_minor"], currency),
            "difference_minor": difference, "difference": basis.major(difference, currency),
            "observed_at": last})
    return found


# Products

LONGEST_NAME = 200
TIES = ("store_code", "market_item_id", "item_seq", "currency")


def _rank(row: Row) -> tuple[object, ...]:
    """The smallest is the item whose name counts."""
    return (row["at"] is None, -row["observed_at"], *(
        (row[name] is None, row[name].encode() if isinstance(row[name], str) else row[name] or 0) for name in TIES))


def product_names(basis: Basis) -> dict[tuple[str, str], str]:
    # The last of equal ones counts: a stored item, else the dropped one of the later file.
    kept = sorted(basis.facts.kept_items, key=lambda row: row["source_file_id"])
    named = [row for row in [*kept, *basis.facts.rows["item"]]
             if row["item_name"] is not None and row["gamebase_product_id"] is not None]
    return {(row["app_id"], row["gamebase_product_id"]): row["item_name"][:LONGEST_NAME]
            for row in sorted(named, key=_rank, reverse=True)}


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
def product(basis: Basis) -> list[Row]:
    names = product_names(basis)
    items = basis.facts.rows["item"]
    keys = {(row["app_id"], row["gamebase_product_id"]) for row in [*basis.receipts, *items]} | set(names)
    found = []
    for app, product in keys:
        receipts = [row for row in basis.receipts if (row["app_id"], row["gamebase_product_id"]) == (app, product)]
        sold = [row["day"] for row in receipts if row["is_paid"]]
        found.append({
            "app_id": app, "gamebase_product_id": product, "is_named": (app, product) in names,
            "product_type": receipts[-1]["product_type"] if receipts else None,
            "first_sold_on": min(sold, default=None), "last_sold_on": max(sold, default=None)})
    return found
