"""The printed form of rows and values that the oracle and the queries of `state.py` have in common."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timezone

from merge import Counts
from parsing import ParsedFile, Reject
from streams import COLUMNS, KEYS, TIMES, Row
from values import OracleError

SEPARATOR = "\x1f"


def printed_row(stream: str, row: Row) -> str:
    return printed(*(_shown(name, row[name]) for name in COLUMNS[stream]), row["sha256"], row["line_number"])


def printed_file(parsed: ParsedFile, counts: Counts) -> str:
    return printed(parsed.stream, parsed.sha256, parsed.byte_count, parsed.line_count, *counts.in_order(parsed))


def printed_embedded(sha256: str, counts: Counts) -> str:
    """The counts of the receipts within a file's events."""
    return printed(sha256, "receipt", counts.inserted, counts.filled, counts.duplicates, counts.conflicts)


def printed_reject(parsed: ParsedFile, reject: Reject, is_resolved: bool) -> str:
    return printed(
        parsed.sha256, parsed.stream, reject.line, reject.offset, reject.code, reject.field,
        hashlib.sha256(reject.raw).digest(), is_resolved)


def printed_conflict(
    stream: str, key: str, name: str, kept: object, refused: object, sha256: str, line: int, is_accepted: bool = False,
) -> str:
    return printed(stream, key, name, as_text(name, kept), as_text(name, refused), sha256, line, is_accepted)


def printed_refused_row(stream: str, key: str, given: Row, sha256: str, line: int) -> str:
    """All values of a refused line, in the form of the query `refused_row`."""
    return printed(stream, key, sha256, line, in_json({
        name: value_text(name, value) for name, value in given.items() if value is not None}))


def in_json(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def natural_key(stream: str, row: Row) -> str:
    return json.dumps([_in_key(name, row[name]) for name in KEYS[stream]])


def printed(*parts: object) -> str:
    return SEPARATOR.join(_printed(part) for part in parts)


def _printed(part: object) -> str:
    if part is None:
        return "\\N"
    if isinstance(part, bool):
        return "t" if part else "f"
    if isinstance(part, bytes):
        return part.hex()
    return str(part)


def _shown(name: str, value: object) -> object:
    """The printed row; a payload is printed as its digest, because it can be long and contain line breaks."""
    if name == "payload" and isinstance(value, str):
        return hashlib.sha256(value.encode()).digest()
    return value


def as_text(name: str, value: object) -> str:
    """A value as PostgreSQL prints it in a conflict."""
    text = value_text(name, value)
    if "\n" in text:
        raise OracleError("a conflict in a text of several lines")
    return text


def value_text(name: str, value: object) -> str:
    if name in TIMES:
        assert isinstance(value, int)
        return timestamp(value, "{} {}+00")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return "\\x" + value.hex()
    return str(value)


def _in_key(name: str, value: object) -> object:
    if name in TIMES:
        assert isinstance(value, int)
        return timestamp(value, "{}T{}+00:00")
    return value


def timestamp(milliseconds: int, form: str) -> str:
    """A time as PostgreSQL prints it, without trailing zeros in its fraction."""
    seconds, fraction = divmod(milliseconds, 1000)
    time = datetime.fromtimestamp(seconds, timezone.utc)
    clock = time.strftime("%H:%M:%S")
    if fraction:
        clock += f".{fraction:03}".rstrip("0")
    return form.format(time.strftime("%Y-%m-%d"), clock)
