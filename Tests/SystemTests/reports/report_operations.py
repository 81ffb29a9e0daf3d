"""The views of loads: horizons, freshness, gaps, quality, refused lines, the load history; and of the health."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from fractions import Fraction
from functools import partial
from typing import Any

from report_basis import STOPPED, Basis, Figures, add_sum, view
from report_calendar import HOUR, instant_of, rounded
from report_chains import TYPES
from report_days import RARE, gaps, is_unrefreshed, newest_of_any, open_days, path_of, setting
from report_facts import STREAMS, Row, count, greatest, grouped, least, part, sum_of, where
from streams import KEYS


def hours(microseconds: int) -> Fraction:
    return rounded(Fraction(microseconds, HOUR), 2)


@view("app_id stream")
def horizon(basis: Basis) -> list[Row]:
    return [part(row, "app_id stream first_event_at newest_event_at")
            for row in basis.accepted if row["first_event_at"] is not None]


@view("stream app_id")
def freshness(basis: Basis) -> Iterator[Row]:
    for row in basis.accepted:
        newest = row["newest_event_at"]
        yield part(row, "app_id stream newest_event_at newest_loaded_at") | {
            "hours_behind_app": None if newest is None else hours(newest_of_any(basis, row["app_id"]) - newest)}


@view("stream app_id day")
def calendar_gap(basis: Basis) -> Iterator[Row]:
    return gaps(basis)


# Quality

def _standing(row: Row) -> Row:
    """What a standing row adds to the counts. Money counts production rows, as in revenue_by_day."""
    is_receipt, is_money = row["stream"] == "receipt", row.get("is_sandbox") is not True
    return {
        "app_id": row["app_id"], "stream": row["stream"], "counted_at": row["file"]["loaded_at"], "line_count": 1,
        "unknown_sandbox_count": is_receipt and row["is_sandbox"] is None,
        "unpriced_count": is_receipt and is_money and row["amount_minor"] is None,
        "free_count": is_receipt and is_money and row["amount_minor"] == 0,
        "imprecise_count": is_money and row.get("price_imprecise") is True,
        "repaired_count": row.get("price_repaired") is True or row["text_repaired"],
        "unknown_product_type_count": row.get("product_type") == "UNKNOWN",
        "untyped_expiry_count": is_receipt and row["expires_at"] is not None and row["product_type"] not in TYPES,
        "load_start_count": row.get("observed_at_source") == "load_start"}


def _app_of_conflict(basis: Basis, conflict: Row) -> str | None:
    """The application of the row that a line contradicts; None when the row is gone."""
    for row in basis.rows[conflict["stream"]]:
        parts = zip((row[name] for name in KEYS[conflict["stream"]]), conflict["natural_key"])
        if all(instant_of(datetime.fromisoformat(one)) == value if isinstance(value, int) and isinstance(one, str)
               else one == value for value, one in parts):
            return str(row["app_id"])
    return None


def _lines(basis: Basis) -> list[Row]:
    standing = [_standing(row) for stream in STREAMS for row in basis.rows[stream]]
    refused = [part(row, "stream counted_at reject_count") | {"app_id": None} for row in _refused(basis)]
    conflicts = [part(row, "stream") | {"app_id": _app_of_conflict(basis, row), "conflict_count": 1,
                                        "counted_at": row["file"]["loaded_at"]} for row in basis.facts["conflict"]]
    return [row | {"loaded_on": basis.day(row["counted_at"])}
            for row in (*standing, *refused, *conflicts, *basis.facts["pruned_conflict"])]


def _refused(basis: Basis) -> list[Row]:
    """The refused lines of loaded and of failed files, one by one, and the pruned ones by their number."""
    rows = [row | part(row["file"], "path loaded_at") | {
        "counted_at": row["file"]["loaded_at"], "is_loaded": True, "reject_count": 1,
        "open_count": not row["is_resolved"]} for row in basis.facts["reject"]]
    rows += [row | {"counted_at": row["failed_at"], "is_loaded": False, "reject_count": 1}
             for row in basis.facts["failed_reject"]]
    rows += [row | {"is_loaded": row["file"] is not None, "loaded_at": row["file"] and row["file"]["loaded_at"]}
             for row in basis.facts["pruned_reject"]]
    return [row | {"day": basis.day(row["counted_at"])} for row in rows]


def _unknown_fields(basis: Basis) -> list[Row]:
    named = [row | part(row["file"], "stream path loaded_at undone_at") | {"line_number": row["first_line_number"]}
             for row in basis.facts["unknown_field"]]
    return sorted(where(named, undone_at=None), key=lambda row: row["source_file_id"])


CAUSE = "stream code field"
QUALITY = """line_count reject_count conflict_count unknown_sandbox_count unpriced_count free_count imprecise_count
    repaired_count unknown_product_type_count untyped_expiry_count load_start_count"""
FIGURES: Figures = {
    **{name: partial(sum_of, name) for name in (*QUALITY.split(), "open_count")}, "file_count": len,
    "first_loaded_at": partial(least, "loaded_at"), "last_loaded_at": partial(greatest, "loaded_at"),
    # Pruned lines are no examples.
    "example_path": lambda rows: rows[0].get("path"), "example_line_number": lambda rows: rows[0].get("line_number"),
    "example_reason": lambda rows: rows[0].get("reason"),
}
add = partial(add_sum, FIGURES)
add("quality_by_day", "stream app_id loaded_on", QUALITY, _lines)
add("reject_by_day", f"day {CAUSE} is_loaded", "reject_count", _refused)
add("reject_summary", CAUSE,
    "reject_count open_count last_loaded_at example_path example_line_number example_reason",
    lambda basis: where(_refused(basis), is_loaded=True))
add("unknown_field_summary", "stream field",
    "line_count file_count first_loaded_at last_loaded_at example_path example_line_number", _unknown_fields)


# Loads

OF_FAILED = "stream path byte_count line_count rejected_count"
OF_LOADED = (f"{OF_FAILED} source_file_id inserted_count filled_count duplicate_count conflict_count suppressed_count "
             "blank_count undone_at")


@view("load_id source_file_id path")
def load_history(basis: Basis) -> Iterator[Row]:
    nothing = dict.fromkeys((*OF_LOADED.split(), "erased_count", "standing_count", "undone_count", "status", "reason",
                             "dismissed_at"))
    files: dict[int, list[Row]] = defaultdict(list)
    for row in basis.facts["source_file"]:
        erased = where(basis.facts["erased_line"], source_file_id=row["source_file_id"])
        left = row["inserted_count"] - sum_of("line_count", where(erased, outcome="inserted"))
        is_undone = row["undone_at"] is not None
        files[row["load_id"]].append(nothing | part(row, OF_LOADED) | {
            "status": "undone" if is_undone else "loaded", "erased_count": sum_of("line_count", erased),
            "standing_count": count(basis.rows[row["stream"]], source_file_id=row["source_file_id"]),
            "undone_count": left if is_undone else 0})
    for row in basis.facts["failed_file"]:
        dismissed = _dismissed_at(basis, row["kind"], row["stream"], _known_path(row), row["failed_at"])
        files[row["load_id"]].append(nothing | part(row, f"{OF_FAILED} reason") | {
            "dismissed_at": dismissed, "status": "failed" if dismissed is None else "dismissed"})
    for load in basis.facts["load"]:
        for file in files.get(load["load_id"], [nothing]):
            yield part(load, "load_id started_at finished_at exit_code") | file


# Failures

def _known_path(row: Row) -> str:
    return str(row["path"] if row["canonical_path"] is None else row["canonical_path"])


def _dismissed_at(basis: Basis, kind: str, stream: str | None, path: str, failed_at: int) -> int | None:
    """The first dismissal after a failure; None while it is open."""
    rows = where(basis.facts["failure_dismissal"], kind=kind, stream=stream, path=path)
    return min((row["dismissed_at"] for row in rows if row["dismissed_at"] >= failed_at), default=None)


def _is_replaced(basis: Basis, undone: Row) -> bool:
    """True when the bytes of an undone file, or a later file of its path, are loaded."""
    return any(
        part(one, "sha256 empty_path") == part(undone, "sha256 empty_path")
        or one["canonical_path"] == _known_path(undone) and one["source_file_id"] > undone["source_file_id"]
        for one in where(basis.facts["source_file"], undone_at=None, stream=undone["stream"]))


def _failures(basis: Basis) -> Iterator[tuple[Row, list[Row], set[str | None]]]:
    """The open failures: kind, stream and path, the failures with the last one first, and the applications."""
    undone = [row | {"kind": "undone", "failed_at": row["undone_at"], "first_failed_at": row["undone_at"],
                     "failed_file_id": 0, "attempt_count": 0, "error_code": 7}
              for row in basis.facts["source_file"] if row["undone_at"] is not None and not _is_replaced(basis, row)]
    rows = [row | {"path": _known_path(row)} for row in (*basis.facts["failed_file"], *undone)]
    rows.sort(key=lambda row: (-row["failed_at"], -row["failed_file_id"]))
    for key, some in grouped(rows, "kind stream path"):
        if _dismissed_at(basis, **key, failed_at=some[0]["failed_at"]) is not None:
            continue
        apps = {row["app_id"] for row in some}
        if key["kind"] == "undone":
            numbers = {row["source_file_id"] for row in some}
            apps = {row["app_id"] for row in basis.facts["file_app"] if row["source_file_id"] in numbers}
        yield key, some, apps or {None}


@view("kind stream path")
def open_failure(basis: Basis) -> Iterator[Row]:
    for key, rows, apps in _failures(basis):
        yield key | part(rows[0], "error_code") | {
            "app_id": next(iter(apps)) if len(apps) == 1 else None, "last_failed_at": rows[0]["failed_at"],
            "first_failed_at": least("first_failed_at", rows), "attempt_count": sum_of("attempt_count", rows)}
    found_at = {path_of(row): row["first_found_at"] for row in basis.facts["open_day"]}
    for row in open_days(basis):
        at = found_at.get(path_of(row))
        yield part(row, "app_id stream kind") | {
            "path": path_of(row), "first_failed_at": at, "last_failed_at": at, "attempt_count": 0, "error_code": 7}


# Health

def _verdict(found: dict[str, bool]) -> str:
    return next((name for name, is_so in found.items() if is_so), "ok")


def _max_age(basis: Basis, app: str, stream: str) -> int | None:
    own = basis.settings.get(f"max-age.{app}")
    if own is not None and stream not in RARE and app not in STREAMS:
        return int(own)
    return setting(basis, "max-age", stream, None if stream in RARE else 36)


@view("app_id stream")
def health(basis: Basis) -> Iterator[Row]:
    ledger = basis.facts
    now = ledger["now"][0]["now"]
    # By application and stream: the paths of open failures.
    failed: dict[tuple[Any, Any], set[str]] = defaultdict(set)
    for failure, _, apps in _failures(basis):
        if failure["kind"] != "undone" and len(basis.apps) == 1:
            apps = {basis.apps[0] if app is None else app for app in apps}
        for app in apps:
            failed[app, failure["stream"]].add(failure["path"])
    # Of each application of a file, or of none: when it was loaded, and whether no refresh has seen it.
    standing = where(ledger["source_file"], undone_at=None)
    files = [part(file, "stream loaded_at") | {"app_id": app, "is_pending": is_unrefreshed(basis, file)}
             for file in standing for app in [
                 row["app_id"] for row in where(ledger["file_app"], source_file_id=file["source_file_id"])] or [None]]
    empty = [part(file, "stream loaded_at") | {"app_id": file["app_id"] or ""}
             for file in standing if file["line_count"] == file["blank_count"]]
    days = Counter((row["app_id"], row["stream"], row["kind"]) for row in open_days(basis))
    conflicts = Counter((_app_of_conflict(basis, row), row["stream"])
                        for row in where(ledger["conflict"], is_open=True))
    usual = {(row["app_id"], row["stream"], row["day"]): row["median_line_count"] for row in gaps(basis)}
    seen = {(row["app_id"], row["stream"]) for row in files if row["app_id"] is not None or row["is_pending"]}
    for key in {*failed, *seen}:
        app, stream = key
        own, pending = len(failed[key]), where(files, app_id=app, stream=stream, is_pending=True)
        loaded_at = greatest("loaded_at", where(files, app_id=app, stream=stream))
        newest = basis.events.get(key, (None, None))[1]
        news = loaded_at if newest is None else newest
        behind = None if newest is None else newest_of_any(basis, app) - newest
        median = None if newest is None else usual.get((*key, basis.day(newest)))
        told_empty = [row["loaded_at"] for row in where(empty, app_id=app, stream=stream)]
        if told_empty and (median is None or median < (setting(basis, "min-daily-lines", stream, 10) or 0)):
            news = max(*told_empty, news or 0)
        row: Row = {
            "newest_event_at": newest, "hours_behind_now": None if newest is None else hours(now - newest),
            "max_hours_behind": _max_age(basis, app, stream), "newest_loaded_at": loaded_at,
            "open_conflict_count": conflicts[key], "open_failure_count": own + len(failed[None, stream])}
        if app is None:
            row = dict.fromkeys(row) | {"open_conflict_count": 0, "open_failure_count": own}
        age, missing, implausible = row["max_hours_behind"], days[(*key, "incomplete")], days[(*key, "implausible")]
        found = {
            "not_refreshed": any(now - row["loaded_at"] > HOUR for row in pending),
            "failed": row["open_failure_count"] > 0, "implausible": implausible > 0, "incomplete": missing > 0,
            "stopped": behind is not None and behind > STOPPED,
            "late": news is not None and age is not None and now - news > age * HOUR}
        yield row | {
            "app_id": app, "stream": stream, "pending_file_count": len(pending), "set_aside_count": 0,
            "missing_day_count": missing, "implausible_day_count": implausible, "verdict": _verdict(found),
            "own_verdict": _verdict(found | {"failed": app is not None and own > 0})}


@view("app_id")
def app(basis: Basis) -> Iterator[Row]:
    for key, rows in grouped(basis.accepted, "app_id"):
        yield key | {
            "first_event_at": least("first_event_at", rows), "newest_event_at": greatest("newest_event_at", rows),
            "player_count": sum(app == key["app_id"] for app, _ in basis.users),
            "receipt_feed": "files" if basis.feed(key["app_id"]) == "receipt" else "events"}
