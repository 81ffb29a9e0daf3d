"""The views of cohorts: retention, conversion and cumulative revenue."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta

from report_basis import Basis, view
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


@view("app_id cohort_on day_n")
def retention_by_cohort(basis: Basis) -> list[Row]:
    observed = {(user_of(row), basis.day(row["at"])) for row in basis.observations}
    found = []
    for (app, day), members in first_observed(basis).items():
        for n in DAYS_N:
            on = day + timedelta(n)
            is_mature = basis.is_mature(app, on, PLAYER_STREAMS)
            count = sum((user, on) in observed for user in members)
            found.append({
                "app_id": app, "cohort_on": day, "day_n": n, "cohort_size": len(members),
                "mature_size": len(members) if is_mature else None, "observed_count": count if is_mature else None,
                "rate": rate(count, len(members)) if is_mature else None, "is_mature": is_mature})
    return found


@view("app_id cohort_on day_n")
def conversion_by_cohort(basis: Basis) -> list[Row]:
    found = []
    for (app, day), members in first_observed(basis).items():
        for n in DAYS_N:
            on = day + timedelta(n)
            is_mature = basis.is_mature(app, on, ["receipt"])
            count = sum(user in basis.first_paid and basis.first_paid[user]["day"] <= on for user in members)
            found.append({
                "app_id": app, "cohort_on": day, "day_n": n, "cohort_size": len(members),
                "mature_size": len(members) if is_mature else None, "converted_count": count if is_mature else None,
                "rate": rate(count, len(members)) if is_mature else None, "is_mature": is_mature})
    return found


@view("app_id cohort_kind cohort_on day_n currency")
def revenue_by_cohort(basis: Basis) -> list[Row]:
    found = []
    for kind, cohorts in (("first_observed", first_observed(basis)), ("first_paid", first_paid(basis))):
        for (app, day), members in cohorts.items():
            for currency in basis.currencies.get(app, []):
                paid = [row for row in basis.paid if user_of(row) in members and row["currency"] == currency]
                for n in DAYS_N:
                    on = day + timedelta(n)
                    rows = [row for row in paid if row["day"] <= on]
                    amount = basis.major(sum(row["amount_minor"] for row in rows), currency)
                    is_mature = basis.is_mature(app, on, ["receipt"])
                    found.append({
                        "app_id": app, "cohort_kind": kind, "cohort_on": day, "day_n": n,
                        "currency": currency, "cohort_size": len(members),
                        "mature_size": len(members) if is_mature else None,
                        "payer_count": len({user_of(row) for row in rows}) if is_mature else None,
                        "cumulative_amount": amount if is_mature else None,
                        "amount_per_user": rounded(amount / len(members), basis.digits(currency))
                            if is_mature else None,
                        "is_mature": is_mature})
    return found
