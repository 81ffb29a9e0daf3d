"""The views of revenue, payers and products, those in the base currency, and those of cohorts."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import date, timedelta
from fractions import Fraction

from report_basis import Basis, amounts, count, grouped, paid_of, total, users, view
from report_calendar import PERIODS, rate
from report_facts import PLAYER_STREAMS, Row, User, user_of

TOP_SHARES = tuple(map(Fraction, ("0.01", "0.05", "0.1", "0.25", "0.5", "1")))
PRODUCT_DAY = "day app_id currency store_code gamebase_product_id"


@view(f"{PRODUCT_DAY} is_promotion")
def revenue_by_day(basis: Basis) -> list[Row]:
    flagged = [row | {"is_promotion": row["is_promotion"] is True} for row in basis.production]
    return [key | amounts(basis, paid_of(rows), key["currency"]) | {
        "purchase_count": len(rows), "paid_count": len(paid_of(rows)), "payer_count": len(users(paid_of(rows))),
        "free_count": count(rows, amount_minor=0), "unpriced_count": count(rows, amount_minor=None),
        "imprecise_count": count(rows, price_imprecise=True), "unknown_sandbox_count": count(rows, is_sandbox=None),
        "promotion_amount": basis.major(total(rows) if key["is_promotion"] else 0, key["currency"]),
    } for key, rows in grouped(flagged, f"{PRODUCT_DAY} is_promotion")]


@view(PRODUCT_DAY)
def sandbox_revenue_by_day(basis: Basis) -> list[Row]:
    sandbox = [row for row in basis.receipts if row["is_sandbox"] is True]
    return [key | amounts(basis, rows, key["currency"]) | {"purchase_count": len(rows), "payer_count": len(users(rows))}
            for key, rows in grouped(sandbox, PRODUCT_DAY)]


@view("hour app_id currency")
def revenue_by_hour(basis: Basis) -> list[Row]:
    return [key | amounts(basis, rows, key["currency"]) | {"paid_count": len(rows), "payer_count": len(users(rows))}
            for key, rows in grouped(basis.paid, "hour app_id currency")]


@view("app_id user_id currency")
def player_revenue(basis: Basis) -> list[Row]:
    return [key | amounts(basis, rows, key["currency"]) | {"paid_count": len(rows)}
            for key, rows in grouped(basis.paid, "app_id user_id currency")]


@view("day app_id currency gamebase_product_id store_code")
def product_by_day(basis: Basis) -> list[Row]:
    return [key | amounts(basis, paid_of(rows), key["currency"]) | {
        "purchase_count": len(rows), "paid_count": len(paid_of(rows)), "payer_count": len(users(paid_of(rows))),
        "new_payer_count": len(users(row for row in paid_of(rows) if basis.is_new(row, "day", key["day"]))),
        "share_of_amount": rate(total(paid_of(rows)), total(paid_of(of_day)))}
        for _, of_day in grouped(basis.production, "day app_id currency")
        for key, rows in grouped(of_day, PRODUCT_DAY)]


@view("month app_id currency top_share")
def payer_concentration(basis: Basis) -> Iterator[Row]:
    monthly = [row | {"month": row["day"].replace(day=1)} for row in basis.paid]
    for key, rows in grouped(monthly, "month app_id currency"):
        sums = sorted((total(some) for _, some in grouped(rows, "user_id")), reverse=True)
        for share in TOP_SHARES:
            top = sums[:math.ceil(len(sums) * share)]
            yield key | {
                "top_share": share, "payer_count": len(top), "amount_minor": sum(top),
                "amount": basis.major(sum(top), key["currency"]), "share_of_amount": rate(sum(top), sum(sums)),
                "is_complete": basis.is_complete(key["app_id"], "month", key["month"])}


# Periods

def paid_periods(basis: Basis) -> Iterator[tuple[Row, list[Row], list[Row]]]:
    """Each period of each application: its paid purchases, and those of users whose first one falls into it."""
    for key in basis.periods(["receipt"]):
        paid = basis.in_period(basis.paid, key)
        yield key, paid, [row for row in paid if basis.is_new(row, key["period"], key["period_start"])]


@view("period period_start app_id")
def payers_by_period(basis: Basis) -> list[Row]:
    return [key | {"payer_count": len(users(rows)), "new_payer_count": len(users(new)),
                   "repeat_payer_count": len(users(rows) - users(new))} for key, rows, new in paid_periods(basis)]


@view("period period_start app_id currency")
def arppu_by_period(basis: Basis) -> Iterator[Row]:
    for key, of_period, new_of_period in paid_periods(basis):
        observed = basis.observed_in(key)
        for currency in basis.currencies(key["app_id"]):
            rows, new = ([row for row in some if row["currency"] == currency] for some in (of_period, new_of_period))
            paid, new_amount = amounts(basis, rows, currency), basis.major(total(new), currency)
            yield key | paid | {
                "currency": currency, "paid_count": len(rows), "payer_count": len(users(rows)),
                "new_payer_amount": new_amount, "repeat_payer_amount": paid["amount"] - new_amount,
                "arppu": basis.ratio(paid["amount"], len(users(rows)), currency),
                "amount_per_observed_user": basis.ratio(paid["amount"], observed, currency)}


# The base currency

@view("period period_start app_id")
def revenue_converted_by_period(basis: Basis) -> list[Row]:
    return [key | {"paid_count": len(rows)} | basis.converted(rows) for key, rows, _ in paid_periods(basis)]


@view("period period_start app_id")
def arppu_converted_by_period(basis: Basis) -> list[Row]:
    return [key | {"payer_count": len(users(rows))} | basis.converted(
        rows, arppu=len(users(rows)), base_amount_per_observed_user=basis.observed_in(key),
    ) for key, rows, _ in paid_periods(basis)]


@view("app_id currency")
def rate_gap(basis: Basis) -> list[Row]:
    if basis.facts.base_currency is None:
        return []
    missing = [row for row in basis.paid if basis.base_amount(row) is None]
    return [key | amounts(basis, rows, key["currency"]) | {
        "first_purchased_on": rows[0]["day"], "last_purchased_on": rows[-1]["day"], "unconverted_count": len(rows),
    } for key, rows in grouped(missing, "app_id currency")]


@view("app_id user_id")
def player_value(basis: Basis) -> list[Row]:
    return [key | basis.converted(rows) | {
        "paid_count": len(rows), "first_paid_on": rows[0]["day"], "last_paid_on": rows[-1]["day"],
    } for key, rows in grouped(basis.paid, "app_id user_id")]


# Cohorts

DAYS_N = (*range(8), 14, 28, 30, 60, 90, 180, 365)
KINDS = ("first_observed", "first_paid")

# By application and day.
Cohorts = dict[tuple[str, date], set[User]]


def cohorts_of(basis: Basis, kind: str) -> Cohorts:
    """The users by the day of their first observation, or of their first paid purchase."""
    days = {user: basis.day(one.first_at) for user, one in basis.observed.items()} if kind == "first_observed" else {
        user: row["day"] for user, row in basis.first_paid.items()}
    cohorts = defaultdict(set)
    for user, day in days.items():
        cohorts[user[0], day].add(user)
    return cohorts


def by_day_n(basis: Basis, cohorts: Cohorts, streams: Collection[str]) -> Iterator[tuple[Row, set[User], date]]:
    """Each day n of each cohort, with its users and its date."""
    for (app, day), members in cohorts.items():
        for n in DAYS_N:
            on = day + timedelta(n)
            is_mature = basis.is_mature(app, on, streams)
            yield ({"app_id": app, "cohort_on": day, "day_n": n, "cohort_size": len(members),
                    "mature_size": len(members) if is_mature else None, "is_mature": is_mature}, members, on)


def where_mature(key: Row, figures: Row) -> Row:
    """The figures where the day of the cohort is mature, else NULL."""
    return key | (figures if key["is_mature"] else dict.fromkeys(figures))


@view("app_id cohort_on day_n")
def retention_by_cohort(basis: Basis) -> Iterator[Row]:
    observed = {(user_of(row), row["day"]) for row in basis.observations}
    for key, members, on in by_day_n(basis, cohorts_of(basis, "first_observed"), PLAYER_STREAMS):
        number = sum((user, on) in observed for user in members)
        yield where_mature(key, {"observed_count": number, "rate": rate(number, len(members))})


@view("app_id cohort_on day_n")
def conversion_by_cohort(basis: Basis) -> Iterator[Row]:
    for key, members, on in by_day_n(basis, cohorts_of(basis, "first_observed"), ["receipt"]):
        number = sum(user in basis.first_paid and basis.first_paid[user]["day"] <= on for user in members)
        yield where_mature(key, {"converted_count": number, "rate": rate(number, len(members))})


@view("app_id cohort_kind cohort_on day_n currency")
def revenue_by_cohort(basis: Basis) -> Iterator[Row]:
    for kind in KINDS:
        for key, members, on in by_day_n(basis, cohorts_of(basis, kind), ["receipt"]):
            paid = [row for row in basis.paid if user_of(row) in members and row["day"] <= on]
            for currency in basis.currencies(key["app_id"]):
                rows = [row for row in paid if row["currency"] == currency]
                amount = basis.major(total(rows), currency)
                yield where_mature(key | {"cohort_kind": kind, "currency": currency}, {
                    "payer_count": len(users(rows)), "cumulative_amount": amount,
                    "amount_per_user": basis.ratio(amount, len(members), currency)})


@view("app_id cohort_kind period cohort_start day_n")
def value_by_cohort(basis: Basis) -> Iterator[Row]:
    for kind in KINDS:
        cohorts = cohorts_of(basis, kind)
        for period in PERIODS:
            for app, start in {(app, basis.calendar.period_start(period, day)) for app, day in cohorts}:
                end = basis.calendar.next_period(period, start)
                days = {day: members for (one, day), members in cohorts.items() if one == app and start <= day < end}
                for n in DAYS_N:
                    yield _value(basis, app, end, days, n) | {
                        "app_id": app, "cohort_kind": kind, "period": period, "cohort_start": start, "day_n": n,
                        "base_currency": basis.facts.base_currency, "cohort_size": sum(map(len, days.values()))}


def _value(basis: Basis, app: str, end: date, days: dict[date, set[User]], n: int) -> Row:
    """The figures of the users of those days of a cohort that are mature."""
    through = {user: day + timedelta(n) for day, members in days.items()
               if basis.is_mature(app, day + timedelta(n), ["receipt"]) for user in members}
    rows = [row for row in basis.paid if user_of(row) in through and row["day"] <= through[user_of(row)]]
    figures = {"payer_count": len(users(rows))} | basis.converted(rows, base_amount_per_user=len(through))
    return (figures if through else dict.fromkeys(figures)) | {
        "mature_size": len(through), "is_mature": basis.is_mature(app, end + timedelta(n - 1), ["receipt"])}
