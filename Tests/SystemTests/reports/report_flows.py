"""The views of flows by month: what becomes of trials, of paid subscriptions, and of monthly recurring revenue.

Each chain is looked at on its own, at the two ends of each month.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from fractions import Fraction

from report_basis import Basis
from report_calendar import rate, rounded
from report_chains import GAP, Chain, Period
from report_facts import Row
from report_subscriptions import BEFORE_ALL, factor

MOVEMENTS = ("new", "reactivated", "expansion", "contraction", "churned")


def _horizon(basis: Basis, app: str) -> int:
    horizon = basis.horizon(app, ["receipt"])
    return BEFORE_ALL if horizon is None else horizon


# Trials

def trials(chain: Chain) -> Iterator[tuple[list[Period], bool]]:
    """The trials in a row of a chain, and whether a converted period follows."""
    periods = chain.with_length
    found: list[list[int]] = []
    for place, one in enumerate(periods):
        if not one.is_trial:
            continue
        if found and found[-1][-1] == place - 1 and one.kind == "renewal":
            found[-1].append(place)
        else:
            found.append([place])
    for places in found:
        paid = [one for one in periods[places[-1] + 1:] if one.is_paid]
        yield [periods[place] for place in places], bool(paid) and paid[0].kind == "renewal"


def trial_conversion_by_month(basis: Basis) -> list[Row]:
    groups: dict[tuple[str, str | None, date], list[str]] = defaultdict(list)
    for chain in basis.chains:
        for row, is_converted in trials(chain):
            outcome = ("converted" if is_converted
                       else "lost" if row[-1].ends_at + GAP <= _horizon(basis, chain.app) else "pending")
            month = basis.day(row[0].starts_at).replace(day=1)
            groups[chain.app, row[0].receipt["gamebase_product_id"], month].append(outcome)
    return [{
        "app_id": app, "gamebase_product_id": product, "month": month, "trial_count": len(outcomes),
        "converted_count": outcomes.count("converted"), "lost_count": outcomes.count("lost"),
        "pending_count": outcomes.count("pending"),
        "rate": rate(outcomes.count("converted"), outcomes.count("converted") + outcomes.count("lost")),
        "is_mature": "pending" not in outcomes,
    } for (app, product, month), outcomes in groups.items()]


# The ends of a month

class Edge:
    """An instant at which chains are judged: the end of a day, or the newest instant with all that starts there."""

    def __init__(self, at: int, is_newest: bool = False) -> None:
        self.at = at
        self.is_newest = is_newest

    def is_begun(self, starts_at: int) -> bool:
        return starts_at <= self.at if self.is_newest else starts_at < self.at

    def is_over(self, ends_at: int) -> bool:
        return ends_at <= self.at if self.is_newest else ends_at < self.at

    def is_within(self, one: Period) -> bool:
        return self.is_begun(one.starts_at) and not self.is_over(one.ends_at)


def months(basis: Basis, app: str) -> Iterator[tuple[date, Edge, Edge]]:
    """The months of the spine with their two ends."""
    spine = list(basis.spine(app, "month"))
    newest = max([*(times[1] for times in basis.times(app, ["receipt"])),
                  *(row["at"] for row in basis.receipts if row["app_id"] == app)], default=0)
    for month in spine:
        end = basis.calendar.start(basis.calendar.next_period("month", month))
        yield (month, Edge(basis.calendar.start(month)),
               Edge(newest, True) if month == spine[-1] else Edge(end))


# Churn

def active(chain: Chain, edge: Edge) -> list[Period]:
    """The paid period that runs, or ended before its renewal."""
    found = []
    periods = chain.with_length
    for place, one in enumerate(periods):
        later = periods[place + 1] if place + 1 < len(periods) else None
        is_waiting = (later is not None and later.kind == "renewal"
                      and edge.is_over(one.ends_at) and not edge.is_begun(later.starts_at))
        if one.is_paid and (edge.is_within(one) or is_waiting):
            found.append(one)
    assert len(found) < 2, found
    return found


def churn_by_month(basis: Basis) -> list[Row]:
    products: dict[str, set[str | None]] = defaultdict(set)
    for one in basis.periods.values():
        products[one.receipt["app_id"]].add(one.receipt["gamebase_product_id"])
    found = []
    for app, some in products.items():
        chains = [chain for chain in basis.chains if chain.app == app]
        for month, start, end in months(basis, app):
            last = basis.calendar.start(basis.calendar.next_period("month", month))
            counts = {product: [0, 0] for product in some}
            for chain in chains:
                for one in active(chain, start):
                    count = counts[one.receipt["gamebase_product_id"]]
                    count[0] += 1
                    count[1] += not active(chain, end)
            found += [{
                "app_id": app, "gamebase_product_id": product, "month": month, "active_at_start": at_start,
                "churned_count": churned, "rate": rate(churned, at_start),
                "is_complete": (basis.is_complete(app, "month", month)
                                and last + GAP <= _horizon(basis, app)),
            } for product, (at_start, churned) in counts.items()]
    return found


# Monthly recurring revenue

def monthly(chain: Chain, currency: str, edge: Edge) -> Fraction:
    """The monthly price of a chain in a currency."""
    return sum((one.receipt["amount_minor"] * (factor(one) or 0) for one in chain.with_length
                if one.is_paid and one.receipt["currency"] == currency and edge.is_within(one)), Fraction())


def movement(chain: Chain, currency: str, start: Edge, end: Edge) -> tuple[str, Fraction] | None:
    before, after = monthly(chain, currency, start), monthly(chain, currency, end)
    if before == after:
        return None
    if before == 0:
        had_some = any(one.is_paid and factor(one) is not None and one.starts_at < start.at
                       and one.receipt["currency"] == currency for one in chain.with_length)
        return ("reactivated" if had_some else "new"), after
    if after == 0:
        return "churned", before
    return ("expansion", after - before) if after > before else ("contraction", before - after)


def mrr_movement_by_month(basis: Basis) -> list[Row]:
    found = []
    for app, currencies in basis.currencies.items():
        chains = [chain for chain in basis.chains if chain.app == app]
        for currency in currencies:
            for month, start, end in months(basis, app):
                total = sum((monthly(chain, currency, start) for chain in chains), Fraction())
                row = {"app_id": app, "currency": currency, "month": month,
                       "starting_amount": basis.major(int(rounded(total, 0)), currency)}
                moved = [movement(chain, currency, start, end) for chain in chains]
                for name in MOVEMENTS:
                    amount = sum((one[1] for one in moved if one is not None and one[0] == name), Fraction())
                    sign = -1 if name in ("contraction", "churned") else 1
                    change = rounded(total + sign * amount, 0) - rounded(total, 0)
                    total += sign * amount
                    row[f"{name}_amount"] = basis.major(int(sign * change), currency)
                assert total == sum((monthly(chain, currency, end) for chain in chains), Fraction())
                found.append(row | {
                    "ending_amount": basis.major(int(rounded(total, 0)), currency),
                    "unknown_length_count": sum(
                        one.is_paid and factor(one) is None and end.is_within(one)
                        and one.receipt["currency"] == currency
                        for chain in chains for one in chain.with_length),
                    "is_complete": basis.is_complete(app, "month", month)})
    return found


VIEWS = {
    "trial_conversion_by_month": ("app_id gamebase_product_id month", trial_conversion_by_month),
    "churn_by_month": ("app_id gamebase_product_id month", churn_by_month),
    "mrr_movement_by_month": ("app_id currency month", mrr_movement_by_month),
}
