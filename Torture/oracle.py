"""The expected database after files are loaded in an order, computed from the files alone.

Written from docs/data-contract.md, without calls to the loader and without its code.
"""

from __future__ import annotations

from dataclasses import dataclass

from merge import Counts, given_by, take
from parsed_file import ParsedFile
from printing import (
    natural_key, printed, printed_conflict, printed_file, printed_refused_row, printed_reject,
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
            *TABLES, "file", "reject", "conflict", "refused_row", "fill", "unknown_field")}
    for parsed in files:
        counts = Counts(rejected=len(parsed.rejects))
        for number, row in parsed.rows:
            place: Row = {"sha256": parsed.sha256, "line_number": number}
            taken = take(parsed.stream, row, place, stored[parsed.stream])
            counts.note(taken.outcome)
            key = natural_key(parsed.stream, row)
            for name, kept, refused in taken.conflicts:
                tables["conflict"].append(printed_conflict(
                    parsed.stream, key, name, kept, refused, parsed.sha256, number))
            if taken.conflicts:
                tables["refused_row"].append(printed_refused_row(
                    parsed.stream, key, given_by(parsed.stream, row), parsed.sha256, number))
            for name in taken.fills:
                tables["fill"].append(printed(parsed.stream, key, name, parsed.sha256, number))
        tables["file"].append(printed_file(parsed, counts))
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
