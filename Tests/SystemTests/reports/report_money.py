"""The views of revenue, payers and products, those in the base currency, and those of cohorts."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from datetime import date, timedelta
from fractions import Fraction
from functools import partial

from report_basis import Basis, Figures, add_sum, view
from report_calendar import PERIODS, rate
from report_facts import PLAYER_STREAMS, Row, User, count, greatest, grouped, least, user_of, users, where
from report_players import state_of

TOP_SHARES = tuple(map(Fraction, ("0.01", "0.05", "0.1", "0.25", "0.5", "1")))
PRODUCT_DAY = "day app_id currency store_code gamebase_product_id"


def paid_of(rows: Iterable[Row]) -> list[Row]:
    return where(rows, is_paid=True)


def total(rows: Iterable[Row]) -> int:
    return sum(row["amount_minor"] or 0 for row in rows)


def money(rows: Iterable[Row]) -> Fraction:
    """The sum in the major unit of their currency."""
    return sum((row["amount"] or Fraction() for row in rows), Fraction())


# Money and payers are those of paid purchases.
FIGURES: Figures = {
    "purchase_count": len, "paid_count": partial(count, is_paid=True),
    "payer_count": lambda rows: len(users(paid_of(rows))), "amount_minor": lambda rows: total(paid_of(rows)),
    "amount": lambda rows: money(paid_of(rows)), "promotion_amount": lambda rows: money(where(rows, is_promotion=True)),
    "free_count": partial(count, amount_minor=0), "unpriced_count": partial(count, amount_minor=None),
    "imprecise_count": partial(count, price_imprecise=True), "unknown_sandbox_count": partial(count, is_sandbox=None),
    "first_purchased_on": partial(least, "day"), "last_purchased_on": partial(greatest, "day"),
    "unconverted_count": partial(count, base_amount=None),
    "new_payer_count": lambda rows: len(users(where(rows, is_paid=True, is_new=True))),
    "share_of_amount": lambda rows: rate(money(paid_of(rows)), rows[0]["amount_of_day"]),
}
add = partial(add_sum, FIGURES)
add("revenue_by_day", f"{PRODUCT_DAY} is_promotion", """purchase_count paid_count payer_count free_count unpriced_count
    imprecise_count unknown_sandbox_count amount_minor amount promotion_amount""",
    lambda basis: [row | {"is_promotion": row["is_promotion"] is True} for row in basis.production])
# Each purchase of a sandbox counts, as a paid one does elsewhere.
add("sandbox_revenue_by_day", PRODUCT_DAY, "purchase_count payer_count amount_minor amount",
    lambda basis: [row | {"is_paid": True} for row in where(basis.receipts, is_sandbox=True)])
add("revenue_by_hour", "hour app_id currency", "paid_count payer_count amount_minor amount", lambda basis: basis.paid)
add("revenue_by_level", "app_id currency user_level level_attribution", "paid_count payer_count amount_minor amount",
    lambda basis: [row | state_of(basis, user_of(row), row["at"]) for row in basis.paid])
add("player_revenue", "app_id user_id currency", "paid_count amount_minor amount", lambda basis: basis.paid)
add("rate_gap", "app_id currency",
    "first_purchased_on last_purchased_on unconverted_count amount_minor amount",
    lambda basis: [] if basis.base is None else where(basis.paid, base_amount=None))


def _beside_others(basis: Basis) -> Iterator[Row]:
    for _, rows in grouped(basis.production, "app_id currency day"):
        for row in rows:
            yield row | {"amount_of_day": money(paid_of(rows)), "is_new": basis.is_new(row, "day", row["day"])}


add("product_by_day", PRODUCT_DAY, """purchase_count paid_count payer_count new_payer_count amount_minor amount
    share_of_amount""", _beside_others)


@view("month app_id currency top_share")
def payer_concentration(basis: Basis) -> Iterator[Row]:
    monthly = [row | {"month": row["day"].replace(day=1)} for row in basis.paid]
    for key, rows in grouped(monthly, "month app_id currency"):
        payers = sorted((some for _, some in grouped(rows, "user_id")), key=total, reverse=True)
        for share in TOP_SHARES:
            top = payers[:math.ceil(len(payers) * share)]
            of_top = [row for some in top for row in some]
            yield key | {
                "top_share": share, "payer_count": len(top), "amount_minor": total(of_top), "amount": money(of_top),
                "share_of_amount": rate(total(of_top), total(rows)),
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
                   "repeat_payer_count": len(users(rows)) - len(users(new))} for key, rows, new in paid_periods(basis)]


@view("period period_start app_id currency")
def arppu_by_period(basis: Basis) -> Iterator[Row]:
    for key, of_period, new_of_period in paid_periods(basis):
        for currency in basis.currencies(key["app_id"]):
            rows, new = (where(some, currency=currency) for some in (of_period, new_of_period))
            yield key | {
                "currency": currency, "paid_count": len(rows), "payer_count": len(users(rows)),
                "amount_minor": total(rows), "amount": money(rows),
                "new_payer_amount": money(new), "repeat_payer_amount": money(rows) - money(new),
                "arppu": basis.ratio(money(rows), len(users(rows)), currency),
                "amount_per_observed_user": basis.ratio(money(rows), basis.observed_in(key), currency)}


# The base currency

@view("period period_start app_id")
def revenue_converted_by_period(basis: Basis) -> list[Row]:
    return [key | {"paid_count": len(rows)} | basis.converted(rows) for key, rows, _ in paid_periods(basis)]


@view("period period_start app_id")
def arppu_converted_by_period(basis: Basis) -> list[Row]:
    return [key | {"payer_count": len(users(rows))} | basis.converted(
        rows, arppu=len(users(rows)), base_amount_per_observed_user=basis.observed_in(key),
    ) for key, rows, _ in paid_periods(basis)]


@view("app_id user_id")
def player_value(basis: Basis) -> list[Row]:
    return [key | basis.converted(rows) | {
        "paid_count": len(rows), "first_paid_on": rows[0]["day"], "last_paid_on": rows[-1]["day"],
    } for key, rows in grouped(basis.paid, "app_id user_id")]


# Cohorts

DAYS_N = (*range(8), 14, 28, 30, 60, 90, 180, 365)
KINDS = ("first_observed", "first_paid")


def members(basis: Basis, kind: str) -> list[Row]:
    """The users with the day of their cohort: that of the first observation, or of the first paid purchase."""
    days = {user: basis.first_day(user) for user in basis.observed} if kind == "first_observed" else {
        user: row["day"] for user, row in basis.first_paid.items()}
    return [{"app_id": app, "user_id": user, "cohort_on": day} for (app, user), day in days.items()]


def by_day_n(basis: Basis, kind: str, streams: Collection[str]) -> Iterator[tuple[Row, set[User], date]]:
    """Each day n of each cohort, with its users and its date."""
    for cohort, some in grouped(members(basis, kind), "app_id cohort_on"):
        for n in DAYS_N:
            on = cohort["cohort_on"] + timedelta(n)
            is_mature = basis.is_mature(cohort["app_id"], on, streams)
            yield cohort | {"day_n": n, "cohort_size": len(some), "mature_size": len(some) if is_mature else None,
                            "is_mature": is_mature}, users(some), on


def where_mature(key: Row, figures: Row) -> Row:
    """The figures where the day of the cohort is mature, else NULL."""
    return key | (figures if key["is_mature"] else dict.fromkeys(figures))


@view("app_id cohort_on day_n")
def retention_by_cohort(basis: Basis) -> Iterator[Row]:
    observed = {(user_of(row), row["day"]) for row in basis.observations}
    for key, cohort, on in by_day_n(basis, "first_observed", PLAYER_STREAMS):
        number = sum((user, on) in observed for user in cohort)
        yield where_mature(key, {"observed_count": number, "rate": rate(number, len(cohort))})


@view("app_id cohort_on day_n")
def conversion_by_cohort(basis: Basis) -> Iterator[Row]:
    for key, cohort, on in by_day_n(basis, "first_observed", ["receipt"]):
        number = sum(user in basis.first_paid and basis.first_paid[user]["day"] <= on for user in cohort)
        yield where_mature(key, {"converted_count": number, "rate": rate(number, len(cohort))})


@view("app_id cohort_kind cohort_on day_n currency")
def revenue_by_cohort(basis: Basis) -> Iterator[Row]:
    for kind in KINDS:
        for key, cohort, on in by_day_n(basis, kind, ["receipt"]):
            paid = [row for row in basis.paid if user_of(row) in cohort and row["day"] <= on]
            for currency in basis.currencies(key["app_id"]):
                rows = where(paid, currency=currency)
                yield where_mature(key | {"cohort_kind": kind, "currency": currency}, {
                    "payer_count": len(users(rows)), "cumulative_amount": money(rows),
                    "amount_per_user": basis.ratio(money(rows), len(cohort), currency)})


@view("app_id cohort_kind period cohort_start day_n")
def value_by_cohort(basis: Basis) -> Iterator[Row]:
    starting = [row | {"cohort_kind": kind, "period": period,
                       "cohort_start": basis.calendar.period_start(period, row["cohort_on"])}
                for kind in KINDS for row in members(basis, kind) for period in PERIODS]
    for key, some in grouped(starting, "app_id cohort_kind period cohort_start"):
        end = basis.calendar.next_period(key["period"], key["cohort_start"])
        for n in DAYS_N:
            # The users of mature days, each with the day n.
            through = {user_of(row): row["cohort_on"] + timedelta(n) for row in some
                       if basis.is_mature(key["app_id"], row["cohort_on"] + timedelta(n), ["receipt"])}
            rows = [row for row in basis.paid if user_of(row) in through and row["day"] <= through[user_of(row)]]
            figures = {"payer_count": len(users(rows))} | basis.converted(rows, base_amount_per_user=len(through))
            yield key | (figures if through else dict.fromkeys(figures)) | {
                "day_n": n, "base_currency": basis.base, "cohort_size": len(some), "mature_size": len(through),
                "is_mature": basis.is_mature(key["app_id"], end + timedelta(n - 1), ["receipt"])}
