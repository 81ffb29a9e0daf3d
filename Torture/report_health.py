"""The view of open failures."""

from __future__ import annotations

from collections import defaultdict

from report_basis import Basis
from report_facts import Row


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


VIEWS = {
    "open_failure": ("stream path", open_failure),
}
