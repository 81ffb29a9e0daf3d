"""Mutants of a function: each is its text with one edit.

An edit makes a condition true or false, removes a statement, keeps the old value of a column, moves a bound by one,
changes the handling of NULL, reverses an order, or changes a setting or a right.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from sql_tokens import CLOSED, Body

# Functions that neither write nor refuse a row, because they only look up data or serve the planner. Only their
# settings and rights are mutated.
_HARMLESS = frozenset((
    "ingest.count_user_traces", "rollup.reporting_zone", "rollup.base_currency",
    "ingest.analyze_if_grown"))

_STARTS = frozenset(("where", "on", "when", "if", "and", "or"))
_ENDS = frozenset((
    "and", "or", "then", "loop", "group", "order", "returning", "union", "into", "using", "on", "left",
    "join", "limit", "window", "else", "end", "when", "where", "from", "set", ",", "as", "select"))
# The words before the first operand of a chain.
_BEGINS = _STARTS | {"select", "return", ",", "then", "else", ";", "between", ":="}
# By the first of these words before or after an operand: the constants that leave the decision to the other operands.
_LEAVES = {"and": ["true"], "or": ["false"], "where": ["true"], "on": ["true"], "when": ["false", "true"]}
# Bounds, and calls.
_SWAPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "min": "max", "max": "min", "lag": "lead", "lead": "lag",
            "bool_or": "bool_and", "bool_and": "bool_or"}
_STATEMENTS = frozenset(("perform", "update", "delete", "insert", "execute"))
# Beside the body: each change with a pattern and what takes its place. Settings of the planner are left out, because
# they change only the plan.
_AROUND = (
    ("without the setting", r" security definer|^set (?!enable_|jit|default_statistics)[a-z_]+ = .*\n", ""),
    ("without the trigger", r"create (?:constraint )?trigger (\w+)", r"""do $$
            declare made record; begin
              for made in select tgname, tgrelid::regclass as bound from pg_catalog.pg_trigger
                where tgname = '\1' and tgparentid = 0
              loop execute format('drop trigger %I on %s', made.tgname, made.bound); end loop;
            end $$;"""))


@dataclass(frozen=True)
class Edit:
    change: str
    start: int
    end: int
    new: str
    # The place in the mutant's name, if it differs from the replaced text.
    place: str = ""


@dataclass(frozen=True)
class Mutant:
    function: str
    # Line of the function's file, from 1.
    line: int
    # The kind of change and the changed text; together with the function they are the mutant's name.
    change: str
    place: str
    # The statements that install the mutant in a database.
    script: str

    @property
    def name(self) -> str:
        return f"{self.function} | {self.change} | {self.place}"

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.script.encode()).hexdigest()[:12]


def mutants(function: str, text: str) -> Iterator[Mutant]:
    """The mutants of a function in the order of its text. A second mutant with the same name gets a number."""
    names: Counter[tuple[str, str]] = Counter()
    definition = text.index("create or replace function")
    end = text.index("\n$$;", definition) + len("\n$$;\n")
    for edit in sorted(edits(function, text), key=lambda one: one.start):
        script = text[definition:edit.start] + edit.new + text[edit.end:end] if edit.start < end else edit.new
        place = " ".join((edit.place or text[edit.start:edit.end]).split())
        if len(place) > 90:
            place = f"{place[:60]} ... {place[-25:]}"
        names[edit.change, place] += 1
        if (number := names[edit.change, place]) > 1:
            place += f" ({number})"
        yield Mutant(function, text.count("\n", 0, edit.start) + 1, edit.change, place, script)


def edits(function: str, text: str) -> Iterator[Edit]:
    start = text.index("as $$\n") + len("as $$\n")
    for change, pattern, new in _AROUND:
        for match in re.finditer(pattern, text, re.MULTILINE):
            yield Edit(change, match.start(), match.end(), match.expand(new))
    if function in _HARMLESS:
        return
    body = Body(text, start, text.index("\n$$;", start))
    is_plpgsql = "\nlanguage plpgsql" in text
    for found in (_conditions(body), _writes(body, is_plpgsql), _assigned(body), _absences(body), _small(body),
                  _statements(body) if is_plpgsql else ()):
        yield from found


def _edit(body: Body, change: str, first: int, end: int, new: str, place: str = "") -> Edit:
    """The edit of the tokens from `first` to that before `end`."""
    return Edit(change, body.tokens[first].start, body.tokens[end - 1].end, new, place)


def _conditions(body: Body) -> Iterator[Edit]:
    """Replaces each operand of a condition by the constant that leaves the decision to the other operands."""
    simple = _simple_cases(body)
    firsts = {index + 1 for index, token in enumerate(body.tokens) if token.text in _STARTS and index not in simple}
    firsts |= {body.chain_start(index, _BEGINS) for index, token in enumerate(body.tokens)
               if token.text in ("and", "or")}
    for first in sorted(firsts):
        before, end = body.word(first - 1), body.span_end(first, _ENDS)
        # Parentheses around operands have mutants of each operand.
        is_group = body.word(first) == "(" and body.pairs[first] == end - 1 \
            and body.span_end(first + 1, ("and", "or", "select")) < end - 1
        if end <= first or before == "on" and "join" not in body.words(first - 9, first - 1) \
                or _is_of_between_or_handler(body, first) or is_group:
            continue
        old = body.source(first, end)
        for value in next((values for word, values in _LEAVES.items() if word in (before, body.word(end))), ["false"]):
            word = "or" if value == "true" else "and"
            # The old operand stays in the text, because format() fills its placeholders.
            yield _edit(body, f"{value} for", first, end, f"({value} {word} ({old}))")


def _is_of_between_or_handler(body: Body, first: int) -> bool:
    for index in range(first - 1, max(-1, first - 12), -1):
        if body.word(index) == "between":
            return body.word(first - 1) in ("and", "between")
        if body.words(index, index + 2) == ["exception", "when"]:
            return True
    return False


def _simple_cases(body: Body) -> set[int]:
    """The indices of each "when" of a simple CASE, which compares with a value."""
    kinds: list[bool] = []
    simple = set()
    for index, token in enumerate(body.tokens):
        if token.text == "case":
            kinds.append(body.word(index + 1) != "when")
        elif token.text == "when" and kinds and kinds[-1]:
            simple.add(index)
        elif token.text == "end" and kinds:
            kinds.pop()
    return simple


def _writes(body: Body, is_plpgsql: bool) -> Iterator[Edit]:
    """Makes a changing part of a statement match no row; `_statements` removes whole statements."""
    for index, token in enumerate(body.tokens):
        is_part = body.word(index - 1) == "(" and body.word(index - 2) in ("as", "materialized")
        is_first = body.word(index - 1) in ("", ";") and not is_plpgsql
        where = body.span_end(index, ("where",))
        if token.text in ("update", "delete", "insert") and (is_part or is_first) and body.word(where) == "where":
            end = body.span_end(where + 1, _ENDS)
            yield _edit(body, "no row for", where + 1, end, f"(false and ({body.source(where + 1, end)}))",
                        body.source(index, end))


def _assigned(body: Body) -> Iterator[Edit]:
    """Makes a column keep its value."""
    for index, token in enumerate(body.tokens):
        if token.text != "set":
            continue
        target = body.word(index - 1)
        if target == "update":
            target = re.findall(r"insert into (?:\w+\.)?(\w+)", body.text[:token.start])[-1]
        item = index + 1
        while body.word(item + 1) == "=":
            name = body.word(item)
            end = body.span_end(item, ("from", "where", "returning", ",", "when", "then", "else", "end"))
            if target.isidentifier():
                yield _edit(body, "not changed", item, end, f"{name} = {target}.{name}")
            if body.word(end) != ",":
                break
            item = end + 1


def _absences(body: Body) -> Iterator[Edit]:
    """Replaces the last argument of coalesce and nullif by NULL, and "is [not] distinct from" by "<>" or "="."""
    for index, token in enumerate(body.tokens):
        if token.text in ("coalesce", "nullif") and body.word(index + 1) == "(":
            close = body.pairs[index + 1]
            last = item = index + 2
            while item < close:
                last, item = item, body.span_end(item, (",",)) + 1
            new = f"case when false then {body.source(last, close)} end"
            yield _edit(body, "without the last of", last, close, new, body.source(index, close + 1))
        for operator, words in (("<>", "is distinct from"), ("=", "is not distinct from")):
            end = index + len(words.split())
            if " ".join(body.words(index, end)) == words:
                # Named by its line, because an operator alone is not a useful name.
                line = body.text[body.text.rfind("\n", 0, token.start) + 1:body.text.index("\n", token.start)]
                yield _edit(body, f"{operator} for", index, end, operator, line)


def _small(body: Body) -> Iterator[Edit]:
    """Edits of bounds, extremes, neighbors, "distinct" and order."""
    for index, token in enumerate(body.tokens):
        before, after = body.word(index - 1), body.word(index + 1)
        near = " ".join(body.words(index - 3, index + 5))
        if (other := _SWAPPED.get(token.text)) and (not token.text.isidentifier() or after == "("):
            yield _edit(body, f"{other} for", index, index + 1, other, near)
        if token.text == "distinct" and before in ("select", "(") and after != "on":
            yield _edit(body, "without", index, index + 1, "", near)
        # The order of columns in a composed text does not matter.
        if token.text == "order" and after == "by" and not before.startswith((CLOSED, "'")):
            end = body.span_end(index, (",", "loop", "limit"))
            place = " ".join(body.words(index - 3, end))
            yield Edit("reversed", body.tokens[end - 1].end, body.tokens[end - 1].end, " desc", place)
        if token.text == "exception" and after == "when":
            yield _edit(body, "without the handler", index + 2, body.span_end(index + 2, ("then",)), "no_data_found")


def _statements(body: Body) -> Iterator[Edit]:
    """Removes statements of plpgsql, except those without which no test can pass.

    A "raise" is mutated by its condition instead.
    """
    begin = next(index for index, token in enumerate(body.tokens) if token.text == "begin" and not token.is_quoted)
    for index, token in enumerate(body.tokens[begin:], begin):
        if token.is_quoted or body.word(index - 1) not in ("begin", ";", "then", "else", "loop") \
                or token.text in ("begin", "else", "end"):
            continue
        assigned = body.span_end(index, (":=",))
        is_assignment = body.word(assigned) == ":=" and assigned - index <= 3 and (
            body.word(assigned + 1) not in ("0", "format"))
        is_row = token.text == "return" and body.word(index + 1) == "next"
        if token.text in _STATEMENTS or is_assignment or is_row:
            yield _edit(body, "without", index, body.span_end(index) + 1, "null;")
