"""The views that tell whether the reports can be trusted, and the applications."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction

from report_basis import STOPPED, Basis, users
from report_calendar import HOUR, rounded
from report_facts import PLAYER_STREAMS, Row
from report_operations import calendar_gap

DAYS = 14
RARE = ("event", "item")


def _open_failures(basis: Basis) -> dict[tuple[str | None, str], list[Row]]:
    """By stream and recognized path: the failures that nobody dismissed, the last one first."""
    dismissed = {row["failed_file_id"] for row in basis.facts.ledger["dismissal"]}
    found = defaultdict(list)
    for row in sorted(basis.facts.ledger["failed_file"], key=lambda row: (-row["failed_at"], -row["failed_file_id"])):
        if row["failed_file_id"] not in dismissed:
            path = row["path"] if row["canonical_path"] is None else row["canonical_path"]
            found[row["stream"], path].append(row)
    return found


def open_failure(basis: Basis) -> list[Row]:
    return [{
        "stream": stream, "path": path, "first_failed_at": min(row["first_failed_at"] for row in rows),
        "last_failed_at": rows[0]["failed_at"], "attempt_count": sum(row["attempt_count"] for row in rows),
        "error_code": rows[0]["error_code"], "error": rows[0]["reason"],
    } for (stream, path), rows in _open_failures(basis).items()]


def _setting(basis: Basis, name: str, stream: str, general: int | None) -> int | None:
    """The setting of a stream, else that for all, else its default; of rare streams without it only their own."""
    settings = {row["name"]: int(row["value"]) for row in basis.facts.ledger["setting"]
                if row["name"].split(".")[0] in ("max-age", "min-daily-lines")}
    if f"{name}.{stream}" in settings:
        return settings[f"{name}.{stream}"]
    return None if general is None else settings.get(name, general)


def _missing(basis: Basis) -> Counter[tuple[str, str]]:
    """By application and stream: the missing days before the day of the newest event."""
    found: Counter[tuple[str, str]] = Counter()
    for row in calendar_gap(basis):
        key = row["app_id"], row["stream"]
        newest = basis.day(basis.events[key][1])
        least = _setting(basis, "min-daily-lines", row["stream"], 10)
        found[key] += bool(
            1 <= (newest - row["day"]).days <= DAYS and row["is_missing"]
            and row["median_line_count"] is not None and row["median_line_count"] >= (least or 0))
    return found


def _verdict(*found: tuple[bool, str]) -> str:
    return next((name for is_so, name in found if is_so), "ok")


def health(basis: Basis) -> list[Row]:
    rows = list(_health(basis))
    ledger = basis.facts.ledger
    refreshed = {row["stream"]: row["source_file_id"] for row in ledger["refreshed"]}
    if ledger["change"] or any(row["source_file_id"] > refreshed[row["stream"]] for row in ledger["file"]):
        # Missing days are those of a state that is gone.
        rows = [{name: value for name, value in row.items() if name not in ("verdict", "missing_day_count")}
                for row in rows]
    return rows


def _health(basis: Basis) -> Iterator[Row]:
    ledger = basis.facts.ledger
    now = ledger["now"][0]["now"]
    refreshed = {row["stream"]: row["source_file_id"] for row in ledger["refreshed"]}
    files = {row["source_file_id"]: row for row in ledger["file"] if row["undone_at"] is None}
    apps = defaultdict(set)
    for row in ledger["file_app"]:
        apps[row["source_file_id"]].add(row["app_id"])
    failures = Counter(stream for stream, _ in _open_failures(basis))
    loaded: dict[tuple[str | None, str | None], list[int]] = defaultdict(list)
    pending: dict[tuple[str | None, str | None], list[int]] = defaultdict(list)
    empty: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, file in files.items():
        for app in apps[number] or [None]:
            if app is not None:
                loaded[app, file["stream"]].append(file["loaded_at"])
            if number > refreshed[file["stream"]]:
                pending[app, file["stream"]].append(file["loaded_at"])
        if file["line_count"] == file["blank_count"]:
            empty[file["app_id"] or "", file["stream"]].append(file["loaded_at"])
    missing = _missing(basis)
    keys = {*loaded, *((None, stream) for stream in failures), *(key for key in pending if key[0] is None)}
    for key in keys:
        app, stream = key
        age = None if app is None else _setting(basis, "max-age", stream or "", None if stream in RARE else 36)
        newest = newest_of_app = None
        if app is not None and stream is not None:
            newest = basis.events.get((app, stream), (None, None))[1]
            newest_of_app = max((times[1] for (one, _), times in basis.events.items() if one == app), default=None)
        news = None if app is None else max(
            newest if newest is not None else max(loaded[key]), *empty[app, stream or ""], 0)
        waiting = pending[key]
        yield {
            "app_id": app, "stream": stream,
            "verdict": _verdict(
                (bool(waiting) and now - min(waiting) > HOUR, "not_refreshed"), (failures[stream] > 0, "failed"),
                (app is not None and missing[app, stream or ""] > 0, "incomplete"),
                (newest is not None and newest_of_app - newest > STOPPED, "stopped"),
                (news is not None and age is not None and now - news > age * HOUR, "late")),
            "newest_event_at": newest,
            "hours_behind_now": None if newest is None else rounded(Fraction(now - newest, HOUR), 2),
            "max_hours_behind": age, "newest_loaded_at": max(loaded[key]) if app is not None else None,
            "missing_day_count": missing[app, stream or ""] if app is not None else 0,
            "open_failure_count": failures[stream], "pending_file_count": len(waiting), "set_aside_count": 0,
            "hours_without_news": None if news is None else rounded(Fraction(now - news, HOUR), 2)}


def app(basis: Basis) -> list[Row]:
    found = []
    for name in {app for app, _ in basis.accepted}:
        times = [one for (other, _), one in basis.events.items() if other == name]
        players = users(row for stream in PLAYER_STREAMS for row in basis.facts.rows[stream]) | set(basis.facts.kept)
        found.append({
            "app_id": name, "first_event_at": min((first for first, _ in times), default=None),
            "newest_event_at": max((newest for _, newest in times), default=None),
            "player_count": sum(one == name for one, _ in players),
            "receipt_feed": "files" if basis.feed(name) == "receipt" else "events"})
    return found


VIEWS = {
    "open_failure": ("stream path", open_failure),
    "health": ("app_id stream", health),
    "app": ("app_id", app),
}
