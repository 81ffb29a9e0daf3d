"""Compares the totals of the revenue views with the model after a refresh."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import datetime
from zoneinfo import ZoneInfo

from model import Model
from psql import Psql
from violated import Violated

# By view: its totals by application, currency and, if it has one, day.
QUERIES = {
    "revenue_by_day": """select app_id, currency, day, sum(purchase_count), sum(paid_count),
        sum(free_count), sum(unpriced_count), sum(unknown_sandbox_count), sum(amount_minor)
        from report.revenue_by_day group by 1, 2, 3""",
    "sandbox_revenue_by_day": """select app_id, currency, day, sum(purchase_count),
        sum(amount_minor) from report.sandbox_revenue_by_day group by 1, 2, 3""",
    "product_by_day": """select app_id, currency, day, sum(purchase_count), sum(paid_count),
        sum(amount_minor) from report.product_by_day group by 1, 2, 3""",
    "player_revenue": """select app_id, currency, count(*), sum(paid_count), sum(amount_minor)
        from report.player_revenue group by 1, 2""",
    "purchase": """select app_id, currency, count(*), count(*) filter (where is_paid),
        count(*) filter (where is_first_paid) from report.purchase group by 1, 2""",
}


def check_revenue(model: Model, zone: str, psql: Psql) -> None:
    due = totals(model, zone)
    for view, query in QUERIES.items():
        found = sorted(psql.ask(query))
        if found != due[view]:
            raise Violated(
                f"in the zone {zone}, report.{view} has the totals {found}, the model has {due[view]}")


def totals(model: Model, zone: str) -> dict[str, list[list[str]]]:
    """The rows of each query, as psql prints them."""
    # By application and currency, and by application, currency and day.
    counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    first: dict[tuple[object, object], tuple[int, bytes, str]] = {}
    payers = set()
    place = ZoneInfo(zone)
    for row in model.rows["receipt"].values():
        app, currency, user = str(row["app_id"]), str(row["currency"]), row["user_id"]
        at = int(str(row["purchased_at"]))
        day = datetime.fromtimestamp(at / 1000, place).date().isoformat()
        amount = row["amount_minor"]
        minor = amount if isinstance(amount, int) else 0
        is_sandbox = row["is_sandbox"] is True
        is_paid = not is_sandbox and row["is_promotion"] is not True and minor > 0
        for one in (counts[app, currency], counts[app, currency, day]):
            one["rows"] += 1
            if is_sandbox:
                one["sandbox"] += 1
                one["sandbox minor"] += minor
                continue
            one["production"] += 1
            one["free"] += amount == 0
            one["unpriced"] += amount is None
            one["unknown"] += row["is_sandbox"] is None
            if is_paid:
                one["paid"] += 1
                one["minor"] += minor
        if is_paid:
            payers.add((app, currency, user))
            purchase = (at, str(row["payment_seq"]).encode(), currency)
            first[app, user] = min(purchase, first.get((app, user), purchase))
    for app, currency, _ in payers:
        counts[app, currency]["payers"] += 1
    for (app, _), (_, _, currency) in first.items():
        counts[str(app), currency]["first"] += 1

    def rows(length: int, needed: str, *names: str) -> list[list[str]]:
        return sorted([*key, *(str(one[name]) for name in names)]
                      for key, one in counts.items() if len(key) == length and one[needed])
    return {
        "revenue_by_day": rows(
            3, "production", "production", "paid", "free", "unpriced", "unknown", "minor"),
        "sandbox_revenue_by_day": rows(3, "sandbox", "sandbox", "sandbox minor"),
        "product_by_day": rows(3, "production", "production", "paid", "minor"),
        "player_revenue": rows(2, "payers", "payers", "paid", "minor"),
        "purchase": rows(2, "rows", "rows", "paid", "first"),
    }
