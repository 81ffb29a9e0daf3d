"""The level of a user at an instant, and the views of levels and characters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

from report_basis import Basis, amounts, grouped, newest, part, users, versions, view
from report_calendar import DAY, SECOND, rounded
from report_facts import Facts, Row, User, user_of

# The columns of a user's state, of which only the first counts where several characters are known.
STATE = ("user_level", "channel_id", "character_id", "class_id")


def nulls_last(value: str | int | None) -> tuple[object, ...]:
    """The place of a value in an order by bytes."""
    return value is None, value.encode() if isinstance(value, str) else value or 0


def _place(row: Row) -> list[tuple[object, ...]]:
    """The order in a channel or class of rows that are equal otherwise."""
    return [nulls_last(row[name]) for name in ("character_id", "channel_id", "class_id")]


def _time(row: Row) -> int:
    return int(row["observed_at" if row["at"] is None else "at"])


def _highest(rows: list[Row]) -> Row:
    """The state of these rows: each character's latest one counts, then the highest of the characters.

    A row without a time of its own counts only for a character without any other; of several the newest load counts, of
    its files the last one, and its last line.
    """
    def age(row: Row) -> tuple[object, ...]:
        is_late = row["at"] is None
        line = (-row["source_file_id"], -row["line_number"]) if is_late else (0, 0)
        return is_late, line, -_time(row), -row["user_level"], row["stream"] != "game_user", _place(row)

    latest = {row["character_id"]: row for row in sorted(rows, key=age, reverse=True)}
    if not latest:
        return dict.fromkeys(STATE) | {"level_attribution": "none"}
    row = min(latest.values(), key=lambda row: (-row["user_level"], -_time(row), _place(row)))
    return part(row, " ".join(STATE)) | {"level_attribution": "exact" if len(latest) == 1 else "highest_of_several"}


def _rows(facts: Facts, user: User) -> list[Row]:
    return [row for stream in ("level_up", "game_user") for row in facts.rows[stream] if user_of(row) == user]


def level_at(facts: Facts, user: User, instant: int) -> Row:
    """The state by the rows with a time of their own at or before the instant."""
    return _highest([row for row in _rows(facts, user) if row["at"] is not None and row["at"] <= instant])


def current_state(facts: Facts, user: User) -> Row:
    """The newest state; rows without a time of their own count only where there is no other."""
    return _highest(_rows(facts, user))


def _levels(basis: Basis, app: str, rows: list[Row]) -> Iterator[tuple[Row, list[Row]]]:
    """Each level of these level-ups of an application, with the users who reached it, and who stopped there."""
    horizon = basis.horizon(app, ["level_up"])
    recent = users(row for row in basis.facts.rows["level_up"] if row["app_id"] == app
                   and horizon is not None and row["at"] > horizon - 7 * DAY)
    highest = {user: max(row["user_level"] for row in rows if user_of(row) == user) for user in users(rows)}
    for key, at_level in grouped(rows, "app_id user_level"):
        stopped = {user for user, reached in highest.items() if reached == key["user_level"]}
        yield key | {"reached_user_count": sum(reached >= key["user_level"] for reached in highest.values()),
                     "stopped_user_count": len(stopped), "stopped_7d_count": len(stopped - recent)}, at_level


@view("app_id user_level")
def level_funnel(basis: Basis) -> list[Row]:
    return [level | {"recorded_user_count": len(users(at_level))}
            for key, rows in grouped(basis.facts.rows["level_up"], "app_id")
            for level, at_level in _levels(basis, key["app_id"], rows)]


@view("app_id cohort_month user_level")
def level_funnel_by_cohort(basis: Basis) -> list[Row]:
    dropped_until = max((end for stream, _, end in basis.facts.dropped if stream == "level_up"), default=0)
    first_days = {user: basis.first_day(user) for user in basis.observed}
    dated = [row | {"cohort_month": first_days[user_of(row)].replace(day=1)} for row in basis.facts.rows["level_up"]]
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
    reached = sorted(seconds)[-int(-len(seconds) * share // 1) - 1]
    low_bits = max(0, reached.bit_length() - 4)
    lowest = reached >> low_bits << low_bits
    middle = Fraction(2 * lowest + (1 << low_bits), 2) if low_bits else Fraction(lowest)
    return rounded(middle / 60, 2)


@view("app_id user_level")
def level_time(basis: Basis) -> Iterator[Row]:
    # By user and level: the first time.
    first: dict[User, dict[int, int]] = defaultdict(dict)
    for row in basis.timed("level_up"):
        first[user_of(row)].setdefault(row["user_level"], row["at"])
    # By application and level: the seconds of each user since the first observation, and since the level before.
    found: dict[tuple[str, int], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for user, times in first.items():
        for level, at in times.items():
            since_first, since_previous = found[user[0], level]
            since_first.append((at - basis.observed[user].first_at) // SECOND)
            lower = [other for other, time in times.items() if other < level and time <= at]
            since_previous += [(at - times[max(lower)]) // SECOND] if lower else []
    for (app, level), (since_first, since_previous) in found.items():
        yield {"app_id": app, "user_level": level, "user_count": len(since_first),
               "step_user_count": len(since_previous),
               **{f"{name}_minutes_since_{what}": bucket_minutes(seconds, share)
                  for name, share in PERCENTILES.items()
                  for what, seconds in (("first_observed", since_first), ("previous_level", since_previous))}}


@view("app_id currency user_level level_attribution")
def revenue_by_level(basis: Basis) -> list[Row]:
    leveled = [row | level_at(basis.facts, user_of(row), row["at"]) for row in basis.paid]
    return [key | amounts(basis, rows, key["currency"]) | {"payer_count": len(users(rows)), "paid_count": len(rows)}
            for key, rows in grouped(leveled, "app_id currency user_level level_attribution")]


CHARACTER = "app_id user_id channel_id character_id"


@view(f"{CHARACTER} valid_from")
def character_history(basis: Basis) -> list[Row]:
    return [key | version for key, rows in grouped(basis.timed("game_user"), CHARACTER)
            for version in versions(rows, "user_level class_id")]


@view(CHARACTER)
def current_game_user(basis: Basis) -> list[Row]:
    columns = "user_level class_id observed_at observed_at_source source_file_id line_number"
    return [key | part(newest(rows), columns) for key, rows in grouped(basis.facts.rows["game_user"], CHARACTER)]
