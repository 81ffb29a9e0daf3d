"""The products with their names, and the names in all other views."""

from __future__ import annotations

from report_basis import Basis
from report_facts import Row

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
    stores = {row["store_code"]: row["name"] for row in basis.facts.ledger.get("store", [])}
    for row in rows:
        if "store_code" in row:
            row["store_name"] = stores.get(row["store_code"], row["store_code"] or "unknown")
        if "gamebase_product_id" in row:
            product = row["gamebase_product_id"]
            row["product_name"] = names.get((row["app_id"], product), product or "unknown")
    return rows


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
            "market_item_id_count": len({
                row["market_item_id"] for row in [*receipts, *items]
                if (row["app_id"], row["gamebase_product_id"]) == (app, product)} - {None}),
            "first_sold_on": min(sold, default=None), "last_sold_on": max(sold, default=None)})
    return found


VIEWS = {"product": ("app_id gamebase_product_id", product)}
