"""The views of cohorts: retention, conversion and cumulative revenue."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from report_basis import Basis, total, users, view
from report_calendar import rate, rounded
from report_facts import PLAYER_STREAMS, Row, User, user_of

DAYS_N = (*range(8), 14, 28, 30, 60, 90, 180, 365)

Cohorts = dict[tuple[str, date], set[User]]


def first_observed(basis: Basis) -> Cohorts:
    cohorts = defaultdict(set)
    for user, one in basis.observed.items():
        cohorts[user[0], basis.day(one.first_at)].add(user)
    return cohorts


def first_paid(basis: Basis) -> Cohorts:
    cohorts = defaultdict(set)
    for user, row in basis.first_paid.items():
        cohorts[user[0], row["day"]].add(user)
    return cohorts


def by_day_n(basis: Basis, cohorts: Cohorts, streams: Iterable[str]) -> Iterator[tuple[Row, set[User], date]]:
    """Each day n of each cohort, with its users and its date."""
    for (app, day), members in cohorts.items():
        for n in DAYS_N:
            on = day + timedelta(n)
            is_mature = basis.is_mature(app, on, streams)
            yield ({"app_id": app, "cohort_on": day, "day_n": n, "cohort_size": len(members),
                    "mature_size": len(members) if is_mature else None, "is_mature": is_mature}, members, on)


def counted(key: Row, name: str, count: int) -> Row:
    """The users who count, and their rate, where the day is mature."""
    return key | {name: count if key["is_mature"] else None,
                  "rate": rate(count, key["cohort_size"]) if key["is_mature"] else None}


@view("app_id cohort_on day_n")
def retention_by_cohort(basis: Basis) -> list[Row]:
    observed = {(user_of(row), basis.day(row["at"])) for row in basis.observations}
    return [counted(key, "observed_count", sum((user, on) in observed for user in members))
            for key, members, on in by_day_n(basis, first_observed(basis), PLAYER_STREAMS)]


@view("app_id cohort_on day_n")
def conversion_by_cohort(basis: Basis) -> list[Row]:
    return [counted(key, "converted_count", sum(
        user in basis.first_paid and basis.first_paid[user]["day"] <= on for user in members))
        for key, members, on in by_day_n(basis, first_observed(basis), ["receipt"])]


@view("app_id cohort_kind cohort_on day_n currency")
def revenue_by_cohort(basis: Basis) -> list[Row]:
    found = []
    for kind, cohorts in (("first_observed", first_observed(basis)), ("first_paid", first_paid(basis))):
        for key, members, on in by_day_n(basis, cohorts, ["receipt"]):
            paid = [row for row in basis.paid if user_of(row) in members and row["day"] <= on]
            for currency in basis.currencies.get(key["app_id"], []):
                rows = [row for row in paid if row["currency"] == currency]
                amount = basis.major(total(rows), currency)
                figures = {"payer_count": len(users(rows)), "cumulative_amount": amount,
                           "amount_per_user": rounded(amount / len(members), basis.digits(currency))}
                found.append(key | {"cohort_kind": kind, "currency": currency} | (
                    figures if key["is_mature"] else dict.fromkeys(figures)))
    return found
