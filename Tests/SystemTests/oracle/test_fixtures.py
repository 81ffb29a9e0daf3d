"""Compares the oracle and the program with the recorded fixtures, `Tests/Fixtures/<stream>/`.

The fixtures are the contract as a table: `Tests/RecordPipelineTests/Streams/GoldenTests.swift` records what the lines
become, and a person reviews it. Tests that build on the oracle are as right as its agreement with them.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

import pytest

import parsing
from json_lines import parse_extra
from line_rules import Settings, rows_of
from merge import Counts, compared_by, key_of, take
from parsing import FileLine, ParsedFile, lines_of
from printing import timestamp
from streams import COLUMNS, TABLES, TIMES, Key, Row
from values import OracleError

FIXTURES = Path(__file__).parents[2] / "Fixtures"
# The start of the run of all recordings, 2026-11-21T00:00:00Z. No option gives a time or an application.
START = 1_795_219_200_000
SETTINGS = Settings(observed_at=None, now=START)

# The lines for which the oracle has no rule, each with the shape that it names. The oracle decides all others.
TWO_DEFECTS = "a line with two defects"
BY_MEMBER = "the number of an event whose data is masked member by member"
MANY_WAYS = "the digest of a member that is written in several ways"
NONE_BESIDE = "a value that stands for none beside another"
WITHOUT_RULE: dict[str, list[tuple[str, str]]] = {
    "receipt": [
        ('\\xff\\xfe{"purchaseToken":"SECRET"}', TWO_DEFECTS),  # in UTF-16
        ("extra: secrets at any depth become digests", MANY_WAYS),
        ("twice: no price and a price", NONE_BESIDE), ("twice: none of an expiry and an expiry", NONE_BESIDE),
        ("time: the year 0", "the year 0"), *[("tokens: no text in extra", MANY_WAYS)] * 4,
    ],
    "level_up": [("tokens: no text in extra", MANY_WAYS)] * 4,
    "game_user": [],
    "item": [],
    "event": [
        ("tokens: an object", BY_MEMBER), ("tokens: in message that is text", BY_MEMBER),
        ("receipt: a token that is no text", BY_MEMBER), *[("tokens: no text in data", BY_MEMBER)] * 3,
    ],
}

VALUE = re.compile(r'(\w+)=(?:"((?:[^"\\]|\\.)*)"|(\S+))(?: |\Z)')
REJECT = re.compile(
    r'line=(\d+) offset=(\d+) bytes=(\d+) code=(\w+) field=(\S+) reason="(.*)" raw="((?:[^"\\]|\\.)*)"\Z')
ESCAPE = re.compile(r"\\(?:u\{([0-9a-f]+)\}|x([0-9a-f]{2})|(.))")
CASE = re.compile(rb'"case"\s*:\s*"((?:[^"\\]|\\.)*)"')
JSON_COLUMNS = ("extra", "data", "auth_mapping_list")
# The database numbers its files in another way than the recording.
FILE_NUMBER = "source_file_id"


class Database(Protocol):
    """The fixture of conftest.py."""

    environment: dict[str, str]

    def ask(self, sql: str) -> list[list[str | None]]: ...


# Reading the recordings


def unescaped(text: str) -> bytes:
    """The bytes of a recorded text."""

    def character(found: re.Match[str]) -> str:
        if found[2]:
            return bytes.fromhex(found[2]).decode("utf-8", "surrogateescape")
        return chr(int(found[1], 16)) if found[1] else found[3]

    return ESCAPE.sub(character, text).encode("utf-8", "surrogateescape")


def recorded_value(name: str, quoted: str | None, bare: str) -> object:
    """The value of a column in the oracle's form."""
    if quoted is not None:
        text = unescaped(quoted).decode()
        return parse_extra(text) if name in JSON_COLUMNS else text
    if bare in ("NULL", "true", "false"):
        return {"NULL": None, "true": True, "false": False}[bare]
    if name in TIMES:
        return round(datetime.fromisoformat(bare).timestamp() * 1000)
    return bytes.fromhex(bare) if name == "purchase_token_sha256" else int(bare)


def recorded_row(text: str) -> Row:
    row: Row = {}
    at = 0
    while at < len(text):
        found = VALUE.match(text, at)
        assert found, f"no value at {text[at:]}"
        row[found[1]] = recorded_value(found[1], found[2], found[3])
        at = found.end()
    del row[FILE_NUMBER]
    return row


@dataclass(frozen=True)
class Reject:
    """A refused line, as recorded or as stored."""

    line: int
    offset: int
    byte_count: int
    code: str
    field: str | None
    reason: str
    raw: bytes


def recorded_reject(text: str) -> Reject:
    found = REJECT.match(text)
    assert found, f"no reject in {text}"
    line, offset, byte_count, code, field, reason, raw = found.groups()
    return Reject(
        int(line), int(offset), int(byte_count), code, None if field == "NULL" else field, reason, unescaped(raw))


