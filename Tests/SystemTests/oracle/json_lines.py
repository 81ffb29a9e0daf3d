"""JSON parsing that keeps the order of members, repeated members, and all digits of numbers."""

from __future__ import annotations

import json
import re
import sys

from values import Number, OracleError, Refusal

# The line's own object is the first level.
MAX_NESTING = 512
# Each level of nesting takes some calls of a function.
sys.setrecursionlimit(max(sys.getrecursionlimit(), 10 * MAX_NESTING))

STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}]')
HALF_PAIR = re.compile("[\ud800-\udfff]")
# All up to the value of a member, behind the value before.
NAME = re.compile(r'[{,\s]*"(?:[^"\\]|\\.)*"\s*:\s*')


class Pairs(list[tuple[str, object]]):
    """The members of an object in line order."""

    # The text of the object; only that of a record is known.
    text = ""

    def written(self, index: int) -> str:
        """The value of a member as the text of the record has it."""
        start = end = 0
        for _ in range(index + 1):
            name = NAME.match(self.text, end)
            assert name
            start = name.end()
            _, end = _DECODER.raw_decode(self.text, start)
        return self.text[start:end]


def _no_constant(text: str) -> object:
    raise ValueError(f"{text} is not JSON")


_DECODER = json.JSONDecoder(
    parse_float=Number, parse_int=Number, parse_constant=_no_constant, object_pairs_hook=Pairs)


def record_members(line: bytes, unwrap: str | None) -> Pairs:
    """The members of the line's record: the line itself, or the object in one of its fields."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        if b"\0" in line:
            raise OracleError("a line with two defects") from None
        raise Refusal("invalid_utf8") from None
    members = _members(text)
    if unwrap is None:
        return members
    if [name for name, _ in members] != [unwrap] or not isinstance(members[0][1], Pairs):
        raise OracleError("the line is not wrapped in the form of data.py")
    return _members(members.written(0))


def _members(text: str) -> Pairs:
    too_deep = _end_of_levels(text)
    try:
        value = _DECODER.decode(text[:too_deep])
    except ValueError as error:
        is_cut = too_deep is not None and getattr(error, "pos", 0) >= too_deep
        raise Refusal("nesting_too_deep" if is_cut else "malformed_json") from None
    if not isinstance(value, Pairs):
        raise Refusal("not_an_object")
    value.text = text
    return value


def _end_of_levels(text: str) -> int | None:
    """The place behind the first bracket that is nested too deep."""
    level = 0
    if text.count("[") + text.count("{") > MAX_NESTING:
        for found in STRING_OR_BRACKET.finditer(text):
            level += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
            if level > MAX_NESTING:
                return found.end()
    return None


def parse_object(text: str) -> Pairs:
    """The members of the object that a string holds; any other text is refused."""
    if HALF_PAIR.search(text):
        raise Refusal("invalid_utf8")
    return _members(text)


def canonical_json(value: object) -> str:
    """The canonical text of a parsed value; the digits of numbers and the order of members are significant."""
    if isinstance(value, Pairs):
        return "{" + ",".join(f"{_json_text(name)}:{canonical_json(member)}" for name, member in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical_json(member) for member in value) + "]"
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        return _json_text(value)
    return {None: "null", True: "true", False: "false"}[value]  # type: ignore[index]


def _json_text(text: str) -> str:
    """The JSON string; unlike json.dumps it keeps a NUL and an unpaired surrogate unescaped."""
    mended = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + mended.replace("\n", "\\n").replace("\t", "\\t") + '"'


def parse_extra(text: str) -> str:
    """The same canonical text for a value from the database."""
    return canonical_json(_DECODER.decode(text))
