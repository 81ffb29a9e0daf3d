"""A tokenizer for SQL, including the SQL in the string literals that a function executes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A literal that is a statement or a part of one, and not a value or a message.
_CODE = re.compile(r"\n|\b(where|case when|select|from)\b|^ or ")
_SKIPPED = r"--[^\n]*|\s+"
_TOKEN = r"%(?:\d+\$)?[sIL]|\$\d+|[A-Za-z_]\w*|\d+(?:\.\d+)?|::|:=|<>|<=|>=|->>|->|#>>|@>|!~|\|\||\S"

# Mark the begin and the end of a literal with SQL; they count as parentheses.
OPENED, CLOSED = "‹", "›"


@dataclass(frozen=True)
class Token:
    text: str
    start: int
    end: int
    # True for a token inside a literal that is executed later.
    is_quoted: bool


def tokens(text: str, start: int, end: int) -> list[Token]:
    return list(_scan(text, start, end, is_quoted=False))


def _scan(text: str, start: int, end: int, is_quoted: bool) -> Iterator[Token]:
    # Inside a literal each quote is doubled.
    literal = "''[^']*''" if is_quoted else "'(?:[^']|'')*'"
    pattern = re.compile(f"(?P<skipped>{_SKIPPED})|(?P<literal>E?{literal})|{_TOKEN}", re.DOTALL)
    message = False
    while start < end:
        match = pattern.match(text, start, end)
        assert match, text[start:end]
        start = match.end()
        if match["skipped"]:
            continue
        found = match[0]
        if not is_quoted and found in ("raise", "hint", ";"):
            message = found != ";"
        if match["literal"] and not is_quoted and not message and _CODE.search(found[1:-1]):
            yield Token(OPENED, match.start(), match.start() + 1, is_quoted)
            yield from _scan(text, match.start() + 1, match.end() - 1, is_quoted=True)
            yield Token(CLOSED, match.end() - 1, match.end(), is_quoted)
        else:
            yield Token(found, match.start(), match.end(), is_quoted)


def closing(found: list[Token], opening: int) -> int:
    """The index of the parenthesis that closes the one at `opening`."""
    depth = 0
    for index in range(opening, len(found)):
        depth += (found[index].text in ("(", "[", OPENED)) - (found[index].text in (")", "]", CLOSED))
        if depth == 0:
            return index
    return len(found)


def span_end(found: list[Token], first: int, ends: frozenset[str]) -> int:
    """The index after the expression that begins at `first`: that of one of `ends`, or of a closing token."""
    index, cases = first, 0
    while index < len(found):
        word = found[index].text
        if word in ("(", "[", OPENED):
            index = closing(found, index) + 1
            continue
        if word in (")", "]", CLOSED, ";"):
            return index
        if cases == 0 and word in ends and not (word == "from" and found[index - 1].text == "distinct"):
            return index
        cases += (word == "case") - (word == "end")
        if word == "between":
            # The "and" of "between" does not join conditions.
            index = span_end(found, index + 1, frozenset(("and",)))
        index += 1
    return index
