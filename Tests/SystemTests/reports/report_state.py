"""The level of a user at an instant, and the user's current state."""

from __future__ import annotations

from dataclasses import dataclass

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
    return [row for stream in ("level_up", "game_user") for row in facts.rows[stream]
            if user_of(row) == user]


def level_at(facts: Facts, user: User, instant: int) -> State | None:
    """The level by the rows with a time of their own at or before the instant."""
    return _highest(
        [row for row in _rows(facts, user) if row["at"] is not None and row["at"] <= instant])


def current_state(facts: Facts, user: User) -> State | None:
    """The newest state; rows without a time of their own count only where there is no other."""
    return _highest(_rows(facts, user))
