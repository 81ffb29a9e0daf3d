"""The views of subscriptions: periods, days, retention by renewal, recurring revenue; and their flows by month.

In the views of flows, each chain is looked at on its own, at the two ends of each month.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from itertools import takewhile

from report_basis import Basis, view
from report_calendar import DAY, rate, rounded
from report_chains import GAP, Chain
from report_facts import Row, count, grouped, part, where

# Days of a period, and the periods in a month.
FACTORS = (
    (range(1, 2), Fraction(30)), (range(3, 4), Fraction(10)), (range(7, 8), Fraction(4)), (range(14, 15), Fraction(2)),
    (range(28, 32), Fraction(1)), (range(59, 63), Fraction(1, 2)), (range(89, 94), Fraction(1, 3)),
    (range(180, 187), Fraction(1, 6)), (range(360, 371), Fraction(1, 12)))
# The counts of the periods that begin on a day, by their kinds.
BEGUN = {"new": "new_count", "continued": "continued_count", "renewal": "renewed_count",
         "resubscription": "resubscribed_count"}
PRODUCT = "app_id gamebase_product_id"


@view("payment_seq")
def subscription_period(basis: Basis) -> list[Row]:
    return [part(one, """payment_seq app_id user_id gamebase_product_id store_code currency amount_minor amount chain_id
        chain_rule starts_at ends_at period_kind is_trial is_paid is_overlapped""")
        for one in basis.subscription_of.values()]


def is_active(one: Row, end: int) -> bool:
    """True when the period runs at the end of the day that ends at this instant."""
    return bool(one["starts_at"] < end <= one["ends_at"])


@view("app_id gamebase_product_id store_code day")
def subscription_by_day(basis: Basis) -> Iterator[Row]:
    for key, periods in grouped(basis.subscription_of.values(), f"{PRODUCT} store_code"):
        for day in basis.spine(key["app_id"], "day"):
            end = basis.calendar.end(day)
            active = [one for one in periods if is_active(one, end)]
            begun = [one for one in periods if basis.day(one["starts_at"]) == day]
            # As far as is known.
            expired = [one for one in where(periods, is_overlapped=False) if basis.day(one["ends_at"]) == day
                       and not one["is_renewed"] and basis.is_behind_receipts(key["app_id"], one["ends_at"])]
            yield key | {name: count(begun, period_kind=kind) for kind, name in BEGUN.items()} | {
                "day": day, "active_paid": count(active, is_paid=True), "active_trial": count(active, is_trial=True),
                "active_other": count(active, is_paid=False, is_trial=False),
                "converted_count": count(begun, is_converted=True),
                "expired_count": len(expired), "overlapped_count": count(periods, is_overlapped=True, day=day),
                "is_complete": basis.is_complete(key["app_id"], "day", day),
                "is_expiry_final": basis.is_behind_receipts(key["app_id"], end + GAP)}


@view("app_id gamebase_product_id month started_as renewal_number")
def subscription_retention(basis: Basis) -> Iterator[Row]:
    rows = []
    for first, *later in basis.chains:
        if first["period_kind"] == "new":
            periods = [first, *takewhile(lambda one: one["period_kind"] == "renewal", later)]
            started = "trial" if first["is_trial"] else "paid" if first["is_paid"] else "other"
            rows += [part(first, PRODUCT) | {
                "month": basis.day(first["starts_at"]).replace(day=1), "started_as": started, "renewal_number": number,
                "is_renewed": number < len(periods),
                "is_ripe": basis.is_behind_receipts(one["app_id"], one["ends_at"] + GAP),
            } for number, one in enumerate(periods, 1)]
    for key, some in grouped(rows, f"{PRODUCT} month started_as renewal_number"):
        eligible, retained = count(some, is_ripe=True), count(some, is_ripe=True, is_renewed=True)
        yield key | {"eligible": eligible, "retained": retained, "rate": rate(retained, eligible),
                     "is_mature": eligible == len(some)}


def factor(one: Row) -> Fraction | None:
    """The number of such periods in a month; None for a length that no store sells."""
    length = int(rounded(Fraction(one["uncut_end"] - one["starts_at"], DAY), 0))
    return next((per_month for lengths, per_month in FACTORS if length in lengths), None)


def priced_chains(basis: Basis) -> Iterator[tuple[str, str, list[Chain]]]:
    """By application and currency: the paid periods with a length of each chain."""
    for app in basis.apps:
        for currency in basis.currencies(app):
            yield app, currency, [[one for one in chain if one["is_paid"] and one["currency"] == currency]
                                  for chain in basis.chains if chain[0]["app_id"] == app]


def at_end(chain: Chain, at: int) -> tuple[Fraction, int]:
    """The monthly price of paid periods at the end of a day, and the number of those of an unknown length."""
    active = [(one, factor(one)) for one in chain if is_active(one, at)]
    amounts = [one["amount_minor"] * per_month for one, per_month in active if per_month is not None]
    return sum(amounts, Fraction()), len(active) - len(amounts)


@view("app_id currency day")
def mrr_by_day(basis: Basis) -> Iterator[Row]:
    for app, currency, chains in priced_chains(basis):
        for day in basis.spine(app, "day"):
            amount, unknown = at_end([one for chain in chains for one in chain], basis.calendar.end(day))
            minor = int(rounded(amount, 0))
            yield {"app_id": app, "currency": currency, "day": day, "amount_minor": minor,
                   "amount": basis.major(minor, currency), "unknown_length_count": unknown,
                   "is_complete": basis.is_complete(app, "day", day)}


# Trials

def is_renewed_trial(one: Row) -> bool:
    return bool(one["is_trial"] and one["period_kind"] == "renewal")


@view("app_id gamebase_product_id month")
def trial_conversion_by_month(basis: Basis) -> Iterator[Row]:
    # Trials in a row are one.
    rows = []
    for chain in basis.chains:
        for place, first in enumerate(chain):
            if not first["is_trial"] or place and chain[place - 1]["is_trial"] and is_renewed_trial(first):
                continue
            *_, last = first, *takewhile(is_renewed_trial, chain[place + 1:])
            paid = where(chain[place:], is_paid=True)
            is_converted = bool(paid) and paid[0]["is_converted"]
            is_ripe = basis.is_behind_receipts(last["app_id"], last["ends_at"] + GAP)
            rows.append(part(first, PRODUCT) | {
                "month": basis.day(first["starts_at"]).replace(day=1),
                "outcome": "converted" if is_converted else "lost" if is_ripe else "pending"})
    for key, some in grouped(rows, f"{PRODUCT} month"):
        counts = {name: count(some, outcome=name) for name in ("converted", "lost", "pending")}
        yield key | {f"{name}_count": number for name, number in counts.items()} | {
            "trial_count": len(some), "rate": rate(counts["converted"], counts["converted"] + counts["lost"]),
            "is_mature": not counts["pending"]}


# The ends of a month

def months(basis: Basis, app: str) -> Iterator[tuple[date, int, int, bool]]:
    """The months of the spine with their two ends, and whether the receipts have come to the second."""
    for month in basis.spine(app, "month"):
        start, end = basis.calendar.bounds("month", month)
        yield month, start, end, basis.is_behind_receipts(app, end)


def running(chain: Chain, at: int) -> list[Row]:
    """The paid period that runs, or ended before its renewal; at most one."""
    found = []
    for one, later in zip(chain, [*chain[1:], None]):
        is_waiting = later is not None and later["period_kind"] == "renewal" and (
            one["ends_at"] < at <= later["starts_at"])
        if one["is_paid"] and (is_active(one, at) or is_waiting):
            found.append(one)
    return found


@view("app_id gamebase_product_id month")
def churn_by_month(basis: Basis) -> Iterator[Row]:
    for key, _ in grouped(basis.subscription_of.values(), PRODUCT):
        chains = [chain for chain in basis.chains if chain[0]["app_id"] == key["app_id"]]
        for month, start, end, is_over in months(basis, key["app_id"]):
            active = [chain for chain in chains if where(running(chain, start), **key)]
            churned = sum(not running(chain, end) for chain in active) if is_over else None
            yield key | {"month": month, "active_at_start": len(active), "churned_count": churned,
                         "rate": None if churned is None else rate(churned, len(active)),
                         "is_complete": (basis.is_complete(key["app_id"], "month", month)
                                         and basis.is_behind_receipts(key["app_id"], end + GAP))}


# Monthly recurring revenue

# The changes in the order in which they are added, with their signs.
MOVEMENTS = {"new": 1, "reactivated": 1, "expansion": 1, "contraction": -1, "churned": -1}


def movement(chain: Chain, start: int, end: int) -> tuple[str, Fraction]:
    """The change of the monthly price of a chain."""
    before, after = at_end(chain, start)[0], at_end(chain, end)[0]
    if before == 0:
        had_some = any(factor(one) is not None and one["starts_at"] < start for one in chain)
        return ("reactivated" if had_some else "new"), after
    if after == 0:
        return "churned", before
    return ("expansion", after - before) if after > before else ("contraction", before - after)


@view("app_id currency month")
def mrr_movement_by_month(basis: Basis) -> Iterator[Row]:
    for app, currency, chains in priced_chains(basis):
        for month, start, end, is_over in months(basis, app):
            total = sum((at_end(chain, start)[0] for chain in chains), Fraction())
            starting = basis.major(int(rounded(total, 0)), currency)
            moved: dict[str, Fraction] = defaultdict(Fraction)
            for name, amount in (movement(chain, start, end) for chain in chains):
                moved[name] += amount
            figures: Row = {}
            for name, sign in MOVEMENTS.items():
                before, total = rounded(total, 0), total + sign * moved[name]
                figures[f"{name}_amount"] = basis.major(int(sign * (rounded(total, 0) - before)), currency)
            figures |= {"ending_amount": basis.major(int(rounded(total, 0)), currency),
                        "unknown_length_count": sum(at_end(chain, end)[1] for chain in chains)}
            yield (figures if is_over else dict.fromkeys(figures)) | {
                "app_id": app, "currency": currency, "month": month, "starting_amount": starting,
                "is_complete": is_over and basis.is_complete(app, "month", month)}
