"""The views of subscriptions: periods, days, retention by renewal, recurring revenue; and their flows by month.

In the views of flows, each chain is looked at on its own, at the two ends of each month.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from fractions import Fraction

from report_basis import Basis, view
from report_calendar import DAY, rate, rounded
from report_chains import GAP, Chain, Period
from report_facts import Row

# Days of a period, and the periods in a month.
FACTORS = (
    (range(1, 2), Fraction(30)), (range(3, 4), Fraction(10)), (range(7, 8), Fraction(4)), (range(14, 15), Fraction(2)),
    (range(28, 32), Fraction(1)), (range(59, 63), Fraction(1, 2)), (range(89, 94), Fraction(1, 3)),
    (range(180, 187), Fraction(1, 6)), (range(360, 371), Fraction(1, 12)))


@view("payment_seq")
def subscription_period(basis: Basis) -> list[Row]:
    return [{
        **{name: one.receipt[name] for name in (
            "payment_seq", "app_id", "user_id", "gamebase_product_id", "store_code", "currency",
            "amount_minor")},
        "amount": None if one.receipt["amount_minor"] is None else basis.major(
            one.receipt["amount_minor"], one.receipt["currency"]),
        "chain_id": one.chain_id, "chain_rule": one.chain_rule, "starts_at": one.starts_at,
        "ends_at": one.ends_at, "period_kind": one.kind, "is_trial": one.is_trial,
        "is_paid": one.is_paid, "is_overlapped": one.is_overlapped,
    } for one in basis.periods.values()]


def expired(chain: Chain, horizon: int) -> list[Period]:
    """The periods whose end is an expiry, as far as is known."""
    found = []
    periods = chain.with_length
    for place, one in enumerate(periods):
        is_renewed = any(
            later.kind == "renewal" and later.receipt["at"] - one.ends_at <= GAP for later in periods[place + 1:])
        if one.ends_at <= horizon and not is_renewed:
            found.append(one)
    return found


def is_active(one: Period, end: int) -> bool:
    """True when the period is active at the end of a day."""
    return one.starts_at < end <= one.ends_at


@view("app_id gamebase_product_id store_code day")
def subscription_by_day(basis: Basis) -> list[Row]:
    groups = defaultdict(list)
    for one in basis.periods.values():
        row = one.receipt
        groups[row["app_id"], row["gamebase_product_id"], row["store_code"]].append(one)
    ended = {one.receipt["payment_seq"] for chain in basis.chains
             for one in expired(chain, basis.receipt_horizon(chain.app))}
    found = []
    for (app, product, store), periods in groups.items():
        for day in basis.spine(app, "day"):
            end = basis.calendar.end(day)
            active = [one for one in periods if is_active(one, end)]
            begun = [one for one in periods if basis.day(one.starts_at) == day]
            found.append({
                "app_id": app, "gamebase_product_id": product, "store_code": store, "day": day,
                "active_paid": sum(one.is_paid for one in active),
                "active_trial": sum(one.is_trial for one in active),
                "active_other": sum(not one.is_paid and not one.is_trial for one in active),
                "new_count": sum(one.kind == "new" for one in begun),
                "continued_count": sum(one.kind == "continued" for one in begun),
                "converted_count": sum(one.is_converted for one in begun),
                "renewed_count": sum(one.kind == "renewal" for one in begun),
                "resubscribed_count": sum(one.kind == "resubscription" for one in begun),
                "expired_count": sum(
                    one.receipt["payment_seq"] in ended and basis.day(one.ends_at) == day
                    for one in periods),
                "overlapped_count": sum(
                    one.is_overlapped and one.receipt["day"] == day for one in periods),
                "is_complete": basis.is_complete(app, "day", day),
                "is_expiry_final": end + GAP <= basis.receipt_horizon(app)})
    return found


def unbroken(chain: Chain) -> list[Period]:
    """The first period and its renewals, up to the first resubscription."""
    found: list[Period] = []
    for one in chain.with_length:
        if found and one.kind != "renewal":
            break
        found.append(one)
    return found


@view("app_id gamebase_product_id month started_as renewal_number")
def subscription_retention(basis: Basis) -> list[Row]:
    groups: dict[tuple[str, str | None, date, str, int], list[tuple[Period, bool, int]]] = (defaultdict(list))
    for chain in basis.chains:
        periods = unbroken(chain)
        if not periods or periods[0].kind != "new":
            continue
        month = basis.day(periods[0].starts_at).replace(day=1)
        product = periods[0].receipt["gamebase_product_id"]
        started = "trial" if periods[0].is_trial else "paid" if periods[0].is_paid else "other"
        for number, one in enumerate(periods, 1):
            groups[chain.app, product, month, started, number].append(
                (one, number < len(periods), basis.receipt_horizon(chain.app)))
    found = []
    for (app, product, month, started, number), periods in groups.items():
        ripe = [is_renewed for one, is_renewed, horizon in periods if one.ends_at + GAP <= horizon]
        found.append({
            "app_id": app, "gamebase_product_id": product, "month": month,
            "started_as": started, "renewal_number": number, "eligible": len(ripe), "retained": sum(ripe),
            "rate": rate(sum(ripe), len(ripe)), "is_mature": len(ripe) == len(periods)})
    return found


def factor(one: Period) -> Fraction | None:
    """The number of such periods in a month; None for a length that no store sells."""
    length = int(rounded(Fraction(one.uncut_end - one.starts_at, DAY), 0))
    return next((per_month for lengths, per_month in FACTORS if length in lengths), None)


@view("app_id currency day")
def mrr_by_day(basis: Basis) -> list[Row]:
    found = []
    for app, currencies in basis.currencies.items():
        for currency in currencies:
            periods = [one for one in basis.periods.values() if one.is_paid
                       and one.receipt["app_id"] == app and one.receipt["currency"] == currency]
            for day in basis.spine(app, "day"):
                active = [one for one in periods if is_active(one, basis.calendar.end(day))]
                monthly = [one.receipt["amount_minor"] * per_month for one in active
                           if (per_month := factor(one)) is not None]
                minor = int(rounded(sum(monthly, Fraction()), 0))
                found.append({
                    "app_id": app, "currency": currency, "day": day, "amount_minor": minor,
                    "amount": basis.major(minor, currency), "unknown_length_count": len(active) - len(monthly),
                    "is_complete": basis.is_complete(app, "day", day)})
    return found


MOVEMENTS = ("new", "reactivated", "expansion", "contraction", "churned")


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


@view("app_id gamebase_product_id month")
def trial_conversion_by_month(basis: Basis) -> list[Row]:
    groups: dict[tuple[str, str | None, date], list[str]] = defaultdict(list)
    for chain in basis.chains:
        for row, is_converted in trials(chain):
            outcome = ("converted" if is_converted
                       else "lost" if row[-1].ends_at + GAP <= basis.receipt_horizon(chain.app) else "pending")
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

def is_within(one: Period, at: int) -> bool:
    """The period runs at the end of the day that ends at this instant."""
    return one.starts_at < at <= one.ends_at


def months(basis: Basis, app: str) -> Iterator[tuple[date, int, int | None]]:
    """The months of the spine with their two ends; a month that has not ended has none."""
    for month in basis.spine(app, "month"):
        end = basis.calendar.start(basis.calendar.next_period("month", month))
        yield month, basis.calendar.start(month), end if end <= basis.receipt_horizon(app) else None


# Churn

def active(chain: Chain, at: int) -> list[Period]:
    """The paid period that runs, or ended before its renewal."""
    found = []
    periods = chain.with_length
    for place, one in enumerate(periods):
        later = periods[place + 1] if place + 1 < len(periods) else None
        is_waiting = (later is not None and later.kind == "renewal"
                      and one.ends_at < at <= later.starts_at)
        if one.is_paid and (is_within(one, at) or is_waiting):
            found.append(one)
    assert len(found) < 2, found
    return found


@view("app_id gamebase_product_id month")
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
                    count[1] += end is not None and not active(chain, end)
            found += [{
                "app_id": app, "gamebase_product_id": product, "month": month, "active_at_start": at_start,
                "churned_count": None if end is None else churned, "rate": None if end is None else rate(churned, at_start),
                "is_complete": (basis.is_complete(app, "month", month)
                                and last + GAP <= basis.receipt_horizon(app)),
            } for product, (at_start, churned) in counts.items()]
    return found


# Monthly recurring revenue

def monthly(chain: Chain, currency: str, at: int) -> Fraction:
    """The monthly price of a chain in a currency."""
    return sum((one.receipt["amount_minor"] * (factor(one) or 0) for one in chain.with_length
                if one.is_paid and one.receipt["currency"] == currency and is_within(one, at)), Fraction())


def movement(chain: Chain, currency: str, start: int, end: int) -> tuple[str, Fraction] | None:
    before, after = monthly(chain, currency, start), monthly(chain, currency, end)
    if before == after:
        return None
    if before == 0:
        had_some = any(one.is_paid and factor(one) is not None and one.starts_at < start
                       and one.receipt["currency"] == currency for one in chain.with_length)
        return ("reactivated" if had_some else "new"), after
    if after == 0:
        return "churned", before
    return ("expansion", after - before) if after > before else ("contraction", before - after)


@view("app_id currency month")
def mrr_movement_by_month(basis: Basis) -> list[Row]:
    found = []
    for app, currencies in basis.currencies.items():
        chains = [chain for chain in basis.chains if chain.app == app]
        for currency in currencies:
            for month, start, end in months(basis, app):
                total = sum((monthly(chain, currency, start) for chain in chains), Fraction())
                row = {"app_id": app, "currency": currency, "month": month,
                       "starting_amount": basis.major(int(rounded(total, 0)), currency)}
                if end is None:
                    found.append(row | {f"{name}_amount": None for name in (*MOVEMENTS, "ending")} | {
                        "unknown_length_count": None, "is_complete": False})
                    continue
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
                        one.is_paid and factor(one) is None and is_within(one, end)
                        and one.receipt["currency"] == currency
                        for chain in chains for one in chain.with_length),
                    "is_complete": basis.is_complete(app, "month", month)})
    return found
