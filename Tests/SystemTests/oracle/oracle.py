"""The expected database after files are loaded in an order, computed from the files alone.

Written from docs/data-contract.md, without calls to the loader and without its code.
"""

from __future__ import annotations

from dataclasses import dataclass

from event_rules import rows_of
from merge import AcceptedApps, Counts, given_by, take
from parsed_file import ParsedFile
from printing import (
    natural_key, printed, printed_conflict, printed_embedded, printed_file, printed_refused_row, printed_reject,
    printed_row)
from streams import TABLES, Key, Row
from values import OracleError


@dataclass
class State:
    """The rows that the database must hold, printed and sorted, by table."""

    tables: dict[str, list[str]]


def expected_state(files: list[ParsedFile]) -> State:
    """Merges files one after another, line by line: the first value wins, and absent values are filled."""
    stored: dict[str, dict[Key, Row]] = {stream: {} for stream in TABLES}
    tables: dict[str, list[str]] = {
        name: [] for name in (
            *TABLES, "file", "reject", "conflict", "refused_row", "fill", "unknown_field",
            "embedded_count", "file_app")}
    for parsed in files:
        counts = Counts(rejected=len(parsed.rejects))
        embedded: Counts | None = None
        apps = AcceptedApps()
        for number, line in parsed.rows:
            place: Row = {"sha256": parsed.sha256, "line_number": number}
            for stream, row in rows_of(parsed.stream, line):
                taken = take(stream, row, place, stored[stream])
                if stream == parsed.stream:
                    counts.note(taken.outcome)
                    apps.note(stream, row, taken.outcome)
                else:
                    embedded = embedded or Counts()
                    embedded.note(taken.outcome)
                key = natural_key(stream, row)
                for name, kept, refused in taken.conflicts:
                    tables["conflict"].append(printed_conflict(
                        stream, key, name, kept, refused, parsed.sha256, number))
                if taken.conflicts:
                    tables["refused_row"].append(printed_refused_row(
                        stream, key, given_by(stream, row), parsed.sha256, number))
                for name in taken.fills:
                    tables["fill"].append(printed(stream, key, name, parsed.sha256, number))
        if embedded:
            tables["embedded_count"].append(printed_embedded(parsed.sha256, embedded))
        tables["file"].append(printed_file(parsed, counts))
        tables["file_app"] += [printed(parsed.sha256, *span) for span in apps.spans()]
        for reject in parsed.rejects:
            tables["reject"].append(printed_reject(parsed, reject, is_resolved=False))
        for name, (count, first) in parsed.unknown_fields().items():
            tables["unknown_field"].append(printed(parsed.sha256, name, count, first))
    for stream, rows in stored.items():
        tables[stream] += [printed_row(stream, row) for row in rows.values()]
    for name, lines in tables.items():
        if len(set(lines)) != len(lines) and name != "conflict":
            raise OracleError(f"the oracle computes two equal rows in {name}")
        lines.sort()
    return State(tables)
