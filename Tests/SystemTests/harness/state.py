"""The rows of the database, in the printed form of the oracle's expected rows."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator

from json_lines import parse_extra
from printing import SEPARATOR, in_json
from streams import COLUMNS, TABLES, TIMES

# The planner settings for reading only the heap, and for reading by the indexes.
PLANS = {"heap": ("enable_indexscan", "enable_indexonlyscan", "enable_bitmapscan"), "index": ("enable_seqscan",)}


# By column: its printed form, unless it is that of PostgreSQL.
_PRINTED = {name: f"(extract(epoch from r.{name}) * 1000)::bigint" for name in TIMES} | {
    "payload": "encode(sha256(convert_to(r.payload, 'UTF8')), 'hex')",
    "purchase_token_sha256": "encode(r.purchase_token_sha256, 'hex')", "extra": "replace(r.extra::text, chr(10), ' ')"}
_SHA = "coalesce(encode(f.sha256, 'hex'), 'no file ' || r.source_file_id)"
_FILE = "left join ingest.source_file f using (source_file_id)"
_OF_FILE = f"{_FILE} where f.undone_at is null"

# By table of the model.
QUERIES = {stream: f"""select {", ".join(_PRINTED.get(name, f"r.{name}") for name in columns)}, {_SHA}, r.line_number
        from game.{TABLES[stream]} r {_FILE}""" for stream, columns in COLUMNS.items()} | {
    "file": """select stream, encode(sha256, 'hex'), byte_count, line_count, inserted_count, filled_count,
        duplicate_count, conflict_count, rejected_count, suppressed_count, blank_count
        from ingest.source_file where undone_at is null""",
    "reject": f"""select {_SHA}, r.stream, r.line_number, r.byte_offset, r.code, r.field, encode(sha256(r.raw), 'hex'),
        r.resolved_at is not null from ingest.reject r {_FILE}""",
    "conflict": f"""select r.stream, r.natural_key, r.field, r.kept, r.refused, {_SHA}, r.line_number,
        r.acceptance_id is not null from ingest.conflict r {_FILE}""",
    "refused_row": f"""select r.stream, r.natural_key, {_SHA}, r.line_number, r.refused_row
        from ingest.conflict r {_FILE} where r.refused_row is not null""",
    "fill": f"select r.stream, r.natural_key, r.field, {_SHA}, r.line_number from ingest.fill r {_FILE}",
    "unknown_field": f"""select {_SHA}, r.field, r.line_count, r.first_line_number
        from ingest.unknown_field r {_OF_FILE}""",
    "embedded_count": f"""select {_SHA}, r.stream, r.inserted_count, r.filled_count, r.duplicate_count, r.conflict_count
        from ingest.embedded_count r {_OF_FILE}""",
    "file_app": f"""select {_SHA}, r.app_id, (extract(epoch from r.first_event_at) * 1000)::bigint,
        (extract(epoch from r.newest_event_at) * 1000)::bigint from ingest.file_app r {_OF_FILE}""",
    "erased_line": f"select {_SHA}, r.outcome, r.line_count from ingest.erased_line r {_OF_FILE}",
    "accepted_value": f"""select r.stream, r.natural_key, r.field, to_jsonb(r.before), to_jsonb(r.after),
        r.acceptance_id, {_SHA}, r.line_number
        from ingest.accepted_changes(array(select conflict_id from ingest.conflict where acceptance_id is not null)) r
        {_FILE}""",
    "acceptance": """select acceptance_id, line_count, row_count, value_count, undone_at is not null
        from ingest.acceptance""",
}

Ask = Callable[..., list[list[str]]]


def query_state(ask: Ask, plan: str, more: dict[str, str] | None = None) -> dict[str, list[str]]:
    """All rows by table, sorted, from one transaction; `more` has additional queries by name."""
    statements = ["begin isolation level repeatable read", "set local timezone = 'UTC'"]
    statements += [f"set local {name} = off" for name in PLANS[plan]]
    for name, query in (QUERIES | (more or {})).items():
        statements += [f"select '== {name}'", f"copy ({query}) to stdout (delimiter '{SEPARATOR}')"]
    state: dict[str, list[str]] = {}
    rows: list[str] = []
    for [row] in ask(*statements, "commit"):
        if row.startswith("== "):
            rows = state.setdefault(row[3:], [])
        else:
            rows.append(row)
    return {name: sorted(_in_form(row, FORMS.get(name, {})) for row in rows) for name, rows in state.items()}


def _in_form(row: str, forms: dict[int, Callable[[str], str]]) -> str:
    parts = row.split(SEPARATOR)
    for at, form in forms.items():
        if parts[at] != "\\N":
            parts[at] = form(parts[at])
    return SEPARATOR.join(parts)


# Cached, because the same few thousand texts are read after every fault.
_cached = functools.lru_cache(maxsize=65536)
_extra, _key = _cached(parse_extra), _cached(lambda text: json.dumps(json.loads(text)))
_json = _cached(lambda text: in_json(json.loads(text)))

# By table: the places of values that the oracle prints in another form than PostgreSQL.
FORMS: dict[str, dict[int, Callable[[str], str]]] = {
    **{stream: {columns.index("extra"): _extra} for stream, columns in COLUMNS.items()},
    "conflict": {1: _key}, "fill": {1: _key}, "refused_row": {1: _key, 4: _json},
    "accepted_value": {1: _key, 3: _json, 4: _json},
}


def differing(due: dict[str, list[str]], found: dict[str, list[str]]) -> Iterator[tuple[str, list[str], list[str]]]:
    """The tables that differ, each with the rows that are missing and those that are unexpected."""
    for table in sorted({*due, *found}):
        rows, there = due.get(table, []), found.get(table, [])
        if rows != there:
            yield table, rows_without(rows, there), rows_without(there, rows)


def rows_without(rows: list[str], others: list[str]) -> list[str]:
    """The rows that are not among the others; for equal sets, rows that occur more often than there."""
    there = set(others)
    missing = [row for row in rows if row not in there]
    return missing or [row for row in set(rows) if rows.count(row) > others.count(row)][:5]
