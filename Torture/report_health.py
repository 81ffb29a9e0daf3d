"""The views of open failures and applications."""

from __future__ import annotations

from collections import defaultdict

from report_basis import Basis, users
from report_facts import PLAYER_STREAMS, Row


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
    "app": ("app_id", app),
}
