"""The views of loads: horizons, freshness, gaps, quality, refused lines, the load history; and of the health."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from fractions import Fraction

from report_basis import STOPPED, Basis, count, grouped, part, view
from report_calendar import HOUR, instant_of, rounded
from report_chains import TYPES
from report_days import RARE, gaps, is_pending, is_unrefreshed, newest_of_any, open_days, setting
from report_facts import STREAMS, Row
from streams import KEYS


def hours(microseconds: int) -> Fraction:
    return rounded(Fraction(microseconds, HOUR), 2)


@view("app_id stream")
def horizon(basis: Basis) -> list[Row]:
    return [{"app_id": app, "stream": stream, "first_event_at": first, "newest_event_at": newest}
            for (app, stream), (first, newest) in basis.events.items()]


@view("stream app_id")
def freshness(basis: Basis) -> Iterator[Row]:
    for (app, stream), rows in basis.accepted.items():
        _, newest = basis.events.get((app, stream), (None, None))
        yield {"stream": stream, "app_id": app, "newest_event_at": newest,
               "newest_loaded_at": max(row["file"]["loaded_at"] for row in rows),
               "hours_behind_app": None if newest is None else hours(newest_of_any(basis, app) - newest)}


@view("stream app_id day")
def calendar_gap(basis: Basis) -> Iterator[Row]:
    return gaps(basis)


# Quality

def _counts_of(stream: str, rows: list[Row]) -> Row:
    """The counts of standing rows. Money counts production rows, as in revenue_by_day."""
    money = [row for row in rows if row.get("is_sandbox") is not True]
    receipts = rows if stream == "receipt" else []
    return {
        "line_count": len(rows), "unknown_sandbox_count": count(receipts, is_sandbox=None),
        "unpriced_count": count(money, amount_minor=None) if receipts else 0,
        "free_count": count(money, amount_minor=0) if receipts else 0,
        "imprecise_count": sum(row.get("price_imprecise") is True for row in money),
        "repaired_count": sum(row.get("price_repaired") is True or row["text_repaired"] for row in rows),
        "unknown_product_type_count": sum(row.get("product_type") == "UNKNOWN" for row in rows),
        "untyped_expiry_count": sum(
            row["expires_at"] is not None and row["product_type"] not in TYPES for row in receipts),
        "load_start_count": sum(row.get("observed_at_source") == "load_start" for row in rows)}


def _app_of_conflict(basis: Basis, conflict: Row) -> str | None:
    """The application of the row that a line contradicts; None when the row is gone."""
    for row in basis.facts.rows[conflict["stream"]]:
        parts = zip((row[name] for name in KEYS[conflict["stream"]]), conflict["natural_key"])
        if all(instant_of(datetime.fromisoformat(one)) == value if isinstance(value, int) and isinstance(one, str)
               else one == value for value, one in parts):
            return str(row["app_id"])
    return None


@view("stream app_id loaded_on")
def quality_by_day(basis: Basis) -> Iterator[Row]:
    day = basis.day
    groups = defaultdict(list)
    for row in (row for stream in STREAMS for row in basis.facts.rows[stream]):
        groups[row["stream"], row["app_id"], day(row["file"]["loaded_at"])].append(row)
    rejects: Counter[tuple[object, ...]] = Counter()
    for row in reject_by_day(basis):
        rejects[row["stream"], None, row["day"]] += row["reject_count"]
    conflicts: Counter[tuple[object, ...]] = Counter(
        (row["stream"], _app_of_conflict(basis, row), day(row["file"]["loaded_at"]))
        for row in basis.facts.ledger["conflict"])
    for row in basis.facts.ledger["pruned_conflict"]:
        conflicts[row["stream"], row["app_id"], day(row["counted_at"])] += row["conflict_count"]
    for key in {*groups, *rejects, *conflicts}:
        stream, app, loaded_on = key
        yield {"stream": stream, "app_id": app, "loaded_on": loaded_on, **_counts_of(stream, groups.get(key, [])),
               "reject_count": rejects[key], "conflict_count": conflicts[key]}


CAUSE = "stream code field"


@view(f"day {CAUSE} is_loaded")
def reject_by_day(basis: Basis) -> list[Row]:
    ledger = basis.facts.ledger
    rows = [row | {"at": row["file"]["loaded_at"], "is_loaded": True} for row in ledger["reject"]]
    rows += [row | {"at": row["failed_at"], "is_loaded": False} for row in ledger["failed_reject"]]
    rows += [row | {"at": row["counted_at"], "is_loaded": row["source_file_id"] is not None}
             for row in ledger["pruned_reject"]]
    dated = [row | {"day": basis.day(row["at"])} for row in rows]
    return [key | {"reject_count": sum(row.get("reject_count", 1) for row in some)}
            for key, some in grouped(dated, f"day {CAUSE} is_loaded")]


@view(CAUSE)
def reject_summary(basis: Basis) -> Iterator[Row]:
    ledger = basis.facts.ledger
    pruned = [row for row in ledger["pruned_reject"] if row["source_file_id"] is not None]
    for key, some in grouped([*ledger["reject"], *pruned], CAUSE):
        first = some[0] if "reject_count" not in some[0] else None
        yield key | {
            "reject_count": sum(row.get("reject_count", 1) for row in some),
            "open_count": sum(row["open_count"] if "open_count" in row else not row["is_resolved"] for row in some),
            "last_loaded_at": max(row["file"]["loaded_at"] for row in some),
            "example_path": first and first["file"]["path"], "example_line_number": first and first["line_number"],
            "example_reason": first and first["reason"]}


@view("stream field")
def unknown_field_summary(basis: Basis) -> Iterator[Row]:
    rows = [row | part(row["file"], "stream path loaded_at") for row in basis.facts.ledger["unknown_field"]
            if row["file"]["undone_at"] is None]
    for key, some in grouped(rows, "stream field"):
        first = min(some, key=lambda row: row["source_file_id"])
        yield key | {
            "line_count": sum(row["line_count"] for row in some), "file_count": len(some),
            "first_loaded_at": min(row["loaded_at"] for row in some),
            "last_loaded_at": max(row["loaded_at"] for row in some),
            "example_path": first["path"], "example_line_number": first["first_line_number"]}


# Loads

OF_FAILED = "stream path byte_count line_count rejected_count"
OF_LOADED = (f"{OF_FAILED} source_file_id inserted_count filled_count duplicate_count conflict_count suppressed_count "
             "blank_count undone_at")


@view("load_id source_file_id path")
def load_history(basis: Basis) -> Iterator[Row]:
    ledger = basis.facts.ledger
    standing = Counter((row["stream"], row["source_file_id"]) for stream in STREAMS for row in basis.facts.rows[stream])
    erased: Counter[tuple[int, bool]] = Counter()
    for row in ledger["erased_line"]:
        erased[row["source_file_id"], row["outcome"] == "inserted"] += row["line_count"]
    files: dict[int, list[Row]] = defaultdict(list)
    for row in ledger["file"]:
        number, is_undone = row["source_file_id"], row["undone_at"] is not None
        files[row["load_id"]].append(part(row, OF_LOADED) | {
            "status": "undone" if is_undone else "loaded", "reason": None, "dismissed_at": None,
            "erased_count": erased[number, True] + erased[number, False],
            "standing_count": standing[row["stream"], number],
            "undone_count": row["inserted_count"] - erased[number, True] if is_undone else 0})
    nothing = dict.fromkeys((*OF_LOADED.split(), "erased_count", "standing_count", "undone_count", "status", "reason",
                             "dismissed_at"))
    for row in ledger["failed_file"]:
        dismissed = _dismissed_at(basis, row["kind"], row["stream"], _known_path(row), row["failed_at"])
        files[row["load_id"]].append(nothing | part(row, f"{OF_FAILED} reason") | {
            "dismissed_at": dismissed, "status": "failed" if dismissed is None else "dismissed"})
    for load in ledger["load"]:
        for file in files.get(load["load_id"], [nothing]):
            yield part(load, "load_id started_at finished_at exit_code") | file


# Failures

def _known_path(row: Row) -> str:
    return str(row["path"] if row["canonical_path"] is None else row["canonical_path"])


def _dismissed_at(basis: Basis, kind: str, stream: str | None, path: str, failed_at: int) -> int | None:
    """The first dismissal after a failure; None while it is open."""
    return min((row["dismissed_at"] for row in basis.facts.ledger["dismissal"]
                if (row["kind"], row["stream"], row["path"]) == (kind, stream, path)
                and row["dismissed_at"] >= failed_at), default=None)


def _is_replaced(basis: Basis, undone: Row) -> bool:
    """True when the bytes of an undone file, or a later file of its path, are loaded."""
    return any(
        one["undone_at"] is None and one["stream"] == undone["stream"]
        and (part(one, "sha256 empty_path") == part(undone, "sha256 empty_path")
             or one["canonical_path"] == _known_path(undone) and one["source_file_id"] > undone["source_file_id"])
        for one in basis.facts.ledger["file"])


def _failures(basis: Basis) -> Iterator[tuple[Row, list[Row], set[str | None]]]:
    """The open failures: kind, stream and path, the failures with the last one first, and the applications."""
    undone = [row | {"kind": "undone", "failed_at": row["undone_at"], "first_failed_at": row["undone_at"],
                     "failed_file_id": 0, "attempt_count": 0, "error_code": 7}
              for row in basis.facts.ledger["file"] if row["undone_at"] is not None and not _is_replaced(basis, row)]
    rows = [row | {"path": _known_path(row)} for row in (*basis.facts.ledger["failed_file"], *undone)]
    rows.sort(key=lambda row: (-row["failed_at"], -row["failed_file_id"]))
    for key, some in grouped(rows, "kind stream path"):
        if _dismissed_at(basis, **key, failed_at=some[0]["failed_at"]) is not None:
            continue
        apps = {row["app_id"] for row in some}
        if key["kind"] == "undone":
            numbers = {row["source_file_id"] for row in some}
            apps = {row["app_id"] for row in basis.facts.ledger["file_app"] if row["source_file_id"] in numbers}
        yield key, some, apps or {None}


@view("kind stream path")
def open_failure(basis: Basis) -> Iterator[Row]:
    for key, rows, apps in _failures(basis):
        yield key | part(rows[0], "error_code") | {
            "app_id": next(iter(apps)) if len(apps) == 1 else None, "last_failed_at": rows[0]["failed_at"],
            "first_failed_at": min(row["first_failed_at"] for row in rows),
            "attempt_count": sum(row["attempt_count"] for row in rows)}
    found_at = {(row["app_id"], row["stream"], row["day"]): row["first_found_at"]
                for row in basis.facts.ledger["open_day"]}
    for row in open_days(basis):
        at = found_at.get((row["app_id"], row["stream"], row["day"]))
        yield part(row, "app_id stream kind") | {
            "path": f"{row['app_id']}/{row['stream']}/{row['day']}", "first_failed_at": at, "last_failed_at": at,
            "attempt_count": 0, "error_code": 7}


# Health

# Figures that are those of a state that is gone, until the reports have all changes.
OF_REFRESH = ("verdict", "own_verdict", "missing_day_count", "implausible_day_count", "open_conflict_count",
              "max_hours_behind", "open_failure_count")

Feed = tuple[str | None, str | None]


@view("app_id stream")
def health(basis: Basis) -> list[Row]:
    hidden = OF_REFRESH if is_pending(basis) else ()
    return [{name: value for name, value in row.items() if name not in hidden} for row in _health(basis)]


def _verdict(*found: tuple[bool, str]) -> str:
    return next((name for is_so, name in found if is_so), "ok")


def _max_age(basis: Basis, app: str, stream: str) -> int | None:
    own = basis.facts.settings.get(f"max-age.{app}")
    if own is not None and stream not in RARE and app not in STREAMS:
        return int(own)
    return setting(basis, "max-age", stream, None if stream in RARE else 36)


def _health(basis: Basis) -> Iterator[Row]:
    ledger = basis.facts.ledger
    now = ledger["now"][0]["now"]
    failed: dict[Feed, set[str]] = defaultdict(set)
    for key, _, of_failure in _failures(basis):
        for app in of_failure:
            if app is None and key["kind"] != "undone" and len(basis.apps) == 1:
                app = basis.apps[0]
            failed[app, key["stream"]].add(key["path"])
    apps = defaultdict(set)
    for row in ledger["file_app"]:
        apps[row["source_file_id"]].add(row["app_id"])
    # By application and stream: when files were loaded, those that no refresh has seen, and those without a record.
    loaded, pending, empty = (defaultdict[Feed, list[int]](list) for _ in range(3))
    for file in (row for row in ledger["file"] if row["undone_at"] is None):
        for app in apps[file["source_file_id"]] or [None]:
            if app is not None:
                loaded[app, file["stream"]].append(file["loaded_at"])
            if is_unrefreshed(basis, file):
                pending[app, file["stream"]].append(file["loaded_at"])
        if file["line_count"] == file["blank_count"]:
            empty[file["app_id"] or "", file["stream"]].append(file["loaded_at"])
    days = Counter((row["app_id"], row["stream"], row["kind"]) for row in open_days(basis))
    conflicts = Counter((_app_of_conflict(basis, row), row["stream"]) for row in ledger["conflict"] if row["is_open"])
    usual = {(row["app_id"], row["stream"], row["day"]): row["median_line_count"] for row in gaps(basis)}
    for key in {*loaded, *failed, *(key for key in pending if key[0] is None)}:
        app, stream = key
        row: Row = {"app_id": app, "stream": stream, "pending_file_count": len(pending[key]), "set_aside_count": 0}
        row |= dict.fromkeys(("newest_event_at", "hours_behind_now", "max_hours_behind", "newest_loaded_at"))
        row |= {"open_conflict_count": 0, "open_failure_count": len(failed[key])}
        news = behind = None
        own_count = 0
        if app is not None:
            newest = basis.events.get((app, stream or ""), (None, None))[1]
            loaded_at = max(loaded[key], default=None)
            own_count, news = len(failed[key]), newest if newest is not None else loaded_at
            least = setting(basis, "min-daily-lines", stream or "", 10) or 0
            median = None if newest is None else usual.get((app, stream, basis.day(newest)))
            if empty[key] and (median is None or median < least):
                news = max(*empty[key], news or 0)
            behind = None if newest is None else newest_of_any(basis, app) - newest
            row |= {"newest_event_at": newest, "hours_behind_now": None if newest is None else hours(now - newest),
                    "max_hours_behind": _max_age(basis, app, stream or ""), "newest_loaded_at": loaded_at,
                    "open_conflict_count": conflicts[key],
                    "open_failure_count": len(failed[key]) + len(failed[None, stream])}
        missing, implausible = (days[app, stream, kind] for kind in ("incomplete", "implausible"))
        age = row["max_hours_behind"]
        worst = bool(pending[key]) and now - min(pending[key]) > HOUR, "not_refreshed"
        best = ((implausible > 0, "implausible"), (missing > 0, "incomplete"),
                (behind is not None and behind > STOPPED, "stopped"),
                (news is not None and age is not None and now - news > age * HOUR, "late"))
        yield row | {
            "verdict": _verdict(worst, (row["open_failure_count"] > 0, "failed"), *best),
            "own_verdict": _verdict(worst, (own_count > 0, "failed"), *best),
            "missing_day_count": missing, "implausible_day_count": implausible}


@view("app_id")
def app(basis: Basis) -> Iterator[Row]:
    for name in {app for app, _ in basis.accepted}:
        times = [one for (other, _), one in basis.events.items() if other == name]
        yield {"app_id": name, "first_event_at": min((first for first, _ in times), default=None),
               "newest_event_at": max((newest for _, newest in times), default=None),
               "player_count": sum(user[0] == name for user in basis.users),
               "receipt_feed": "files" if basis.feed(name) == "receipt" else "events"}
