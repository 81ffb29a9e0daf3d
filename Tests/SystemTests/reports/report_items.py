"""The views of the items of the shop, computed from the facts."""

from __future__ import annotations

from collections import defaultdict

from report_basis import Basis
from report_facts import Row

KEY = ("app_id", "store_code", "gamebase_product_id", "market_item_id", "item_seq", "currency")
STATE = ("amount_minor", "product_type", "item_name", "localized_title", "is_active")
CURRENT = (*STATE, "localized_price", "localized_description", "observed_at", "observed_at_source",
           "source_file_id", "line_number")


def _snapshots(basis: Basis, timed: bool) -> dict[tuple, list[Row]]:  # type: ignore[type-arg]
    """The snapshots of each item in the order of time."""
    groups = defaultdict(list)
    for row in sorted(basis.facts.rows["item"], key=lambda row: row["observed_at"]):
        if row["at"] is not None or not timed:
            groups[tuple(row[name] for name in KEY)].append(row)
    return groups


def _priced(basis: Basis, row: Row) -> Row:
    """The row with its price in the major unit; an item without a currency has none."""
    amount = row["amount_minor"]
    return row | {"amount": None if amount is None else basis.major(amount, row["currency"])}


def current_item(basis: Basis) -> list[Row]:
    found = []
    for rows in _snapshots(basis, timed=False).values():
        newest = max(rows, key=lambda row: (
            (True, row["observed_at"]) if row["at"] is not None else (False, row["source_file_id"])))
        found.append(_priced(basis, {name: newest[name] for name in (*KEY, *CURRENT)}))
    return found


def item_history(basis: Basis) -> list[Row]:
    found: list[Row] = []
    for key, rows in _snapshots(basis, timed=True).items():
        versions: list[Row] = []
        for row in rows:
            state = {name: row[name] for name in STATE}
            if versions and state.items() <= versions[-1].items():
                continue
            if versions:
                versions[-1]["valid_to"] = row["at"]
            versions.append(_priced(basis, {
                **dict(zip(KEY, key)), "valid_from": row["at"], **state, "valid_to": None}))
        found += versions
    return found


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
        newest = max(item["at"] for item in items)
        shown = [item for item in items if item["at"] == newest]
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
            "observed_at": newest})
    return found


VIEWS = {
    "current_item": (" ".join(KEY), current_item),
    "item_history": (" ".join((*KEY, "valid_from")), item_history),
    "receipt_price_check": ("payment_seq", receipt_price_check),
}