class Recorded:
    """The fixture of a stream: the lines, and by number what was recorded of each."""

    def __init__(self, stream: str) -> None:
        folder = FIXTURES / stream
        self.stream = stream
        self.content = (folder / "input.jsonl").read_bytes()
        self.rows: dict[int, Row] = {}
        self.receipts: dict[int, Row] = {}
        self.totals: dict[str, str] = {}
        for text in (folder / "rows.expected").read_text().splitlines():
            kind, rest = text.split(" ", 1)
            if kind == "totals":
                self.totals = dict(part.split("=") for part in rest.split(" "))
            elif kind in ("new", "perhaps", "embedded"):
                row = recorded_row(rest)
                rows = self.receipts if kind == "embedded" else self.rows
                rows[int(str(row["line_number"]))] = row
        rejects = map(recorded_reject, (folder / "rejects.expected").read_text().splitlines())
        self.rejects = {reject.line: reject for reject in rejects}
        # Lines or recordings that are gone would be judged by nobody.
        lines, blank, rejected = (int(self.totals[name]) for name in ("lines", "blank", "rejected"))
        if hashlib.sha256(self.content).hexdigest() != self.totals["sha256"]:
            pytest.fail(f"{stream}: input.jsonl is not the recorded one", pytrace=False)
        if (len(self.rows), len(self.rejects)) != (lines - blank - rejected, rejected):
            pytest.fail(f"{stream}: the recording lacks lines of input.jsonl, or has too many", pytrace=False)

    def outcome(self, number: int) -> Row:
        """All that was recorded of a line, by name; nothing for a blank one."""
        if number in self.rejects:
            return outcome_of_reject(self.rejects[number])
        return outcome_of_rows(self.rows.get(number, {}), self.receipts.get(number, {}))


# The form for comparing


def outcome_of_reject(reject: Reject | parsing.Reject) -> Row:
    return {"code": reject.code, "field": reject.field, "line": reject.line, "offset": reject.offset, "raw": reject.raw}


def outcome_of_rows(row: Row, receipt: Row) -> Row:
    return {f"column {name}": value for name, value in row.items()} | {
        f"column {name} of the receipt": value for name, value in receipt.items()}


def oracle_outcome(stream: str, line: FileLine) -> Row:
    """The oracle's decision on a line."""
    parsed = ParsedFile("", stream, "", 0, START)
    parsed.take(line, SETTINGS)
    if parsed.rejects:
        return outcome_of_reject(parsed.rejects[0])
    rows = {kind: shown(kind, one, number) for number, row in parsed.rows for kind, one in rows_of(stream, row)}
    return outcome_of_rows(rows.pop(stream, {}), rows.get("receipt", {}))


def shown(stream: str, row: Row, number: int) -> Row:
    """The columns of a row as recorded. The oracle has no column for tokens, which only an option keeps."""
    more: Row = {"purchase_token": None} if stream == "receipt" else {}
    return {name: row[name] for name in COLUMNS[stream]} | more | {"line_number": number}


def differences(recorded: Row, came: Row) -> list[str]:
    """The names whose values differ, with both values. Values of two types are never equal."""
    if not recorded.keys() & came.keys():
        return [f"recorded {briefly(recorded)}, came {briefly(came)}"] if recorded or came else []

    def text(values: Row, name: str) -> str:
        return repr(values[name])[:300] if name in values else "nothing"

    return [f"{name}: recorded {text(recorded, name)}, came {text(came, name)}"
            for name in {**recorded, **came}
            if name not in recorded or name not in came or repr(recorded[name]) != repr(came[name])]


def briefly(values: Row) -> str:
    return ", ".join(f"{name} {value!r}" for name, value in values.items() if value is not None)[:200] or "nothing"


def case_of(line: bytes) -> str:
    """The case that the line tests, or the beginning of a line that names none."""
    found = CASE.search(line)
    text = (found[1] if found else line).decode("utf-8", "backslashreplace")
    return "".join(filter(str.isprintable, text))[:80]


def fail_for(faults: Iterable[str]) -> None:
    listed = list(faults)
    if listed:
        pytest.fail("\n".join([f"differences: {len(listed)}", *listed]), pytrace=False)


# The tests


@pytest.mark.parametrize("stream", COLUMNS)
def test_the_oracle_decides_each_line_as_recorded(stream: str) -> None:
    recorded = Recorded(stream)
    judged = 0
    faults: list[str] = []
    without_rule: list[tuple[str, str]] = []
    for line in lines_of(recorded.content):
        judged += 1
        case = case_of(line.content)
        try:
            found = differences(recorded.outcome(line.number), oracle_outcome(stream, line))
        except OracleError as error:
            without_rule.append((case, str(error)))
            continue
        except Exception as error:  # Such a fault of the oracle must not hide the other lines.
            found = [f"the oracle fails with {type(error).__name__}: {error}"[:200]]
        if found:
            faults.append(f"line {line.number} ({case}): {'; '.join(found)}")
    assert judged == int(recorded.totals["lines"])
    new, gone = Counter(without_rule), Counter(WITHOUT_RULE[stream])
    faults += [f"{case}: no rule for {shape}" for case, shape in (new - gone).elements()]
    faults += [f"{case}: WITHOUT_RULE lists {shape}, but it has a rule" for case, shape in (gone - new).elements()]
    fail_for(faults)


