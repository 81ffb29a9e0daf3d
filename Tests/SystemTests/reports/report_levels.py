"""The views of levels and characters."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from report_basis import Basis, users
from report_calendar import DAY, SECOND, rounded
from report_facts import Row, User, user_of
from report_state import level_at

PERCENTILES = {"p25": Fraction(1, 4), "p50": Fraction(1, 2), "p90": Fraction(9, 10)}


def _by_app(rows: list[Row]) -> dict[str, list[Row]]:
    found = defaultdict(list)
    for row in rows:
        found[row["app_id"]].append(row)
    return found


def level_funnel(basis: Basis) -> list[Row]:
    found = []
    for app, rows in _by_app(basis.facts.rows["level_up"]).items():
        highest = {user: max(row["user_level"] for row in rows if user_of(row) == user)
                   for user in users(rows)}
        horizon = basis.horizon(app, ["level_up"])
        recent = users([row for row in rows if horizon is not None and row["at"] > horizon - 7 * DAY])
        for level in {row["user_level"] for row in rows}:
            at_level = [row for row in rows if row["user_level"] == level]
            stopped = {user for user, reached in highest.items() if reached == level}
            found.append({
                "app_id": app, "user_level": level, "recorded_user_count": len(users(at_level)),
                "reached_user_count": sum(reached >= level for reached in highest.values()),
                "stopped_user_count": len(stopped), "stopped_7d_count": len(stopped - recent),
                "first_reached_at": min(row["at"] for row in at_level)})
    return found


def level_funnel_by_cohort(basis: Basis) -> list[Row]:
    found = []
    for app, rows in _by_app(basis.facts.rows["level_up"]).items():
        horizon = basis.horizon(app, ["level_up"])
        recent = users([row for row in rows if horizon is not None and row["at"] > horizon - 7 * DAY])
        dropped_until = max((end for stream, _, end in basis.facts.dropped if stream == "level_up"), default=0)
        cohorts = defaultdict(list)
        for row in rows:
            first_day = basis.first_day(user_of(row))
            assert first_day is not None
            cohorts[first_day.replace(day=1)].append(row)
        for month, of_cohort in cohorts.items():
            if basis.calendar.start(month) < dropped_until:
                continue
            highest = {user: max(row["user_level"] for row in of_cohort if user_of(row) == user)
                       for user in users(of_cohort)}
            for level in {row["user_level"] for row in of_cohort}:
                stopped = {user for user, reached in highest.items() if reached == level}
                found.append({
                    "app_id": app, "cohort_month": month, "user_level": level,
                    "reached_user_count": sum(reached >= level for reached in highest.values()),
                    "stopped_user_count": len(stopped), "stopped_7d_count": len(stopped - recent)})
    return found


def percentile(values: list[Fraction], share: Fraction) -> Fraction | None:
    """The value at a share of the sorted values, between two of them by linear interpolation."""
    if not values:
        return None
    values = sorted(values)
    place = (len(values) - 1) * share
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (place - below)


def bucket_minutes(seconds: list[int], share: Fraction) -> Fraction | None:
    """The middle of the bucket in which the share of the sorted durations is reached, in minutes.

    A bucket has the durations with the same seven highest bits.
    """
    if not seconds:
        return None
    reached = sorted(seconds)[-int(-len(seconds) * share // 1) - 1]
    low_bits = max(0, reached.bit_length() - 7)
    lowest = reached >> low_bits << low_bits
    middle = Fraction(2 * lowest + (1 << low_bits), 2) if low_bits else Fraction(lowest)
    return rounded(middle / 60, 2)


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


def revenue_by_level(basis: Basis) -> list[Row]:
    groups = defaultdict(list)
    for row in basis.paid:
        state = level_at(basis.facts, user_of(row), row["at"])
        groups[row["app_id"], row["currency"], state.level if state else None,
               state.attribution if state else "none"].append(row)
    return [{
        "app_id": app, "currency": currency, "user_level": level, "level_attribution": attribution,
        "payer_count": len(users(rows)), "paid_count": len(rows),
        "amount_minor": sum(row["amount_minor"] for row in rows),
        "amount": basis.major(sum(row["amount_minor"] for row in rows), currency),
    } for (app, currency, level, attribution), rows in groups.items()]


def _snapshots(basis: Basis, timed: bool) -> dict[tuple, list[Row]]:  # type: ignore[type-arg]
    """The snapshots of each character in a channel in the order of time."""
    groups = defaultdict(list)
    for row in sorted(basis.facts.rows["game_user"], key=lambda row: row["observed_at"]):
        if row["at"] is not None or not timed:
            groups[(*user_of(row), row["channel_id"], row["character_id"])].append(row)
    return groups


def character_history(basis: Basis) -> list[Row]:
    found: list[Row] = []
    for (app, user, channel, character), rows in _snapshots(basis, timed=True).items():
        versions: list[Row] = []
        for row in rows:
            state = {"user_level": row["user_level"], "class_id": row["class_id"]}
            if versions and state.items() <= versions[-1].items():
                continue
            if versions:
                versions[-1]["valid_to"] = row["at"]
            versions.append({
                "app_id": app, "user_id": user, "channel_id": channel, "character_id": character,
                "valid_from": row["at"], **state, "valid_to": None})
        found += versions
    return found


def current_game_user(basis: Basis) -> list[Row]:
    found = []
    for rows in _snapshots(basis, timed=False).values():
        # Of rows without a time of their own, the newest load counts, whatever time --as-of gave it.
        newest = max(rows, key=lambda row: (
            (True, row["observed_at"]) if row["at"] is not None else (False, row["source_file_id"])))
        found.append({name: newest[name] for name in (
            "app_id", "user_id", "channel_id", "character_id", "user_level", "class_id",
            "observed_at", "observed_at_source", "source_file_id", "line_number")})
    return found


VIEWS = {
    "level_funnel": ("app_id user_level", level_funnel),
    "level_funnel_by_cohort": ("app_id cohort_month user_level", level_funnel_by_cohort),
    "level_time": ("app_id user_level", level_time),
    "revenue_by_level": ("app_id currency user_level level_attribution", revenue_by_level),
    "character_history": ("app_id user_id channel_id character_id valid_from", character_history),
    "current_game_user": ("app_id user_id channel_id character_id", current_game_user),
}
