"""The views in the base currency: players, cohorts and periods."""

from __future__ import annotations

from datetime import date, timedelta

from report_basis import Basis, users
from report_calendar import PERIODS
from report_cohorts import DAYS_N, first_observed, first_paid
from report_facts import Row, User, user_of
from report_observed import observed_in


def player_value(basis: Basis) -> list[Row]:
    found = []
    for user in users(basis.paid):
        rows = [row for row in basis.paid if user_of(row) == user]
        found.append({
            "app_id": user[0], "user_id": user[1], "base_currency": basis.facts.base_currency,
            "paid_count": len(rows), "unconverted_count": basis.in_base_currency(rows)[1],
            "base_amount": basis.base_sum(rows), "first_paid_on": rows[0]["day"], "last_paid_on": rows[-1]["day"]})
    return found


def value_by_cohort(basis: Basis) -> list[Row]:
    found = []
    for kind, cohorts in (("first_observed", first_observed(basis)), ("first_paid", first_paid(basis))):
        for period in PERIODS:
            starts = {(app, basis.calendar.period_start(period, day)) for app, day in cohorts}
            for app, start in starts:
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


def arppu_converted_by_period(basis: Basis) -> list[Row]:
    found = []
    for app in basis.apps:
        for period in PERIODS:
            for start in basis.spine(app, period):
                rows = [row for row in basis.paid if row["app_id"] == app
                        and basis.calendar.period_start(period, row["day"]) == start]
                found.append({
                    "period": period, "period_start": start, "app_id": app,
                    "base_currency": basis.facts.base_currency, "base_amount": basis.base_sum(rows),
                    "payer_count": len(users(rows)), "arppu": basis.base_ratio(rows, len(users(rows))),
                    "base_amount_per_observed_user": basis.base_ratio(rows, observed_in(basis, app, period, start)),
                    "unconverted_count": basis.in_base_currency(rows)[1],
                    "is_complete": basis.is_complete(app, period, start)})
    return found


VIEWS = {
    "player_value": ("app_id user_id", player_value),
    "value_by_cohort": ("app_id cohort_kind period cohort_start day_n", value_by_cohort),
    "arppu_converted_by_period": ("period period_start app_id", arppu_converted_by_period),
}
