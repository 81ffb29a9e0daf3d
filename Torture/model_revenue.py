"""Compares the totals of the revenue views with the model after a refresh."""

from __future__ import annotations

from collections import Counter, defaultdict

from model import Model
from psql import Psql
from violated import Violated

# By view: its totals by application and currency.
QUERIES = {
    "revenue_by_day": """select app_id, currency, sum(purchase_count), sum(paid_count), sum(free_count),
        sum(unpriced_count), sum(unknown_sandbox_count), sum(amount_minor)
        from report.revenue_by_day group by 1, 2""",
    "sandbox_revenue_by_day": """select app_id, currency, sum(purchase_count), sum(amount_minor)
        from report.sandbox_revenue_by_day group by 1, 2""",
    "product_by_day": """select app_id, currency, sum(purchase_count), sum(paid_count),
        sum(amount_minor) from report.product_by_day group by 1, 2""",
    "player_revenue": """select app_id, currency, count(*), sum(paid_count), sum(amount_minor)
        from report.player_revenue group by 1, 2""",
    "purchase": """select app_id, currency, count(*), count(*) filter (where is_paid),
        count(*) filter (where is_first_paid) from report.purchase group by 1, 2""",
}


def check_revenue(model: Model, psql: Psql) -> None:
    due = totals(model)
    for view, query in QUERIES.items():
        found = sorted(psql.ask(query))
        if found != due[view]:
            raise Violated(f"report.{view} has the totals {found}, the model has {due[view]}")


def totals(model: Model) -> dict[str, list[list[str]]]:
    """The rows of each query, as psql prints them."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    first: dict[tuple[object, object], tuple[int, bytes, str]] = {}
    payers = set()
    for row in model.rows["receipt"].values():
        app, currency, user = str(row["app_id"]), str(row["currency"]), row["user_id"]
        amount = row["amount_minor"]
        minor = amount if isinstance(amount, int) else 0
        one = counts[app, currency]
        one["rows"] += 1
        if row["is_sandbox"] is True:
            one["sandbox"] += 1
            one["sandbox minor"] += minor
            continue
        one["production"] += 1
        one["free"] += amount == 0
        one["unpriced"] += amount is None
        one["unknown"] += row["is_sandbox"] is None
        if row["is_promotion"] is not True and minor > 0:
            one["paid"] += 1
            one["minor"] += minor
            payers.add((app, currency, user))
            place = (int(str(row["purchased_at"])), str(row["payment_seq"]).encode(), currency)
            first[app, user] = min(place, first.get((app, user), place))
    for app, currency, _ in payers:
        counts[app, currency]["payers"] += 1
    for (app, _), (_, _, currency) in first.items():
        counts[str(app), currency]["first"] += 1

    def rows(needed: str, *names: str) -> list[list[str]]:
        return sorted([app, currency, *(str(one[name]) for name in names)]
                      for (app, currency), one in counts.items() if one[needed])
    return {
        "revenue_by_day": rows(
            "production", "production", "paid", "free", "unpriced", "unknown", "minor"),
        "sandbox_revenue_by_day": rows("sandbox", "sandbox", "sandbox minor"),
        "product_by_day": rows("production", "production", "paid", "minor"),
        "player_revenue": rows("payers", "payers", "paid", "minor"),
        "purchase": rows("rows", "rows", "paid", "first"),
    }
