"""Compares the oracle and the program with the recorded fixtures, `Tests/Fixtures/<stream>/`.

The fixtures are the contract as a table: `Tests/RecordPipelineTests/Streams/GoldenTests.swift` records what the lines
become, and a person reviews it. Tests that build on the oracle are as right as its agreement with them.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

import server
from json_lines import parse_extra
from line_rules import FIELDS, Settings, rows_of
from model import Model
from parsing import ParsedFile, Reject, lines_of
from printing import SEPARATOR, printed, timestamp
from state import query_state, rows_without
from streams import COLUMNS, TIMES, Row
from values import OracleError

if TYPE_CHECKING:
    from conftest import Database

TESTS = Path(__file__).parents[2]
FIXTURES = TESTS / "Fixtures"
STREAMS = sorted(path.parent.name for path in FIXTURES.glob("*/input.jsonl"))
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
    r'line=(?P<line>\d+) offset=(?P<offset>\d+) bytes=(?P<bytes>\d+) code=(?P<code>\w+) field=(?P<field>\S+) '
    r'reason="(?P<reason>.*)" raw="(?P<raw>(?:[^"\\]|\\.)*)"\Z')
ESCAPE = re.compile(r"\\(?:u\{([0-9a-f]+)\}|x([0-9a-f]{2})|(.))")
CASE = re.compile(rb'"case"\s*:\s*"((?:[^"\\]|\\.)*)"')
JSON_COLUMNS = ("extra", "data", "auth_mapping_list")
# Recorded values that are no columns, or of which the oracle has none: the place, and the token that an option keeps.
NO_COLUMNS = {"source_file_id", "line_number", "purchase_token"}


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
    return row


class Recorded:
    """The fixture of a stream: the lines, and what was recorded of them in the form of the oracle."""

    def __init__(self, stream: str) -> None:
        folder = FIXTURES / stream
        self.content = (folder / "input.jsonl").read_bytes()
        self.parsed = parsed_of(stream, self.content)
        rows: dict[int, Row] = {}
        receipts: dict[int, Row] = {}
        for text in (folder / "rows.expected").read_text().splitlines():
            kind, rest = text.split(" ", 1)
            if kind == "totals":
                totals = dict(part.split("=") for part in rest.split(" "))
            elif kind in ("new", "perhaps", "embedded"):
                row = recorded_row(rest)
                assert {*row} - NO_COLUMNS == {*COLUMNS["receipt" if kind == "embedded" else stream]}
                (receipts if kind == "embedded" else rows)[int(str(row["line_number"]))] = row
        self.parsed.rows = [(number, row | {"receipt": receipts.get(number)}) for number, row in rows.items()]
        self.rejects = [found for found in map(
            REJECT.match, (folder / "rejects.expected").read_text().splitlines()) if found]
        self.parsed.rejects = [Reject(
            int(found["line"]), int(found["offset"]), found["code"],
            None if found["field"] == "NULL" else found["field"], unescaped(found["raw"])) for found in self.rejects]
        # Lines or recordings that are gone would be judged by nobody.
        self.line_count, blank, rejected = (int(totals[name]) for name in ("lines", "blank", "rejected"))
        if self.parsed.sha256 != totals["sha256"]:
            pytest.fail(f"{stream}: input.jsonl is not the recorded one", pytrace=False)
        if (len(rows), len(self.rejects)) != (self.line_count - blank - rejected, rejected):
            pytest.fail(f"{stream}: the recording lacks lines of input.jsonl, or has too many", pytrace=False)

    def of_line(self, number: int) -> ParsedFile:
        """What was recorded of a line."""
        one = parsed_of(self.parsed.stream, b"")
        one.rows = [(line, row) for line, row in self.parsed.rows if line == number]
        one.rejects = [reject for reject in self.parsed.rejects if reject.line == number]
        return one


def parsed_of(stream: str, content: bytes) -> ParsedFile:
    return ParsedFile("", stream, hashlib.sha256(content).hexdigest(), len(content), SETTINGS)


def outcome(parsed: ParsedFile) -> Row:
    """The outcome of a line, by name; nothing for a blank one."""
    if parsed.rejects:
        return {name: value for name, value in vars(parsed.rejects[0]).items() if name != "line_bytes"}
    return {f"column {name} of the {kind}": row.get(name) for _, whole in parsed.rows
            for kind, row in rows_of(parsed.stream, whole) for name in COLUMNS[kind]}


def differences(recorded: Row, came: Row) -> list[str]:
    """The names whose values differ, with both values. Values of two types are never equal."""
    pairs = {name: [repr(values[name])[:300] if name in values else "nothing" for values in (recorded, came)]
             for name in {**recorded, **came}}
    return [f"{name}: recorded {one}, came {other}" for name, (one, other) in pairs.items() if one != other]


def case_of(line: bytes) -> str:
    """The case that the line tests, or the beginning of a line that names none."""
    found = CASE.search(line)
    text = (found[1] if found else line).decode("utf-8", "backslashreplace")
    return "".join(filter(str.isprintable, text))[:80]


def fail_for(faults: list[str]) -> None:
    if faults:
        pytest.fail("\n".join([f"differences: {len(faults)}", *faults]), pytrace=False)


# The tests


@pytest.mark.parametrize("stream", STREAMS)
def test_the_oracle_decides_each_line_as_recorded(stream: str) -> None:
    recorded = Recorded(stream)
    faults: list[str] = []
    without_rule: list[tuple[str, str]] = []
    for line in lines_of(recorded.content):
        case = case_of(line.content)
        parsed = parsed_of(stream, b"")
        try:
            parsed.take(line)
            found = differences(outcome(recorded.of_line(line.number)), outcome(parsed))
        except OracleError as error:
            without_rule.append((case, str(error)))
            continue
        except Exception as error:  # Such a fault of the oracle must not hide the other lines.
            found = [f"the oracle fails with {type(error).__name__}: {error}"[:200]]
        if found:
            faults.append(f"line {line.number} ({case}): {'; '.join(found)}")
    assert line.number == recorded.line_count
    new, gone = Counter(without_rule), Counter(WITHOUT_RULE[stream])
    faults += [f"{case}: no rule for {shape}" for case, shape in (new - gone).elements()]
    faults += [f"{case}: WITHOUT_RULE lists {shape}, but it has a rule" for case, shape in (gone - new).elements()]
    fail_for(faults)


@pytest.mark.parametrize("stream", STREAMS)
def test_the_program_stores_each_line_as_recorded(stream: str, database: Database, program: Path) -> None:
    recorded = Recorded(stream)
    load = subprocess.run(
        [program, "load", FIXTURES / stream / "input.jsonl", "--stream", stream, "--as-of", timestamp(START, "{}T{}Z"),
         "--max-rejects", "unlimited"],
        env=database.environment, capture_output=True, text=True, timeout=120, check=False)
    # Refused lines and conflicts.
    assert load.returncode == 3, load.stderr

    def ask(*statements: str) -> list[list[str]]:
        with psycopg.connect(database.conninfo, autocommit=True) as connection:
            return server.rows_of(connection, *statements)

    # The lines as the oracle decides them, and those for which it has no rule as recorded.
    parsed = parsed_of(stream, recorded.content)
    for line in lines_of(recorded.content):
        try:
            parsed.take(line)
        except OracleError:
            parsed.rows += recorded.of_line(line.number).rows
            parsed.rejects += recorded.of_line(line.number).rejects
    model = Model()
    model.load(0, parsed)
    expected = model.state() | {"token": [], "reason": sorted(
        printed(one["line"], one["bytes"], one["reason"]) for one in recorded.rejects)}
    stored = query_state(ask, "heap", {
        "reason": "select line_number, raw_byte_count, reason from ingest.reject",
        "token": "select purchase_token from game.receipt where purchase_token is not null"})
    stored["event"] = list(map(with_canonical_json, stored["event"]))
    fail_for([
        f"{table}: {row.replace(SEPARATOR, '|')[:600]!r} {what}" for table, rows in expected.items()
        for what, some in (("is missing", rows_without(rows, stored[table])),
                           ("is unexpected", rows_without(stored[table], rows))) for row in some])


def with_canonical_json(event: str) -> str:
    values = dict(zip((*COLUMNS["event"], "sha256", "line_number"), event.split(SEPARATOR), strict=True))
    return SEPARATOR.join(
        parse_extra(value) if name in JSON_COLUMNS and value != "\\N" else value for name, value in values.items())


@pytest.mark.parametrize("path, unknown", [
    ("SystemTests/oracle/data.py", ()),
    ("RecordPipelineTests/Explaining/LineExplainerTests.swift", ())])
def test_other_lines_of_tests_have_every_member_of_a_receipt(path: str, unknown: tuple[str, ...]) -> None:
    text = (TESTS / path).read_text()
    members = [field.spellings[0] for field in FIELDS["receipt"].values()]
    assert [name for name in members if name not in unknown and name not in text] == []
