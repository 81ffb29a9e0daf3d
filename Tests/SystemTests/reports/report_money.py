"""The views of revenue, payers and products, and those in the base currency."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction

from report_basis import Basis, amounts, grouped, total, users, view
from report_calendar import PERIODS, rate, rounded
from report_cohorts import DAYS_N, first_observed, first_paid
from report_facts import Row, User, user_of
from report_observed import observed_in

TOP_SHARES = tuple(map(Fraction, ("0.01", "0.05", "0.1", "0.25", "0.5", "1")))
PRODUCT_DAY = ("day", "app_id", "currency", "store_code", "gamebase_product_id")


def paid_of(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row["is_paid"]]


@view("day app_id currency store_code gamebase_product_id is_promotion")
def revenue_by_day(basis: Basis) -> list[Row]:
    flagged = [row | {"is_promotion": row["is_promotion"] is True} for row in basis.production]
    return [key | {
        "purchase_count": len(rows), "paid_count": len(paid_of(rows)), "payer_count": len(users(paid_of(rows))),
        "free_count": sum(row["amount_minor"] == 0 for row in rows),
        "unpriced_count": sum(row["amount_minor"] is None for row in rows),
        "imprecise_count": sum(row["price_imprecise"] for row in rows),
        "unknown_sandbox_count": sum(row["is_sandbox"] is None for row in rows),
        **amounts(basis, paid_of(rows), key["currency"]),
        "promotion_amount": basis.major(total([row for row in rows if row["is_promotion"]]), key["currency"]),
    } for key, rows in grouped(flagged, *PRODUCT_DAY, "is_promotion")]


@view("day app_id currency store_code gamebase_product_id")
def sandbox_revenue_by_day(basis: Basis) -> list[Row]:
    sandbox = [row for row in basis.receipts if row["is_sandbox"] is True]
    return [key | {"purchase_count": len(rows), "payer_count": len(users(rows)),
                   **amounts(basis, rows, key["currency"])} for key, rows in grouped(sandbox, *PRODUCT_DAY)]


def paid_periods(basis: Basis) -> Iterator[tuple[Row, list[Row]]]:
    """Each period of money of each application, with its paid purchases."""
    for app in basis.apps:
        paid = [row for row in basis.paid if row["app_id"] == app]
        for period in PERIODS:
            for start in basis.spine(app, period):
                yield ({"period": period, "period_start": start, "app_id": app,
                        "is_complete": basis.is_complete(app, period, start)},
                       [row for row in paid if basis.calendar.period_start(period, row["day"]) == start])


def new_of(basis: Basis, rows: list[Row], key: Row) -> list[Row]:
    """The purchases of users whose first paid purchase falls into the period."""
    return [row for row in rows if basis.is_new(row, key["period"], key["period_start"])]


def observed_of(basis: Basis, key: Row) -> int | None:
    return observed_in(basis, key["app_id"], key["period"], key["period_start"])


@view("period period_start app_id")
def payers_by_period(basis: Basis) -> list[Row]:
    return [key | {
        "payer_count": len(users(rows)), "new_payer_count": len(users(new_of(basis, rows, key))),
        "repeat_payer_count": len(users(rows) - users(new_of(basis, rows, key))),
    } for key, rows in paid_periods(basis)]


@view("period period_start app_id currency")
def arppu_by_period(basis: Basis) -> list[Row]:
    found = []
    for key, of_period in paid_periods(basis):
        observed = observed_of(basis, key)
        for currency in basis.currencies.get(key["app_id"], []):
            rows = [row for row in of_period if row["currency"] == currency]
            payers, digits = len(users(rows)), basis.digits(currency)
            paid, new = amounts(basis, rows, currency), basis.major(total(new_of(basis, rows, key)), currency)
            amount = paid["amount"]
            found.append(key | paid | {
                "currency": currency, "paid_count": len(rows), "payer_count": payers, "new_payer_amount": new,
                "repeat_payer_amount": amount - new, "arppu": rounded(amount / payers, digits) if payers else None,
                "amount_per_observed_user": rounded(amount / observed, digits) if observed else None})
    return found


@view("day app_id currency gamebase_product_id store_code")
def product_by_day(basis: Basis) -> list[Row]:
    return [key | {
        "purchase_count": len(rows), "paid_count": len(paid_of(rows)), "payer_count": len(users(paid_of(rows))),
        "new_payer_count": len(users([row for row in paid_of(rows) if basis.is_new(row, "day", key["day"])])),
        **amounts(basis, paid_of(rows), key["currency"]),
        "share_of_amount": rate(total(paid_of(rows)), total(paid_of(of_day)))}
        for _, of_day in grouped(basis.production, "day", "app_id", "currency")
        for key, rows in grouped(of_day, *PRODUCT_DAY)]


@view("month app_id currency top_share")
def payer_concentration(basis: Basis) -> list[Row]:
    found = []
    monthly = [row | {"month": row["day"].replace(day=1)} for row in basis.paid]
    for key, rows in grouped(monthly, "month", "app_id", "currency"):
        sums = sorted((total([row for row in rows if user_of(row) == user]) for user in users(rows)), reverse=True)
        for share in TOP_SHARES:
            top = sums[:math.ceil(len(sums) * share)]
            found.append(key | {
                "top_share": share, "payer_count": len(top), "amount_minor": sum(top),
                "amount": basis.major(sum(top), key["currency"]), "share_of_amount": rate(sum(top), sum(sums)),
                "is_complete": basis.is_complete(key["app_id"], "month", key["month"])})
    return found


# The base currency

@view("period period_start app_id")
def revenue_converted_by_period(basis: Basis) -> list[Row]:
    return [key | {
        "base_currency": basis.facts.base_currency, "paid_count": len(rows),
        "unconverted_count": basis.in_base_currency(rows)[1], "base_amount": basis.base_sum(rows),
    } for key, rows in paid_periods(basis)]


@view("app_id currency")
def rate_gap(basis: Basis) -> list[Row]:
    if basis.facts.base_currency is None:
        return []
    missing = [row for row in basis.paid if basis.base_amount(row) is None]
    return [key | {
        "first_purchased_on": rows[0]["day"], "last_purchased_on": rows[-1]["day"], "unconverted_count": len(rows),
        **amounts(basis, rows, key["currency"])} for key, rows in grouped(missing, "app_id", "currency")]


@view("app_id user_id")
def player_value(basis: Basis) -> list[Row]:
    return [key | {
        "base_currency": basis.facts.base_currency, "paid_count": len(rows),
        "unconverted_count": basis.in_base_currency(rows)[1], "base_amount": basis.base_sum(rows),
        "first_paid_on": rows[0]["day"], "last_paid_on": rows[-1]["day"],
    } for key, rows in grouped(basis.paid, "app_id", "user_id")]


@view("app_id cohort_kind period cohort_start day_n")
def value_by_cohort(basis: Basis) -> list[Row]:
    found = []
    for kind, cohorts in (("first_observed", first_observed(basis)), ("first_paid", first_paid(basis))):
        for period in PERIODS:
            for app, start in {(app, basis.calendar.period_start(period, day)) for app, day in cohorts}:
                end = basis.calendar.next_period(period, start)
                days = {day: members for (one, day), members in cohorts.items() if one == app and start <= day < end}
                found += [_cohort(basis, app, end, days, n) | {
                    "app_id": app, "cohort_kind": kind, "period": period, "cohort_start": start, "day_n": n,
                    "base_currency": basis.facts.base_currency,
                    "cohort_size": sum(map(len, days.values()))} for n in DAYS_N]
    return found


def _cohort(basis: Basis, app: str, end: date, days: dict[date, set[User]], n: int) -> Row:
    """The figures of the users of those days of a cohort that are mature."""
    through = {user: day + timedelta(n) for day, members in days.items()
               if basis.is_mature(app, day + timedelta(n), ["receipt"]) for user in members}
    rows = [row for row in basis.paid if user_of(row) in through and row["day"] <= through[user_of(row)]]
    return {
        "mature_size": len(through), "payer_count": len(users(rows)) if through else None,
        "base_amount": basis.base_sum(rows) if through else None,
        "base_amount_per_user": basis.base_ratio(rows, len(through)),
        "unconverted_count": basis.in_base_currency(rows)[1] if through else None,
        "is_mature": basis.is_mature(app, end + timedelta(n - 1), ["receipt"])}


@view("period period_start app_id")
def arppu_converted_by_period(basis: Basis) -> list[Row]:
    return [key | {
        "base_currency": basis.facts.base_currency, "base_amount": basis.base_sum(rows),
        "payer_count": len(users(rows)), "arppu": basis.base_ratio(rows, len(users(rows))),
        "base_amount_per_observed_user": basis.base_ratio(rows, observed_of(basis, key)),
        "unconverted_count": basis.in_base_currency(rows)[1]} for key, rows in paid_periods(basis)]
