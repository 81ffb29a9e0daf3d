"""The views of players: observed, purchases, current state and days."""

from __future__ import annotations

from collections.abc import Iterator

from report_basis import Basis, count, grouped, users, view
from report_facts import ADDED, PLAYER_STREAMS, Row, user_of
from report_levels import STATE, current_state, level_at


@view("period period_start app_id")
def observed_by_period(basis: Basis) -> Iterator[Row]:
    for key in basis.periods(PLAYER_STREAMS):
        observed = basis.observed_in(key)
        counts = {"observed_user_count": observed} | {
            name: len(users(basis.in_period(rows, key))) for name, rows in (
                ("level_up_user_count", basis.facts.rows["level_up"]),
                ("snapshot_user_count", basis.facts.rows["game_user"]), ("payer_count", basis.paid))}
        first = [{"app_id": user[0], "day": basis.first_day(user)} for user in basis.observed]
        counts["new_user_count"] = len(basis.in_period(first, key))
        yield key | (dict.fromkeys(counts) if observed is None else counts)


@view("payment_seq")
def purchase(basis: Basis) -> Iterator[Row]:
    for row in basis.receipts:
        period = basis.subscription_of.get(row["payment_seq"], {})
        state = level_at(basis.facts, user_of(row), row["at"])
        first = basis.first_paid.get(user_of(row), {})
        is_exact = state["level_attribution"] == "exact"
        yield {name: value for name, value in basis.priced(row).items() if name not in ADDED} | state | {
            **{name: state[name] if is_exact else None for name in STATE[1:]},
            "purchased_on": row["day"], "is_sandbox_known": row["is_sandbox"] is not None,
            "is_first_paid": first.get("payment_seq") == row["payment_seq"], "chain_id": period.get("chain_id"),
            "base_currency": basis.facts.base_currency, "base_amount": basis.base_amount(row)}


@view("app_id user_id")
def player(basis: Basis) -> Iterator[Row]:
    for app, user_id in basis.users:
        user = (app, user_id)
        one, first_day = basis.observed.get(user), basis.first_day(user)
        paid = [row for row in basis.paid if user_of(row) == user]
        state = current_state(basis.facts, user)
        begin = min([other.first_at for (name, _), other in basis.observed.items() if name == app]
                    + [first for first, _ in basis.times(app, PLAYER_STREAMS).values()], default=None)
        yield {"app_id": app, "user_id": user_id, **{name: state[name] for name in STATE},
               "first_observed_at": one and one.first_at, "first_observed_on": first_day,
               "first_observed_in": one and one.first_in, "last_observed_at": one and one.last_at,
               "first_paid_at": paid[0]["at"] if paid else None, "first_paid_on": paid[0]["day"] if paid else None,
               "last_paid_at": paid[-1]["at"] if paid else None, "paid_count": len(paid),
               "days_of_history": first_day and begin is not None and (first_day - basis.day(begin)).days}


@view("app_id user_id day")
def player_day(basis: Basis) -> Iterator[Row]:
    paid_purchases = {row["payment_seq"]: row for row in basis.paid}
    for key, rows in grouped(basis.timed(*PLAYER_STREAMS), "app_id user_id day"):
        paid = [paid_purchases[row["payment_seq"]] for row in rows if row.get("payment_seq") in paid_purchases]
        yield key | {
            "is_observed": any(map(basis.is_observation, rows)), "level_up_count": count(rows, stream="level_up"),
            "paid_count": len(paid), "is_new_payer": any(basis.is_new(row, "day", key["day"]) for row in paid),
            "level_at_end": level_at(basis.facts, user_of(key), basis.calendar.end(key["day"]) - 1)["user_level"]}


@view("app_id user_id")
def set_aside_player(basis: Basis) -> list[Row]:
    """No player: the figures of every valid row can be computed."""
    return []
