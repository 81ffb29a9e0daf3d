"""The printed form of rows and values that the oracle and the queries of `state.py` have in common."""

from __future__ import annotations

import functools
import hashlib
import json
from datetime import datetime, timezone

from streams import COLUMNS, KEYS, TIMES, Key, Row
from values import OracleError

SEPARATOR = "\x1f"


def printed(*parts: object) -> str:
    return SEPARATOR.join("\\N" if part is None else _printed(part, "t", "f", "") for part in parts)


def _printed(part: object, true: str, false: str, before_hex: str) -> str:
    if isinstance(part, bool):
        return true if part else false
    return before_hex + part.hex() if isinstance(part, bytes) else str(part)


def shown_row(stream: str, row: Row) -> tuple[object, ...]:
    """The row; a payload is printed as its digest, because it can be long and contain line breaks."""
    payload = row.get("payload")
    shown = row | {"payload": sha256(payload.encode())} if isinstance(payload, str) else row
    return *(shown[name] for name in COLUMNS[stream]), row["sha256"], row["line_number"]


def sha256(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def in_json(value: object) -> str:
    return json.dumps(value, sort_keys=True)


# Cached, because every record of the model has one, and each of its states prints them all.
@functools.lru_cache(maxsize=65536)
def natural_key(stream: str, key: Key) -> str:
    return json.dumps([
        timestamp(int(str(value)), "{}T{}+00:00") if name in TIMES else value
        for name, value in zip(KEYS[stream], key)])


def value_text(name: str, value: object) -> str:
    """A value as PostgreSQL prints it."""
    return timestamp(int(str(value)), "{} {}+00") if name in TIMES else _printed(value, "true", "false", "\\x")


def conflict_text(name: str, value: object) -> str:
    text = value_text(name, value)
    if "\n" in text:
        raise OracleError("a conflict in a text of several lines")
    return text


def timestamp(milliseconds: int, form: str) -> str:
    """A time as PostgreSQL prints it, without trailing zeros in its fraction."""
    seconds, fraction = divmod(milliseconds, 1000)
    time = datetime.fromtimestamp(seconds, timezone.utc)
    clock = time.strftime("%H:%M:%S")
    if fraction:
        clock += f".{fraction:03}".rstrip("0")
    return form.format(time.strftime("%Y-%m-%d"), clock)
