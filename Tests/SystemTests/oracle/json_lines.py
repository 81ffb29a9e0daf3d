"""JSON parsing that keeps the order of members, repeated members, and all digits of numbers."""

from __future__ import annotations

import json

from values import Number, OracleError, Refusal


class Pairs(list[tuple[str, object]]):
    """The members of an object in line order."""


def record_members(line: bytes, unwrap: str | None) -> Pairs:
    """The members of the line's record: the line itself, or the object in one of its fields."""
    members = _members(line)
    if unwrap is None:
        return members
    if [name for name, _ in members] != [unwrap] or not isinstance(members[0][1], Pairs):
        raise OracleError("the line is not wrapped in the form of data.py")
    return members[0][1]


def _members(line: bytes) -> Pairs:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise Refusal("invalid_utf8", None) from None
    try:
        value = json.loads(
            text, parse_float=Number, parse_int=Number, parse_constant=_no_constant, object_pairs_hook=Pairs)
    except ValueError:
        raise Refusal("malformed_json", None) from None
    if not isinstance(value, Pairs):
        raise Refusal("not_an_object", None)
    return value


def parse_object(text: str) -> Pairs | None:
    """The members of the object that a string holds; None for any other text."""
    try:
        members = _members(text.encode())
    except (Refusal, UnicodeEncodeError):
        return None
    return members


def _no_constant(text: str) -> object:
    raise ValueError(f"{text} is not JSON")


def canonical_json(value: object) -> str:
    """The canonical text of a parsed value; the order of members and the digits of numbers are significant."""
    if isinstance(value, Pairs):
        members = (f"{_json_text(name)}:{canonical_json(member)}" for name, member in value)
        return "{" + ",".join(members) + "}"
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
    return canonical_json(json.loads(text, parse_float=Number, parse_int=Number, object_pairs_hook=Pairs))
