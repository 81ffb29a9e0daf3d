"""The views of loads: horizons, freshness, gaps, quality, refused lines, the load history; and of the health."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction

from report_basis import STOPPED, Basis, users, view
from report_calendar import HOUR, instant_from_text, rounded
from report_chains import TYPES
from report_facts import PLAYER_STREAMS, STREAMS, Row
from report_levels import percentile
from streams import KEYS

WEEKS = 8


@view("app_id stream")
def horizon(basis: Basis) -> list[Row]:
    return [{"app_id": app, "stream": stream, "first_event_at": first, "newest_event_at": newest}
            for (app, stream), (first, newest) in basis.events.items()]


def _loaded_at(basis: Basis) -> dict[int, int]:
    return {row["source_file_id"]: row["loaded_at"] for row in basis.facts.ledger["file"]}


def _newest_of_any(basis: Basis, app: str) -> int:
    """The newest event of an application in any of the five streams."""
    return max(newest for (other, _), (_, newest) in basis.events.items() if other == app)


@view("stream app_id")
def freshness(basis: Basis) -> list[Row]:
    loaded = defaultdict(list)
    files = {row["source_file_id"]: row for row in basis.facts.ledger["file"] if row["undone_at"] is None}
    for row in basis.facts.ledger["file_app"]:
        file = files.get(row["source_file_id"])
        if file is not None:
            loaded[file["stream"], row["app_id"]].append(file["loaded_at"])
    found = []
    for (stream, app), times in loaded.items():
        _, newest = basis.events.get((app, stream), (None, None))
        found.append({
            "stream": stream, "app_id": app, "newest_event_at": newest, "newest_loaded_at": max(times),
            "hours_behind_app": None if newest is None else rounded(
                Fraction(_newest_of_any(basis, app) - newest, HOUR), 2)})
    return found


@view("stream app_id day")
def calendar_gap(basis: Basis) -> list[Row]:
    found = []
    for (app, stream), (first, newest) in basis.events.items():
        counts = Counter(
            basis.day(row["at"]) for row in basis.facts.rows[stream]
            if row["app_id"] == app and row["at"] is not None and (stream != "receipt" or row["at"] <= newest))
        end = _newest_of_any(basis, app)
        for day in basis.calendar.spine("day", first, end):
            if basis.calendar.is_skipped(day):
                continue
            before = [day - timedelta(7 * week) for week in range(1, WEEKS + 1)]
            median = percentile(
                [Fraction(counts[one]) for one in before
                 if one >= basis.day(first) and not basis.is_day_dropped(one, stream)], Fraction(1, 2))
            is_dropped = basis.is_day_dropped(day, stream)
            is_over = day < basis.day(end) and not is_dropped
            found.append({
                "stream": stream, "app_id": app, "day": day, "line_count": counts[day],
                "median_line_count": median, "is_missing": None if is_dropped else counts[day] == 0,
                "is_unusual": None if median is None or not is_over
                    else counts[day] < median / 2 or counts[day] > 2 * median})
    return found


def _counts_of(stream: str, rows: list[Row]) -> Row:
    """The counts of standing rows. Money counts production rows, as in revenue_by_day."""
    money = [row for row in rows if row.get("is_sandbox") is not True]
    is_receipt = stream == "receipt"
    return {
        "line_count": len(rows),
        "unknown_sandbox_count": sum(row["is_sandbox"] is None for row in rows) if is_receipt else 0,
        "unpriced_count": sum(row["amount_minor"] is None for row in money) if is_receipt else 0,
        "free_count": sum(row["amount_minor"] == 0 for row in money) if is_receipt else 0,
        "imprecise_count": sum(bool(row.get("price_imprecise")) for row in money),
        "repaired_count": sum(
            bool(row.get("price_repaired")) or row["text_repaired"] for row in rows),
        "unknown_product_type_count": sum(row.get("product_type") == "UNKNOWN" for row in rows),
        "untyped_expiry_count": sum(
            row["expires_at"] is not None and row["product_type"] not in TYPES
            for row in rows) if is_receipt else 0,
        "load_start_count": sum(row.get("observed_at_source") == "load_start" for row in rows),
    }


def _app_of_conflict(basis: Basis, conflict: Row) -> str | None:
    """The application of the row that a line contradicts; None when the row is gone."""
    key = conflict["natural_key"]
    if isinstance(key, str):
        key = json.loads(key)
    for row in basis.facts.rows[conflict["stream"]]:
        if all(_is_same(row[name], part) for name, part in zip(KEYS[conflict["stream"]], key)):
            return str(row["app_id"])
    return None


def _is_same(value: object, part: object) -> bool:
    if isinstance(part, str) and isinstance(value, int):
        return value == instant_from_text(part)
    return value == part


@view("stream app_id loaded_on")
def quality_by_day(basis: Basis) -> list[Row]:
    loaded_on = {number: basis.day(at) for number, at in _loaded_at(basis).items()}
    groups: dict[tuple[str, str | None, date], list[Row]] = defaultdict(list)
    for stream in STREAMS:
        for row in basis.facts.rows[stream]:
            groups[stream, row["app_id"], loaded_on[row["source_file_id"]]].append(row)
    rejects: Counter[tuple[str, str | None, date]] = Counter()
    for row in reject_by_day(basis):
        rejects[row["stream"], None, row["day"]] += row["reject_count"]
    conflicts = Counter(
        (row["stream"], _app_of_conflict(basis, row), loaded_on[row["source_file_id"]])
        for row in basis.facts.ledger["conflict"])
    for row in basis.facts.ledger["pruned_conflict"]:
        conflicts[row["stream"], row["app_id"], basis.day(row["counted_at"])] += row["conflict_count"]
    return [{
        "stream": key[0], "app_id": key[1], "loaded_on": key[2], **_counts_of(key[0], groups.get(key, [])),
        "reject_count": rejects[key], "conflict_count": conflicts[key],
    } for key in {*groups, *rejects, *conflicts}]


@view("day stream code field is_loaded")
def reject_by_day(basis: Basis) -> list[Row]:
    loaded_on = {number: basis.day(at) for number, at in _loaded_at(basis).items()}
    counts: Counter[tuple[date, str, str, str | None, bool]] = Counter()
    for row in basis.facts.ledger["reject"]:
        counts[loaded_on[row["source_file_id"]], row["stream"], row["code"], row["field"], True] += 1
    failed = {row["failed_file_id"]: row for row in basis.facts.ledger["failed_file"]}
    for row in basis.facts.ledger["failed_reject"]:
        file = failed[row["failed_file_id"]]
        counts[basis.day(file["failed_at"]), file["stream"], row["code"], row["field"], False] += 1
    for row in basis.facts.ledger["pruned_reject"]:
        counts[basis.day(row["counted_at"]), row["stream"], row["code"], row["field"],
               row["source_file_id"] is not None] += row["reject_count"]
    return [{"day": day, "stream": stream, "code": code, "field": field, "is_loaded": is_loaded,
             "reject_count": count}
            for (day, stream, code, field, is_loaded), count in counts.items()]


@view("load_id path source_file_id")
def load_history(basis: Basis) -> list[Row]:
    ledger = basis.facts.ledger
    standing = Counter((row["stream"], row["source_file_id"]) for stream in STREAMS for row in basis.facts.rows[stream])
    erased: Counter[int] = Counter()
    erased_rows: Counter[int] = Counter()
    for row in ledger["erased_line"]:
        erased[row["source_file_id"]] += row["line_count"]
        if row["outcome"] == "inserted":
            erased_rows[row["source_file_id"]] += row["line_count"]
    files: dict[int, list[Row]] = defaultdict(list)
    for row in ledger["file"]:
        number = row["source_file_id"]
        files[row["load_id"]].append({
            **{name: row[name] for name in (
                "stream", "path", "source_file_id", "byte_count", "line_count", "inserted_count",
                "filled_count", "duplicate_count", "conflict_count", "rejected_count",
                "suppressed_count", "blank_count", "undone_at")},
            "status": "loaded" if row["undone_at"] is None else "undone", "reason": None,
            "erased_count": erased[number], "standing_count": standing[row["stream"], number],
            "undone_count": 0 if row["undone_at"] is None
                else row["inserted_count"] - erased_rows[number]})
    dismissed = {row["failed_file_id"]: row["dismissed_at"] for row in ledger["dismissal"]}
    for row in ledger["failed_file"]:
        files[row["load_id"]].append({
            "dismissed_at": dismissed.get(row["failed_file_id"]), "stream": row["stream"], "path": row["path"],
            "byte_count": row["byte_count"], "line_count": row["line_count"], "rejected_count": row["rejected_count"],
            "status": "dismissed" if row["failed_file_id"] in dismissed else "failed", "reason": row["reason"]})
    columns = ("status", "stream", "path", "source_file_id", "byte_count", "line_count",
               "inserted_count", "filled_count", "duplicate_count", "conflict_count",
               "rejected_count", "suppressed_count", "blank_count", "reason", "undone_at",
               "erased_count", "standing_count", "undone_count", "dismissed_at")
    return [{**{name: load[name] for name in ("load_id", "started_at", "finished_at", "exit_code")},
             **{name: file.get(name) for name in columns}}
            for load in ledger["load"] for file in files.get(load["load_id"], [{}])]


@view("stream code field")
def reject_summary(basis: Basis) -> list[Row]:
    files = {row["source_file_id"]: row for row in basis.facts.ledger["file"]}
    groups = defaultdict(list)
    for row in sorted(basis.facts.ledger["reject"], key=lambda row: (row["source_file_id"], row["line_number"])):
        groups[row["stream"], row["code"], row["field"]].append(row)
    pruned = defaultdict(list)
    for row in basis.facts.ledger["pruned_reject"]:
        if row["source_file_id"] is not None:
            pruned[row["stream"], row["code"], row["field"]].append(row)
    found = []
    for key in {**groups, **pruned}:
        rows, gone = groups.get(key, []), pruned.get(key, [])
        first = rows[0] if rows else None
        found.append({
            "stream": key[0], "code": key[1], "field": key[2],
            "reject_count": len(rows) + sum(row["reject_count"] for row in gone),
            "open_count": sum(not row["is_resolved"] for row in rows) + sum(row["open_count"] for row in gone),
            "last_loaded_at": max(files[row["source_file_id"]]["loaded_at"] for row in [*rows, *gone]),
            "example_path": first and files[first["source_file_id"]]["path"],
            "example_line_number": first and first["line_number"], "example_reason": first and first["reason"]})
    return found


@view("stream field")
def unknown_field_summary(basis: Basis) -> list[Row]:
    files = {row["source_file_id"]: row for row in basis.facts.ledger["file"] if row["undone_at"] is None}
    groups = defaultdict(list)
    for row in sorted(basis.facts.ledger["unknown_field"], key=lambda row: row["source_file_id"]):
        if row["source_file_id"] in files:
            file = files[row["source_file_id"]]
            groups[file["stream"], row["field"]].append((row, file))
    return [{
        "stream": stream, "field": field, "line_count": sum(row["line_count"] for row, _ in some),
        "file_count": len(some), "first_loaded_at": min(file["loaded_at"] for _, file in some),
        "last_loaded_at": max(file["loaded_at"] for _, file in some),
        "example_path": some[0][1]["path"], "example_line_number": some[0][0]["first_line_number"],
    } for (stream, field), some in groups.items()]


# Health

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


@view("stream path")
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


@view("app_id stream")
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


@view("app_id")
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
