"""The views of loads: horizons, freshness, gaps, quality, refused lines, the load history; and of the health."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from fractions import Fraction

from report_basis import STOPPED, Basis, users, view
from report_calendar import HOUR, instant_from_text, rounded
from report_days import RARE, gaps, is_pending, newest_of_any, open_days, setting
from report_chains import TYPES
from report_facts import PLAYER_STREAMS, STREAMS, Row
from streams import KEYS


@view("app_id stream")
def horizon(basis: Basis) -> list[Row]:
    return [{"app_id": app, "stream": stream, "first_event_at": first, "newest_event_at": newest}
            for (app, stream), (first, newest) in basis.events.items()]


def _loaded_at(basis: Basis) -> dict[int, int]:
    return {row["source_file_id"]: row["loaded_at"] for row in basis.facts.ledger["file"]}


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
                Fraction(newest_of_any(basis, app) - newest, HOUR), 2)})
    return found


@view("stream app_id day")
def calendar_gap(basis: Basis) -> list[Row]:
    return gaps(basis)


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
    for row in basis.facts.rows[conflict["stream"]]:
        if all(_is_same(row[name], part) for name, part in zip(KEYS[conflict["stream"]], conflict["natural_key"])):
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


@view("load_id source_file_id path")
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
    for row in ledger["failed_file"]:
        dismissed = _dismissed_at(basis, row["kind"], row["stream"], _known_path(row), row["failed_at"])
        files[row["load_id"]].append({
            "dismissed_at": dismissed, "stream": row["stream"], "path": row["path"],
            "byte_count": row["byte_count"], "line_count": row["line_count"], "rejected_count": row["rejected_count"],
            "status": "failed" if dismissed is None else "dismissed", "reason": row["reason"]})
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

def _known_path(row: Row) -> str:
    return str(row["path"] if row["canonical_path"] is None else row["canonical_path"])


def _dismissed_at(basis: Basis, kind: str, stream: str | None, path: str, failed_at: int) -> int | None:
    """The first dismissal after a failure; None while it is open."""
    return min((row["dismissed_at"] for row in basis.facts.ledger["dismissal"]
                if (row["kind"], row["stream"], row["path"]) == (kind, stream, path)
                and row["dismissed_at"] >= failed_at), default=None)


def _undone_files(basis: Basis) -> list[Row]:
    """The undone files of which neither the bytes nor a later file of their path are loaded."""
    sha256 = {row["source_file_id"]: row["sha256"] for row in basis.facts.ledger["sha256"]}
    files = basis.facts.ledger["file"]
    return [row for row in files if row["undone_at"] is not None and not any(
        one["undone_at"] is None and one["stream"] == row["stream"]
        and (sha256[one["source_file_id"]] == sha256[row["source_file_id"]] and one["empty_path"] == row["empty_path"]
             or one["canonical_path"] == _known_path(row) and one["source_file_id"] > row["source_file_id"])
        for one in files)]


def _failures(basis: Basis) -> dict[tuple[str, str | None, str], list[Row]]:
    """By kind, stream and path: the failures of files and paths, the last one first."""
    found = defaultdict(list)
    for row in sorted(basis.facts.ledger["failed_file"], key=lambda row: (-row["failed_at"], -row["failed_file_id"])):
        found[row["kind"], row["stream"], _known_path(row)].append(row)
    for row in sorted(_undone_files(basis), key=lambda row: -row["undone_at"]):
        found["undone", row["stream"], _known_path(row)].append(row | {
            "failed_at": row["undone_at"], "first_failed_at": row["undone_at"], "attempt_count": 0, "error_code": 7})
    return {key: rows for key, rows in found.items() if _dismissed_at(basis, *key, rows[0]["failed_at"]) is None}


def _apps_of(basis: Basis, kind: str, rows: list[Row]) -> set[str | None]:
    if kind == "undone":
        numbers = {row["source_file_id"] for row in rows}
        return {row["app_id"] for row in basis.facts.ledger["file_app"] if row["source_file_id"] in numbers} or {None}
    return {row["app_id"] for row in rows}


@view("kind stream path")
def open_failure(basis: Basis) -> list[Row]:
    found: list[Row] = []
    for (kind, stream, path), rows in _failures(basis).items():
        apps = _apps_of(basis, kind, rows)
        found.append({
            "kind": kind, "stream": stream, "path": path, "app_id": next(iter(apps)) if len(apps) == 1 else None,
            "first_failed_at": min(row["first_failed_at"] for row in rows), "last_failed_at": rows[0]["failed_at"],
            "attempt_count": sum(row["attempt_count"] for row in rows), "error_code": rows[0]["error_code"]})
    found_at = {(row["app_id"], row["stream"], row["day"]): row["first_found_at"]
                for row in basis.facts.ledger["open_day"]}
    for row in open_days(basis):
        app, stream, day = row["app_id"], row["stream"], row["day"]
        at = found_at.get((app, stream, day.isoformat()))
        found.append({
            "kind": row["kind"], "stream": stream, "path": f"{app}/{stream}/{day}", "app_id": app, "first_failed_at": at,
            "last_failed_at": at, "attempt_count": 0, "error_code": 7})
    return found


def _verdict(*found: tuple[bool, str]) -> str:
    return next((name for is_so, name in found if is_so), "ok")


def _max_age(basis: Basis, app: str, stream: str) -> int | None:
    own = {row["name"]: row["value"] for row in basis.facts.ledger["setting"]}.get(f"max-age.{app}")
    if own is not None and stream not in RARE and app not in STREAMS:
        return int(own)
    return setting(basis, "max-age", stream, None if stream in RARE else 36)


@view("app_id stream")
def health(basis: Basis) -> list[Row]:
    rows = list(_health(basis))
    if is_pending(basis):
        # Days, conflicts and players are those of a state that is gone.
        rows = [{name: value for name, value in row.items() if name not in (
            "verdict", "own_verdict", "missing_day_count", "implausible_day_count", "open_conflict_count",
            "max_hours_behind", "open_failure_count")} for row in rows]
    return rows


def _health(basis: Basis) -> Iterator[Row]:
    ledger = basis.facts.ledger
    now = ledger["now"][0]["now"]
    refreshed = {row["stream"]: row["source_file_id"] for row in ledger["refreshed"]}
    files = {row["source_file_id"]: row for row in ledger["file"] if row["undone_at"] is None}
    apps = defaultdict(set)
    for row in ledger["file_app"]:
        apps[row["source_file_id"]].add(row["app_id"])
    known_apps = basis.apps
    own: dict[tuple[str | None, str | None], set[str]] = defaultdict(set)
    for (kind, stream, path), rows in _failures(basis).items():
        for app in _apps_of(basis, kind, rows):
            if app is None and kind != "undone" and len(known_apps) == 1:
                app = known_apps[0]
            own[app, stream].add(path)
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
    days = Counter((row["app_id"], row["stream"], row["kind"]) for row in open_days(basis))
    conflicts = Counter((_app_of_conflict(basis, row), row["stream"]) for row in ledger["conflict"] if row["is_open"])
    medians = {(row["app_id"], row["stream"], row["day"]): row["median_line_count"] for row in gaps(basis)}
    keys = {*loaded, *own, *(key for key in pending if key[0] is None)}
    for key in keys:
        app, stream = key
        age = None if app is None else _max_age(basis, app, stream or "")
        newest = newest_of_app = news = None
        if app is not None:
            newest = basis.events.get((app, stream or ""), (None, None))[1]
            newest_of_app = newest_of_any(basis, app)
            news = newest if newest is not None else max(loaded[key], default=None)
            usual = None if newest is None else medians.get((app, stream or "", basis.day(newest)))
            if empty[app, stream or ""] and (
                    usual is None or usual < (setting(basis, "min-daily-lines", stream or "", 10) or 0)):
                news = max(*empty[app, stream or ""], news or 0)
        waiting = pending[key]
        own_count = len(own[key]) if app is not None else 0
        count = len(own[key]) + (len(own[None, stream]) if app is not None else 0)
        missing, implausible = (days[app, stream, kind] for kind in ("incomplete", "implausible"))
        best = ((implausible > 0, "implausible"), (missing > 0, "incomplete"),
                (newest is not None and newest_of_app - newest > STOPPED, "stopped"),
                (news is not None and age is not None and now - news > age * HOUR, "late"))
        worst = bool(waiting) and now - min(waiting) > HOUR, "not_refreshed"
        yield {
            "app_id": app, "stream": stream, "verdict": _verdict(worst, (count > 0, "failed"), *best),
            "own_verdict": _verdict(worst, (own_count > 0, "failed"), *best), "newest_event_at": newest,
            "hours_behind_now": None if newest is None else rounded(Fraction(now - newest, HOUR), 2),
            "max_hours_behind": age, "newest_loaded_at": max(loaded[key], default=None) if app is not None else None,
            "missing_day_count": missing, "implausible_day_count": implausible, "open_failure_count": count,
            "open_conflict_count": conflicts[app, stream] if app is not None else 0,
            "pending_file_count": len(waiting), "set_aside_count": 0}


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
