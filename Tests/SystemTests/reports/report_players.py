"""The views of players: their level at an instant, observations, purchases, days; and of levels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from report_basis import VIEWS, Basis, view
from report_calendar import DAY, SECOND, rounded
from report_facts import (
    ADDED, PLAYER_STREAMS, Row, User, by_user, count, grouped, nulls_last, part, user_of, users, where)

# The columns of a user's state.
STATE = "user_level channel_id character_id class_id"


def _place(row: Row) -> list[tuple[object, ...]]:
    """The order in a channel or class of rows that are equal otherwise."""
    return [nulls_last(row[name]) for name in ("character_id", "channel_id", "class_id")]


def _time(row: Row) -> int:
    return int(row["observed_at" if row["at"] is None else "at"])


def state_of(basis: Basis, user: User, until: int | None = None) -> Row:
    """The state of a user now, or by the rows with a time of their own up to an instant.

    Each character's latest row counts, then the highest of the characters. A row without a time of its own counts only
    for a character without any other; of several the newest load counts, of its files the last one, and its last line.
    """
    rows = [row for stream in ("level_up", "game_user") for row in basis.rows[stream] if user_of(row) == user
            and (until is None or row["at"] is not None and row["at"] <= until)]

    def age(row: Row) -> tuple[object, ...]:
        is_late = row["at"] is None
        line = (-row["source_file_id"], -row["line_number"]) if is_late else (0, 0)
        return is_late, line, -_time(row), -row["user_level"], row["stream"] != "game_user", _place(row)

    latest = {row["character_id"]: row for row in sorted(rows, key=age, reverse=True)}
    if not latest:
        return dict.fromkeys(STATE.split()) | {"level_attribution": "none"}
    row = min(latest.values(), key=lambda row: (-row["user_level"], -_time(row), _place(row)))
    return part(row, STATE) | {"level_attribution": "exact" if len(latest) == 1 else "highest_of_several"}


# Players

@view("period period_start app_id")
def observed_by_period(basis: Basis) -> Iterator[Row]:
    first = [{"app_id": app, "user_id": user, "day": basis.first_day((app, user))} for app, user in basis.observed]
    counted = {"observed_user_count": basis.observations, "level_up_user_count": basis.rows["level_up"],
               "snapshot_user_count": basis.rows["game_user"], "payer_count": basis.paid, "new_user_count": first}
    for key in basis.periods(PLAYER_STREAMS):
        is_known = basis.observed_in(key) is not None
        yield key | {name: len(users(basis.in_period(rows, key))) if is_known else None
                     for name, rows in counted.items()}


@view("payment_seq")
def purchase(basis: Basis) -> Iterator[Row]:
    for row in basis.receipts:
        state = state_of(basis, user_of(row), row["at"])
        if state["level_attribution"] != "exact":
            # Of several characters only the level counts.
            state |= dict.fromkeys(("channel_id", "character_id", "class_id"))
        yield {name: value for name, value in row.items() if name not in ADDED} | state | {
            "purchased_on": row["day"], "is_sandbox_known": row["is_sandbox"] is not None,
            "is_first_paid": basis.first_paid.get(user_of(row)) is row, "base_currency": basis.base,
            "chain_id": basis.subscription_of.get(row["payment_seq"], {}).get("chain_id")}


@view("app_id user_id")
def player(basis: Basis) -> Iterator[Row]:
    for user in basis.users:
        app, user_id = user
        observed = basis.observed.get(user, [{}])
        first_day = basis.first_day(user) if user in basis.observed else None
        begin = min([rows[0]["at"] for (other, _), rows in basis.observed.items() if other == app]
                    + [first for first, _ in basis.times(app, PLAYER_STREAMS).values()], default=None)
        paid = where(basis.paid, app_id=app, user_id=user_id)
        first_paid, last_paid = (paid[0], paid[-1]) if paid else ({}, {})
        yield part(state_of(basis, user), STATE) | {
            "app_id": app, "user_id": user_id, "first_observed_at": observed[0].get("at"),
            "first_observed_on": first_day, "first_observed_in": observed[0].get("stream"),
            "last_observed_at": observed[-1].get("at"), "first_paid_at": first_paid.get("at"),
            "first_paid_on": first_paid.get("day"), "last_paid_at": last_paid.get("at"), "paid_count": len(paid),
            "days_of_history": first_day and begin is not None and (first_day - basis.day(begin)).days}


@view("app_id user_id day")
def player_day(basis: Basis) -> Iterator[Row]:
    for key, rows in grouped(basis.timed(*PLAYER_STREAMS), "app_id user_id day"):
        paid = [row for row in rows if row.get("is_paid")]
        yield key | {
            "is_observed": any(map(basis.is_observation, rows)), "level_up_count": count(rows, stream="level_up"),
            "paid_count": len(paid), "is_new_payer": any(basis.is_new(row, "day", key["day"]) for row in paid),
            "level_at_end": state_of(basis, user_of(key), basis.calendar.end(key["day"]) - 1)["user_level"]}


# No player: the figures of every valid row can be computed.
VIEWS["set_aside_player"] = "app_id user_id", lambda basis: []


# Levels

def _levels(basis: Basis, app: str, rows: list[Row]) -> Iterator[tuple[Row, list[Row]]]:
    """Each level of these level-ups of an application, with the users who reached it, and who stopped there."""
    horizon = basis.horizon(app, ["level_up"])
    recent = users(row for row in basis.rows["level_up"] if row["app_id"] == app
                   and horizon is not None and row["at"] > horizon - 7 * DAY)
    highest = {user: max(row["user_level"] for row in some) for user, some in by_user(rows).items()}
    for key, at_level in grouped(rows, "app_id user_level"):
        stopped = {user for user, reached in highest.items() if reached == key["user_level"]}
        yield key | {"reached_user_count": sum(reached >= key["user_level"] for reached in highest.values()),
                     "stopped_user_count": len(stopped), "stopped_7d_count": len(stopped - recent)}, at_level


@view("app_id user_level")
def level_funnel(basis: Basis) -> list[Row]:
    return [level | {"recorded_user_count": len(users(at_level))}
            for key, rows in grouped(basis.rows["level_up"], "app_id")
            for level, at_level in _levels(basis, key["app_id"], rows)]


@view("app_id cohort_month user_level")
def level_funnel_by_cohort(basis: Basis) -> list[Row]:
    dropped_until = max((end for stream, _, end in basis.dropped if stream == "level_up"), default=0)
    dated = [row | {"cohort_month": basis.first_day(user_of(row)).replace(day=1)} for row in basis.rows["level_up"]]
    return [key | level for key, rows in grouped(dated, "app_id cohort_month")
            if basis.calendar.start(key["cohort_month"]) >= dropped_until
            for level, _ in _levels(basis, key["app_id"], rows)]


PERCENTILES = {"p25": Fraction(1, 4), "p50": Fraction(1, 2), "p90": Fraction(9, 10)}


def bucket_minutes(seconds: list[int], share: Fraction) -> Fraction | None:
    """The middle of the bucket in which the share of the sorted durations is reached, in minutes.

    A bucket has the durations with the same four highest bits.
    """
    if not seconds:
        return None
    reached = seconds[math.ceil(len(seconds) * share) - 1]
    low_bits = max(0, reached.bit_length() - 4)
    lowest = reached >> low_bits << low_bits
    middle = Fraction(2 * lowest + (1 << low_bits), 2) if low_bits else Fraction(lowest)
    return rounded(middle / 60, 2)


@view("app_id user_level")
def level_time(basis: Basis) -> Iterator[Row]:
    # Of each user and level: the seconds since the first observation, and since the level before.
    reached: list[Row] = []
    for user, rows in by_user(basis.timed("level_up")).items():
        # By level: the first time.
        times = {row["user_level"]: row["at"] for row in reversed(rows)}
        for level, at in times.items():
            lower = [other for other, time in times.items() if other < level and time <= at]
            reached.append({
                "app_id": user[0], "user_level": level,
                "first_observed": (at - basis.observed[user][0]["at"]) // SECOND,
                "previous_level": (at - times[max(lower)]) // SECOND if lower else None})
    for key, rows in grouped(reached, "app_id user_level"):
        since = {what: sorted(row[what] for row in rows if row[what] is not None)
                 for what in ("first_observed", "previous_level")}
        yield key | {"user_count": len(rows), "step_user_count": len(since["previous_level"])} | {
            f"{name}_minutes_since_{what}": bucket_minutes(seconds, share)
            for name, share in PERCENTILES.items() for what, seconds in since.items()}
