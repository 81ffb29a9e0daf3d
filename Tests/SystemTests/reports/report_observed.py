"""The views of players: observed, purchases, current state and days."""

from __future__ import annotations

from datetime import date

from report_basis import Basis, amounts, grouped, users, view
from report_calendar import PERIODS
from report_facts import PLAYER_STREAMS, Row, User, user_of
from report_levels import current_state, level_at

def _is_dropped(basis: Basis, period: str, start: date) -> bool:
    calendar = basis.calendar
    return basis.is_dropped(calendar.start(start), calendar.start(calendar.next_period(period, start)), PLAYER_STREAMS)


def _in_period(basis: Basis, rows: list[Row], app: str, period: str, start: date) -> list[Row]:
    return [row for row in rows if row["app_id"] == app and row["at"] is not None
            and basis.calendar.period_start(period, basis.day(row["at"])) == start]


def observed_in(basis: Basis, app: str, period: str, start: date) -> int | None:
    """The observed users of a period; None where retention dropped rows of it."""
    if _is_dropped(basis, period, start):
        return None
    return len(users(_in_period(basis, basis.observations, app, period, start)))


@view("period period_start app_id")
def observed_by_period(basis: Basis) -> list[Row]:
    found = []
    for app in basis.apps:
        for period in PERIODS:
            for start in basis.observed_spine(app, period):
                counts: dict[str, int | None] = {"observed_user_count": observed_in(basis, app, period, start)}
                for name, rows in (
                    ("level_up_user_count", basis.facts.rows["level_up"]),
                    ("snapshot_user_count", basis.facts.rows["game_user"]),
                    ("payer_count", basis.paid),
                ):
                    counts[name] = len(users(_in_period(basis, rows, app, period, start)))
                counts["new_user_count"] = sum(
                    user[0] == app and basis.calendar.period_start(
                        period, basis.day(one.first_at)) == start
                    for user, one in basis.observed.items())
                if _is_dropped(basis, period, start):
                    counts = dict.fromkeys(counts)
                found.append({
                    "period": period, "period_start": start, "app_id": app, **counts,
                    "is_complete": basis.is_complete(app, period, start, PLAYER_STREAMS)})
    return found


@view("payment_seq")
def purchase(basis: Basis) -> list[Row]:
    found = []
    for row in basis.receipts:
        period = basis.periods.get(row["payment_seq"])
        state = level_at(basis.facts, user_of(row), row["at"])
        first = basis.first_paid.get(user_of(row))
        exact = state if state and state.attribution == "exact" else None
        found.append({
            **{name: value for name, value in row.items() if name not in ("at", "day", "stream")},
            "purchased_on": row["day"],
            "amount": None if row["amount_minor"] is None else basis.major(
                row["amount_minor"], row["currency"]),
            "is_sandbox_known": row["is_sandbox"] is not None,
            "is_first_paid": first is not None and first["payment_seq"] == row["payment_seq"],
            "chain_id": period.chain_id if period else None,
            "user_level": state.level if state else None,
            "level_attribution": state.attribution if state else "none",
            "channel_id": exact.channel if exact else None,
            "character_id": exact.character if exact else None,
            "class_id": exact.class_id if exact else None,
            "base_currency": basis.facts.base_currency, "base_amount": basis.base_amount(row)})
    return found


def all_users(basis: Basis) -> list[User]:
    """Each user of any stored row or kept observation."""
    found = set(basis.facts.kept)
    for stream in PLAYER_STREAMS:
        found |= users(basis.facts.rows[stream])
    return sorted(found)


@view("app_id user_id")
def player(basis: Basis) -> list[Row]:
    begins = {}
    for app in {user[0] for user in all_users(basis)}:
        firsts = [one.first_at for user, one in basis.observed.items() if user[0] == app]
        firsts += [times[0] for times in basis.times(app, PLAYER_STREAMS)]
        begins[app] = min(firsts, default=None)
    found = []
    for user in all_users(basis):
        one, first_day = basis.observed.get(user), basis.first_day(user)
        paid = [row for row in basis.paid if user_of(row) == user]
        state = current_state(basis.facts, user)
        begin = begins[user[0]]
        found.append({
            "app_id": user[0], "user_id": user[1],
            "first_observed_at": one.first_at if one else None, "first_observed_on": first_day,
            "first_observed_in": one.first_in if one else None,
            "last_observed_at": one.last_at if one else None,
            "first_paid_at": paid[0]["at"] if paid else None,
            "first_paid_on": paid[0]["day"] if paid else None,
            "last_paid_at": paid[-1]["at"] if paid else None, "paid_count": len(paid),
            "days_of_history":
                (first_day - basis.day(begin)).days if first_day and begin is not None else None,
            "user_level": state.level if state else None,
            "channel_id": state.channel if state else None,
            "character_id": state.character if state else None,
            "class_id": state.class_id if state else None})
    return found


@view("app_id user_id currency")
def player_revenue(basis: Basis) -> list[Row]:
    return [key | {"paid_count": len(rows)} | amounts(basis, rows, key["currency"])
            for key, rows in grouped(basis.paid, "app_id", "user_id", "currency")]


@view("app_id user_id day")
def player_day(basis: Basis) -> list[Row]:
    dated = [row | {"day": basis.day(row["at"])} for stream in PLAYER_STREAMS for row in basis.timed(stream)]
    found = []
    for key, rows in grouped(dated, "app_id", "user_id", "day"):
        user, day = (key["app_id"], key["user_id"]), key["day"]
        paid = [row for row in basis.paid if user_of(row) == user and row["day"] == day]
        state = level_at(basis.facts, user, basis.calendar.end(day) - 1)
        found.append(key | {
            "is_observed": any(map(basis.is_observation, rows)),
            "level_up_count": sum(row["stream"] == "level_up" for row in rows), "paid_count": len(paid),
            "is_new_payer": any(basis.is_new(row, "day", day) for row in paid),
            "level_at_end": state.level if state else None})
    return found


@view("app_id user_id")
def set_aside_player(basis: Basis) -> list[Row]:
    """No player: the figures of every valid row can be computed."""
    return []
