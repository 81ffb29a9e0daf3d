"""The level of a user at an instant, and the views of levels and characters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from report_basis import Basis, amounts, grouped, newest, users, versions, view
from report_calendar import DAY, SECOND, rounded
from report_facts import Facts, Row, User, user_of

@dataclass(frozen=True)
class State:
    level: int
    channel: str | None
    character: str | None
    class_id: str | None
    attribution: str


def nulls_last(text: str | None) -> tuple[bool, bytes]:
    return text is None, (text or "").encode()


def _place(row: Row) -> tuple[object, ...]:
    """The order in a channel or class of rows that are equal otherwise."""
    return nulls_last(row["character_id"]), nulls_last(row["channel_id"]), nulls_last(row["class_id"])


def _time(row: Row) -> int:
    return int(row["observed_at" if row["at"] is None else "at"])


def _highest(rows: list[Row]) -> State | None:
    """The state of these rows: each character's latest one counts, then the highest of the characters.

    A row without a time of its own counts only for a character without any other; of several the newest load counts, of
    its files the last one, and its last line.
    """
    latest: dict[str | None, Row] = {}
    for row in sorted(rows, key=lambda row: (
            row["at"] is None, *((-row["source_file_id"], -row["line_number"]) if row["at"] is None else (0, 0)),
            -_time(row), -row["user_level"],
            row["stream"] != "game_user", *_place(row))):
        latest.setdefault(row["character_id"], row)
    if not latest:
        return None
    row = min(latest.values(), key=lambda row: (-row["user_level"], -_time(row), *_place(row)))
    return State(
        row["user_level"], row["channel_id"], row["character_id"], row["class_id"],
        "exact" if len(latest) == 1 else "highest_of_several")


def _rows(facts: Facts, user: User) -> list[Row]:
    return [row for stream in ("level_up", "game_user") for row in facts.rows[stream] if user_of(row) == user]


def level_at(facts: Facts, user: User, instant: int) -> State | None:
    """The level by the rows with a time of their own at or before the instant."""
    return _highest([row for row in _rows(facts, user) if row["at"] is not None and row["at"] <= instant])


def current_state(facts: Facts, user: User) -> State | None:
    """The newest state; rows without a time of their own count only where there is no other."""
    return _highest(_rows(facts, user))


PERCENTILES = {"p25": Fraction(1, 4), "p50": Fraction(1, 2), "p90": Fraction(9, 10)}


def _levels(basis: Basis, app: str, rows: list[Row]) -> Iterator[Row]:
    """Each level of these level-ups of an application, with the users who reached it, and who stopped there."""
    horizon = basis.horizon(app, ["level_up"])
    recent = users([row for row in basis.facts.rows["level_up"] if row["app_id"] == app
                    and horizon is not None and row["at"] > horizon - 7 * DAY])
    highest = {user: max(row["user_level"] for row in rows if user_of(row) == user) for user in users(rows)}
    for level in {row["user_level"] for row in rows}:
        stopped = {user for user, reached in highest.items() if reached == level}
        yield {"app_id": app, "user_level": level,
               "reached_user_count": sum(reached >= level for reached in highest.values()),
               "stopped_user_count": len(stopped), "stopped_7d_count": len(stopped - recent)}


@view("app_id user_level")
def level_funnel(basis: Basis) -> list[Row]:
    found = []
    for key, rows in grouped(basis.facts.rows["level_up"], "app_id"):
        for level in _levels(basis, key["app_id"], rows):
            at_level = [row for row in rows if row["user_level"] == level["user_level"]]
            found.append(level | {"recorded_user_count": len(users(at_level))})
    return found


@view("app_id cohort_month user_level")
def level_funnel_by_cohort(basis: Basis) -> list[Row]:
    dropped_until = max((end for stream, _, end in basis.facts.dropped if stream == "level_up"), default=0)
    dated = []
    for row in basis.facts.rows["level_up"]:
        first_day = basis.first_day(user_of(row))
        assert first_day is not None
        dated.append(row | {"cohort_month": first_day.replace(day=1)})
    return [key | level for key, rows in grouped(dated, "app_id", "cohort_month")
            if basis.calendar.start(key["cohort_month"]) >= dropped_until
            for level in _levels(basis, key["app_id"], rows)]


def bucket_minutes(seconds: list[int], share: Fraction) -> Fraction | None:
    """The middle of the bucket in which the share of the sorted durations is reached, in minutes.

    A bucket has the durations with the same four highest bits.
    """
    if not seconds:
        return None
    reached = sorted(seconds)[-int(-len(seconds) * share // 1) - 1]
    low_bits = max(0, reached.bit_length() - 4)
    lowest = reached >> low_bits << low_bits
    middle = Fraction(2 * lowest + (1 << low_bits), 2) if low_bits else Fraction(lowest)
    return rounded(middle / 60, 2)


@view("app_id user_level")
def level_time(basis: Basis) -> list[Row]:
    # By user and level: the first time.
    first: dict[User, dict[int, int]] = defaultdict(dict)
    for row in sorted(basis.facts.rows["level_up"], key=lambda row: row["at"]):
        first[user_of(row)].setdefault(row["user_level"], row["at"])
    since: dict[tuple[str, int], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for user, times in first.items():
        for level, at in times.items():
            since_first, since_previous = since[user[0], level]
            since_first.append((at - basis.observed[user].first_at) // SECOND)
            lower = [other for other, time in times.items() if other < level and time <= at]
            if lower:
                since_previous.append((at - times[max(lower)]) // SECOND)
    return [{
        "app_id": app, "user_level": level, "user_count": len(since_first),
        "step_user_count": len(since_previous),
        **{f"{name}_minutes_since_first_observed": bucket_minutes(since_first, share)
           for name, share in PERCENTILES.items()},
        **{f"{name}_minutes_since_previous_level": bucket_minutes(since_previous, share)
           for name, share in PERCENTILES.items()},
    } for (app, level), (since_first, since_previous) in since.items()]


@view("app_id currency user_level level_attribution")
def revenue_by_level(basis: Basis) -> list[Row]:
    groups = defaultdict(list)
    for row in basis.paid:
        state = level_at(basis.facts, user_of(row), row["at"])
        groups[row["app_id"], row["currency"], state.level if state else None,
               state.attribution if state else "none"].append(row)
    return [{
        "app_id": app, "currency": currency, "user_level": level, "level_attribution": attribution,
        "payer_count": len(users(rows)), "paid_count": len(rows), **amounts(basis, rows, currency),
    } for (app, currency, level, attribution), rows in groups.items()]


CHARACTER = ("app_id", "user_id", "channel_id", "character_id")


@view("app_id user_id channel_id character_id valid_from")
def character_history(basis: Basis) -> list[Row]:
    return [key | version for key, rows in grouped(basis.timed("game_user"), *CHARACTER)
            for version in versions(rows, ("user_level", "class_id"))]


@view("app_id user_id channel_id character_id")
def current_game_user(basis: Basis) -> list[Row]:
    return [key | {name: newest(rows)[name] for name in (
        "user_level", "class_id", "observed_at", "observed_at_source", "source_file_id", "line_number")}
        for key, rows in grouped(basis.facts.rows["game_user"], *CHARACTER)]
