"""The views of loads: horizons, freshness, gaps, quality, refused lines and the load history."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from datetime import date, timedelta
from fractions import Fraction

from report_basis import Basis
from report_calendar import HOUR, instant_from_text, rounded
from report_chains import TYPES
from report_facts import STREAMS, Row
from report_levels import percentile

WEEKS = 8


def horizon(basis: Basis) -> list[Row]:
    return [{"app_id": app, "stream": stream, "first_event_at": first, "newest_event_at": newest}
            for (app, stream), (first, newest) in basis.events.items()]


def _loaded_at(basis: Basis) -> dict[int, int]:
    return {row["source_file_id"]: row["loaded_at"] for row in basis.facts.ledger["file"]}


def _newest_of_any(basis: Basis, app: str) -> int:
    """The newest event of an application in any of the five streams."""
    return max(newest for (other, _), (_, newest) in basis.events.items() if other == app)


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


def _is_dropped(basis: Basis, day: date, stream: str) -> bool:
    return basis.is_dropped(basis.calendar.start(day), basis.calendar.end(day), [stream])


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
                 if one >= basis.day(first) and not _is_dropped(basis, one, stream)], Fraction(1, 2))
            is_dropped = _is_dropped(basis, day, stream)
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
    names = {"receipt": ["payment_seq"],
             "level_up": ["app_id", "user_id", "character_id", "user_level", "leveled_up_at"],
             "game_user": ["app_id", "user_id", "channel_id", "character_id", "observed_at"],
             "event": ["occurred_at", "app_id", "event_id"],
             "item": ["observed_at", "app_id", "store_code", "gamebase_product_id", "market_item_id",
                      "item_seq", "currency"],
             }.get(conflict["stream"])
    if names is None:
        return None
    for row in basis.facts.rows[conflict["stream"]]:
        if all(_is_same(row[name], part) for name, part in zip(names, key)):
            return str(row["app_id"])
    return None


def _is_same(value: object, part: object) -> bool:
    if isinstance(part, str) and isinstance(value, int):
        return value == instant_from_text(part)
    return value == part


def quality_by_day(basis: Basis) -> list[Row]:
    loaded_on = {number: basis.day(at) for number, at in _loaded_at(basis).items()}
    groups: dict[tuple[str, str | None, date], list[Row]] = defaultdict(list)
    for stream in STREAMS:
        for row in basis.facts.rows[stream]:
            groups[stream, row["app_id"], loaded_on[row["source_file_id"]]].append(row)
    rejects = Counter(
        (row["stream"], None, loaded_on[row["source_file_id"]])
        for row in basis.facts.ledger["reject"])
    failed = {row["failed_file_id"]: row for row in basis.facts.ledger["failed_file"]}
    for row in basis.facts.ledger["failed_reject"]:
        file = failed[row["failed_file_id"]]
        rejects[file["stream"], None, basis.day(file["failed_at"])] += 1
    conflicts = Counter(
        (row["stream"], _app_of_conflict(basis, row), loaded_on[row["source_file_id"]])
        for row in basis.facts.ledger["conflict"])
    for row in basis.facts.ledger.get("pruned_reject", []):
        rejects[row["stream"], None, basis.day(row["counted_at"])] += row["reject_count"]
    for row in basis.facts.ledger.get("pruned_conflict", []):
        conflicts[row["stream"], row["app_id"], basis.day(row["counted_at"])] += row["conflict_count"]
    return [{
        "stream": key[0], "app_id": key[1], "loaded_on": key[2],
        **_counts_of(key[0], groups.get(key, [])), "reject_count": rejects[key],
        "conflict_count": conflicts[key],
    } for key in {*groups, *rejects, *conflicts}]


def reject_by_day(basis: Basis) -> list[Row]:
    loaded_on = {number: basis.day(at) for number, at in _loaded_at(basis).items()}
    counts: Counter[tuple[date, str, str, str | None, bool]] = Counter()
    for row in basis.facts.ledger["reject"]:
        counts[loaded_on[row["source_file_id"]], row["stream"], row["code"], row["field"], True] += 1
    failed = {row["failed_file_id"]: row for row in basis.facts.ledger["failed_file"]}
    for row in basis.facts.ledger["failed_reject"]:
        file = failed[row["failed_file_id"]]
        counts[basis.day(file["failed_at"]), file["stream"], row["code"], row["field"], False] += 1
    for row in basis.facts.ledger.get("pruned_reject", []):
        counts[basis.day(row["counted_at"]), row["stream"], row["code"], row["field"],
               row["source_file_id"] is not None] += row["reject_count"]
    return [{"day": day, "stream": stream, "code": code, "field": field, "is_loaded": is_loaded,
             "reject_count": count}
            for (day, stream, code, field, is_loaded), count in counts.items()]


def load_history(basis: Basis) -> list[Row]:
    ledger = basis.facts.ledger
    standing = Counter(
        (row["stream"], row["source_file_id"])
        for stream in STREAMS for row in basis.facts.rows[stream])
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
            "dismissed_at": dismissed.get(row["failed_file_id"]),
            "stream": row["stream"], "path": row["path"], "byte_count": row["byte_count"],
            "line_count": row["line_count"], "rejected_count": row["rejected_count"],
            "status": "dismissed" if row["failed_file_id"] in dismissed else "failed", "reason": row["reason"]})
    columns = ("status", "stream", "path", "source_file_id", "byte_count", "line_count",
               "inserted_count", "filled_count", "duplicate_count", "conflict_count",
               "rejected_count", "suppressed_count", "blank_count", "reason", "undone_at",
               "erased_count", "standing_count", "undone_count", "dismissed_at")
    return [{**{name: load[name] for name in ("load_id", "started_at", "finished_at", "exit_code")},
             **{name: file.get(name) for name in columns}}
            for load in ledger["load"] for file in files.get(load["load_id"], [{}])]


def reject_summary(basis: Basis) -> list[Row]:
    files = {row["source_file_id"]: row for row in basis.facts.ledger["file"]}
    groups = defaultdict(list)
    for row in sorted(basis.facts.ledger["reject"],
                      key=lambda row: (row["source_file_id"], row["line_number"])):
        groups[row["stream"], row["code"], row["field"]].append(row)
    pruned = defaultdict(list)
    for row in basis.facts.ledger.get("pruned_reject", []):
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


def unknown_field_summary(basis: Basis) -> list[Row]:
    files = {row["source_file_id"]: row for row in basis.facts.ledger["file"]
             if row["undone_at"] is None}
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


VIEWS = {
    "horizon": ("app_id stream", horizon),
    "freshness": ("stream app_id", freshness),
    "calendar_gap": ("stream app_id day", calendar_gap),
    "quality_by_day": ("stream app_id loaded_on", quality_by_day),
    "reject_by_day": ("day stream code field is_loaded", reject_by_day),
    "load_history": ("load_id path source_file_id", load_history),
    "reject_summary": ("stream code field", reject_summary),
    "unknown_field_summary": ("stream field", unknown_field_summary),
}