@pytest.mark.parametrize("stream", COLUMNS)
def test_the_program_stores_each_line_as_recorded(stream: str, database: Database, program: Path) -> None:
    recorded = Recorded(stream)
    load = subprocess.run(
        [program, "load", FIXTURES / stream / "input.jsonl", "--stream", stream, "--as-of", timestamp(START, "{}T{}Z"),
         "--max-rejects", "unlimited"],
        env=database.environment, capture_output=True, text=True, timeout=120, check=False)
    # Refused lines and conflicts.
    assert load.returncode == 3, load.stderr

    rows: dict[Key, Row] = {}
    counts = Counts(rejected=len(recorded.rejects))
    refused: dict[Key, list[object]] = {}
    for _, row in sorted(recorded.rows.items()):
        outcome = take(stream, row, {}, rows).outcome
        # The line that was refused last for a key, once more.
        if outcome == "conflicts" and refused.get(key_of(stream, row)) == compared_by(stream, row):
            outcome = "duplicates"
        elif outcome == "conflicts":
            refused[key_of(stream, row)] = compared_by(stream, row)
        counts.note(outcome)
    receipts: dict[Key, Row] = {}
    for _, receipt in sorted(recorded.receipts.items()):
        take("receipt", receipt, {}, receipts)

    fail_for(
        f"{place}: {'; '.join(found)}" for place, found in [
            ("the file", differences(expected_file(recorded, counts), stored_file(database))),
            *table_differences(database, stream, rows),
            *(table_differences(database, "receipt", receipts) if stream == "event" else []),
            *reject_differences(database, recorded),
        ] if found)


def expected_file(recorded: Recorded, counts: Counts) -> Row:
    """The ledger's entry. The outcomes of rows follow from the merge of the recorded rows."""
    totals = recorded.totals
    return {name: str(value) for name, value in {
        "stream": recorded.stream, "sha256": totals["sha256"], "byte_count": totals["bytes"],
        "line_count": totals["lines"], "blank_count": totals["blank"], "rejected_count": totals["rejected"],
        "inserted_count": counts.inserted, "filled_count": counts.filled, "duplicate_count": counts.duplicates,
        "conflict_count": counts.conflicts, "suppressed_count": counts.suppressed}.items()}


def stored_file(database: Database) -> Row:
    names = ("stream", "byte_count", "line_count", "blank_count", "rejected_count", "inserted_count", "filled_count",
             "duplicate_count", "conflict_count", "suppressed_count")
    [[sha256, *values]] = database.ask(
        f"select encode(sha256, 'hex'), {', '.join(names)} from ingest.source_file")
    return {"sha256": sha256, **dict(zip(names, values, strict=True))}


def table_differences(database: Database, stream: str, rows: dict[Key, Row]) -> list[tuple[str, list[str]]]:
    """The rows that differ, by place, with the columns that differ."""
    names = list(next(iter(rows.values())))
    query = f"select {', '.join(map(column, names))} from game.{TABLES[stream]}"
    stored = {}
    for values in database.ask(query):
        row = {name: stored_value(name, text) for name, text in zip(names, values, strict=True)}
        stored[key_of(stream, row)] = row
    expected = {}
    for recorded in rows.values():
        row = {name: as_text(name, value) for name, value in recorded.items()}
        expected[key_of(stream, row)] = row
    return [(f"game.{TABLES[stream]}, {key}", differences(expected.get(key, {}), stored.get(key, {})))
            for key in {**expected, **stored}]


def column(name: str) -> str:
    if name in TIMES:
        return f"trim_scale(extract(epoch from {name}) * 1000)"
    return f"encode({name}, 'hex')" if name == "purchase_token_sha256" else f"{name}::text"


def stored_value(name: str, text: str | None) -> object:
    return parse_extra(text) if text is not None and name in JSON_COLUMNS else text


def as_text(name: str, value: object) -> object:
    """A recorded value as `column` selects it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return value.hex()
    return None if value is None else str(value)


def reject_differences(database: Database, recorded: Recorded) -> list[tuple[str, list[str]]]:
    stored = {}
    for line, offset, byte_count, code, field, reason, raw in database.ask(
            "select line_number, byte_offset, raw_byte_count, code, field, reason, encode(raw, 'hex')"
            " from ingest.reject where resolved_at is null"):
        assert line and offset and byte_count and code and reason and raw is not None
        stored[int(line)] = Reject(
            int(line), int(offset), int(byte_count), code, field, reason, bytes.fromhex(raw))
    return [(f"ingest.reject, line {line}",
             differences(vars(recorded.rejects[line]) if line in recorded.rejects else {},
                         vars(stored[line]) if line in stored else {}))
            for line in sorted({*recorded.rejects, *stored})]
