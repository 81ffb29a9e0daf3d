"""Compares the oracle and the program with the recorded fixtures, `Tests/Fixtures/<stream>/`.

The fixtures are the contract as a table: `Tests/RecordPipelineTests/Streams/GoldenTests.swift` records what the lines
become, and a person reviews it. Tests that build on the oracle are as right as its agreement with them.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

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

# A name with its value. Only a reason has quotes that are not escaped.
VALUE = re.compile(r'(\w+)=((?<=reason=)".*?"(?= raw=")|"(?:[^"\\]|\\.)*"|\S+)')
INTEGER = re.compile("-?[0-9]+")
ESCAPE = re.compile(r"\\(?:u\{([0-9a-f]+)\}|x([0-9a-f]{2})|(.))")
CASE = re.compile(rb'"case"\s*:\s*"((?:[^"\\]|\\.)*)"')
JSON_COLUMNS = ("extra", "data", "auth_mapping_list")
CONSTANTS = {"NULL": None, "true": True, "false": False}
# Recorded values that are no columns, or of which the oracle has none: the place, and the token that an option keeps.
NO_COLUMNS = {"source_file_id", "line_number", "purchase_token"}


def character(escape: re.Match[str]) -> str:
    """The character of a recorded escape; a byte that is not UTF-8 is a surrogate."""
    if escape[2]:
        return bytes.fromhex(escape[2]).decode("utf-8", "surrogateescape")
    return chr(int(escape[1], 16)) if escape[1] else escape[3]


def recorded_value(name: str, text: str) -> Any:
    """A recorded value in the oracle's form."""
    if text.startswith('"'):
        content = ESCAPE.sub(character, text[1:-1])
        return (parse_extra(content) if name in JSON_COLUMNS
                else content.encode("utf-8", "surrogateescape") if name == "raw" else content)
    if name in TIMES and text != "NULL":
        return round(datetime.fromisoformat(text).timestamp() * 1000)
    if name == "purchase_token_sha256" and text != "NULL":
        return bytes.fromhex(text)
    return int(text) if INTEGER.fullmatch(text) else CONSTANTS.get(text, text)


def recorded_lines(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The first word and the values of each recorded line."""
    for line in file.read_text().splitlines():
        yield line.partition(" ")[0], {name: recorded_value(name, text) for name, text in VALUE.findall(line)}


class Recorded:
    """The fixture of a stream: the lines, and what was recorded of them in the form of the oracle."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.content = (FIXTURES / stream / "input.jsonl").read_bytes()
        self.rows: dict[int, Row] = {}
        # Receipts within events come after all events.
        for kind, values in recorded_lines(FIXTURES / stream / "rows.expected"):
            if kind == "totals":
                totals = values
            elif kind != "months":
                assert {*values} - NO_COLUMNS == {*COLUMNS["receipt" if kind == "embedded" else stream]}
                number = values["line_number"]
                self.rows[number] = values if kind != "embedded" else self.rows[number] | {"receipt": values}
        self.rejects = [values for _, values in recorded_lines(FIXTURES / stream / "rejects.expected")]
        self.line_count = totals["lines"]
        # Lines or recordings that are gone would be judged by nobody.
        assert totals["sha256"] == hashlib.sha256(self.content).hexdigest(), "input.jsonl is not the recorded one"
        judged = (len(self.rows) + totals["blank"] + len(self.rejects), len(self.rejects))
        assert judged == (self.line_count, totals["rejected"]), "the recording lacks lines, or has too many"

    def parsed(self) -> ParsedFile:
        return ParsedFile("", self.stream, hashlib.sha256(self.content).hexdigest(), len(self.content), SETTINGS)

    def add_line(self, number: int, parsed: ParsedFile) -> None:
        """Adds what was recorded of a line."""
        parsed.rows += [(line, row) for line, row in self.rows.items() if line == number]
        parsed.rejects += [
            Reject(number, one["offset"], one["code"], one["field"], one["raw"])
            for one in self.rejects if one["line"] == number]


def outcome(parsed: ParsedFile) -> dict[str, str]:
    """The outcome of a line, by name; nothing for a blank one. Values of two types are never equal."""
    values = {name: value for one in parsed.rejects for name, value in vars(replace(one, line_bytes=b"")).items()}
    values |= {f"{name} of the {kind}": row.get(name) for _, whole in parsed.rows
               for kind, row in rows_of(parsed.stream, whole) for name in COLUMNS[kind]}
    return {name: repr(value)[:300] for name, value in values.items()}


def case_of(line: bytes) -> str:
    """The case that the line tests, or the beginning of a line that names none."""
    found = CASE.search(line)
    text = (found[1] if found else line).decode("utf-8", "backslashreplace")
    return "".join(filter(str.isprintable, text))[:80]


def fail_for(faults: list[str]) -> None:
    if faults:
        pytest.fail("\n".join([f"differences: {len(faults)}", *faults]), pytrace=False)


@pytest.mark.parametrize("stream", STREAMS)
def test_the_oracle_decides_each_line_as_recorded(stream: str) -> None:
    recorded = Recorded(stream)
    faults: list[str] = []
    without_rule: list[tuple[str, str]] = []
    for line in lines_of(recorded.content):
        case, expected, parsed = case_of(line.content), recorded.parsed(), recorded.parsed()
        recorded.add_line(line.number, expected)
        try:
            parsed.take(line)
            due, came = outcome(expected), outcome(parsed)
        except OracleError as error:
            without_rule.append((case, str(error)))
        except Exception as error:  # Such a fault of the oracle must not hide the other lines.
            faults.append(f"line {line.number} ({case}): {type(error).__name__}: {error}"[:300])
        else:
            faults += [
                f"line {line.number} ({case}): {name}: recorded {due.get(name)}, came {came.get(name)}"
                for name in due | came if due.get(name) != came.get(name)]
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
    parsed = recorded.parsed()
    for line in lines_of(recorded.content):
        try:
            parsed.take(line)
        except OracleError:
            recorded.add_line(line.number, parsed)
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
    values = zip((*COLUMNS["event"], "sha256", "line_number"), event.split(SEPARATOR), strict=True)
    return SEPARATOR.join(
        parse_extra(value) if name in JSON_COLUMNS and value != "\\N" else value for name, value in values)


def test_the_data_of_other_tests_has_every_member_of_a_receipt() -> None:
    text = (TESTS / "SystemTests/oracle/data.py").read_text()
    members = [field.spellings[0] for field in FIELDS["receipt"].values()]
    assert [name for name in members if name not in text] == []
