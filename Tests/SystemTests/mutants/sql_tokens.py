"""The tokens of a function's body, including the SQL in the string literals that it executes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

# A literal that is a statement or a part of one, and not a value or a message.
_CODE = re.compile(r"\n|\b(where|case when|select|from)\b|^ or ")
_SKIPPED = r"--[^\n]*|\s+"
_TOKEN = r"%(?:\d+\$)?[sIL]|\$\d+|[A-Za-z_]\w*|\d+(?:\.\d+)?|::|:=|<>|<=|>=|->>|->|#>>|@>|!~|\|\||\S"

# Mark the begin and the end of a literal with SQL; they count as parentheses.
OPENED, CLOSED = "‹", "›"
_OPENING, _CLOSING = ("(", "[", OPENED), (")", "]", CLOSED)


@dataclass(frozen=True)
class Token:
    text: str
    start: int
    end: int
    # True for a token inside a literal that is executed later.
    is_quoted: bool


class Body:
    """The tokens of a part of a text, by their indices."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.tokens = [*_scan(text, start, end, is_quoted=False)]
        # By the index of a parenthesis, that of the other one of its pair.
        self.pairs: dict[int, int] = {}
        opened = []
        for index, token in enumerate(self.tokens):
            if token.text in _OPENING:
                opened.append(index)
            elif token.text in _CLOSING and opened:
                self.pairs[index] = opened.pop()
                self.pairs[self.pairs[index]] = index

    def word(self, index: int) -> str:
        """The text of a token; empty before the first and after the last one."""
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def words(self, first: int, end: int) -> list[str]:
        return [token.text for token in self.tokens[max(0, first):end]]

    def source(self, first: int, end: int) -> str:
        """The text from the first of some tokens to the last."""
        return self.text[self.tokens[first].start:self.tokens[end - 1].end]

    def span_end(self, first: int, ends: Collection[str] = ()) -> int:
        """The index after the expression that begins at `first`: that of one of `ends`, or of a closing token."""
        index, cases = first, 0
        while index < len(self.tokens):
            word = self.word(index)
            if word in _CLOSING or word == ";":
                return index
            if cases == 0 and word in ends and not (word == "from" and self.word(index - 1) == "distinct"):
                return index
            cases += (word == "case") - (word == "end")
            if word in _OPENING:
                index = self.pairs[index]
            elif word == "between":
                # The "and" of "between" does not join conditions.
                index = self.span_end(index + 1, ("and",))
            index += 1
        return index

    def chain_start(self, index: int, begins: Collection[str]) -> int:
        """The index of the first operand of the "and" or "or" at `index`: that after one of `begins`, or an opening."""
        cases = 0
        while index > 0:
            index -= 1
            word = self.word(index)
            if word in _CLOSING:
                index = self.pairs[index]
            elif word in _OPENING:
                return index + 1
            else:
                cases += (word == "end") - (word == "case")
                if cases == 0 and word in begins:
                    return index + 1
        return 0


def _scan(text: str, start: int, end: int, is_quoted: bool) -> Iterator[Token]:
    # Inside a literal each quote is doubled.
    literal = "''[^']*''" if is_quoted else "'(?:[^']|'')*'"
    pattern = re.compile(f"(?P<skipped>{_SKIPPED})|(?P<literal>E?{literal})|{_TOKEN}", re.DOTALL)
    is_message = False
    while start < end:
        match = pattern.match(text, start, end)
        assert match, text[start:end]
        start = match.end()
        if match["skipped"]:
            continue
        found = match[0]
        if not is_quoted and found in ("raise", "hint", ";"):
            is_message = found != ";"
        if match["literal"] and not is_quoted and not is_message and _CODE.search(found[1:-1]):
            yield Token(OPENED, match.start(), match.start() + 1, is_quoted)
            yield from _scan(text, match.start() + 1, match.end() - 1, is_quoted=True)
            yield Token(CLOSED, match.end() - 1, match.end(), is_quoted)
        else:
            yield Token(found, match.start(), match.end(), is_quoted)
