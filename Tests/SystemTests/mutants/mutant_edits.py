"""The edits of a function's text that make its mutants.

An edit makes a condition true or false, removes a statement, keeps the old value of a column, moves a bound by one,
changes the handling of NULL, reverses an order, or changes a setting or a right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sql_tokens import CLOSED, OPENED, Token, closing, span_end, tokens

# Functions that neither write nor refuse a row, because they only look up data or serve the planner. Only their
# settings and rights are mutated.
_HARMLESS = frozenset((
    "ingest.find_line", "ingest.find_row", "ingest.count_user_traces", "rollup.reporting_zone", "rollup.base_currency",
    "ingest.analyze_if_grown", "ingest.summarize_new_pages"))

_STARTS = frozenset(("where", "on", "when", "if", "and", "or"))
_ENDS = frozenset((
    "and", "or", "then", "loop", "group", "order", "returning", "union", "into", "using", "on", "left",
    "join", "limit", "window", "else", "end", "when", "where", "from", "set", ",", "as", "select"))
_CLAUSES = frozenset(("from", "where", "returning", ",", "when", "then", "else", "end"))
# By the first of these words before or after an operand: the constants that leave the decision to the other operands.
_LEAVES = {"and": ["true"], "or": ["false"], "where": ["true"], "on": ["true"], "when": ["false", "true"]}
# Bounds, and calls.
_SWAPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "min": "max", "max": "min", "lag": "lead", "lead": "lag",
            "bool_or": "bool_and", "bool_and": "bool_or"}
_STATEMENTS = frozenset(("perform", "update", "delete", "insert", "execute"))


@dataclass(frozen=True)
class Edit:
    change: str
    start: int
    end: int
    new: str
    # The place in the mutant's name, if it differs from the replaced text.
    place: str = ""


def edits(function: str, text: str) -> Iterator[Edit]:
    start = text.index("as $$\n") + len("as $$\n")
    found = tokens(text, start, text.index("\n$$;", start))
    is_plpgsql = "\nlanguage plpgsql" in text
    yield from _settings(text, start)
    if function in _HARMLESS:
        return
    yield from _conditions(text, found)
    yield from _writes(text, found, is_plpgsql)
    yield from _assigned(text, found)
    yield from _absences(text, found)
    yield from _small(found)
    if is_plpgsql:
        yield from _statements(found)


def _settings(text: str, body: int) -> Iterator[Edit]:
    """Edits of the function's settings, rights and triggers."""
    # Settings of the planner are left out, because they change only the plan.
    for match in re.finditer(
            r" security definer|^set (?!enable_|jit|default_statistics)[a-z_]+ = .*\n", text[:body],
            re.MULTILINE):
        yield Edit("without the setting", match.start(), match.end(), "")
    for match in re.finditer(r"^revoke execute on (function \S+) from public;", text, re.MULTILINE):
        yield Edit("without the revoke", match.start(), match.end(), f"grant execute on {match[1]} to public;")
    for match in re.finditer(r"create (?:constraint )?trigger (\w+)", text):
        yield Edit("without the trigger", match.start(), match.end(), f"""do $$
            declare made record; begin
              for made in select tgname, tgrelid::regclass as bound from pg_catalog.pg_trigger
                where tgname = '{match[1]}' and tgparentid = 0
              loop execute format('drop trigger %I on %s', made.tgname, made.bound); end loop;
            end $$;""")


def _conditions(text: str, found: list[Token]) -> Iterator[Edit]:
    """Replaces each operand of a condition by the constant that leaves the decision to the other operands."""
    simple = _simple_cases(found)
    firsts = {index + 1 for index, token in enumerate(found) if token.text in _STARTS and index not in simple}
    firsts |= {_chain_start(found, index) for index, token in enumerate(found) if token.text in ("and", "or")}
    for first in sorted(firsts):
        before = found[first - 1].text
        end = span_end(found, first, _ENDS)
        if before == "on" and not _is_join(found, first - 1) or end <= first or first >= len(found) \
                or _is_of_between_or_handler(found, first) or _is_group(found, first, end):
            continue
        around = (before, found[end].text if end < len(found) else "")
        start, stop = found[first].start, found[end - 1].end
        old = text[start:stop]
        for value in next((values for word, values in _LEAVES.items() if word in around), ["false"]):
            word = "or" if value == "true" else "and"
            # The old operand stays in the text, because format() fills its placeholders.
            yield Edit(f"{value} for", start, stop, f"({value} {word} ({old}))")


def _chain_start(found: list[Token], index: int) -> int:
    """The index of the first operand of the "and" or "or" at `index`."""
    depth = cases = 0
    while index > 0:
        index -= 1
        word = found[index].text
        if word in (")", "]", CLOSED):
            depth += 1
        elif word in ("(", "[", OPENED):
            if depth == 0:
                return index + 1
            depth -= 1
        elif depth == 0:
            cases += (word == "end") - (word == "case")
            if cases == 0 and word in _STARTS | {"select", "return", ",", "then", "else", ";", "between", ":="}:
                return index + 1
    return 0


def _is_group(found: list[Token], first: int, end: int) -> bool:
    """True for parentheses around operands that are mutated one by one."""
    return found[first].text == "(" and closing(found, first) == end - 1 and \
        span_end(found, first + 1, frozenset(("and", "or", "select"))) < end - 1


def _is_of_between_or_handler(found: list[Token], first: int) -> bool:
    for index in range(first - 1, max(-1, first - 12), -1):
        if found[index].text == "between":
            return found[first - 1].text in ("and", "between")
        if found[index].text == "exception" and found[index + 1].text == "when":
            return True
        if found[index].text in ("where", "if", ";", "select", "then"):
            return False
    return False


def _simple_cases(found: list[Token]) -> set[int]:
    """The indices of each "when" of a simple CASE, which compares with a value."""
    kinds: list[bool] = []
    simple = set()
    for index, token in enumerate(found):
        if token.text == "case":
            kinds.append(found[index + 1].text != "when")
        elif token.text == "when" and kinds and kinds[-1]:
            simple.add(index)
        elif token.text == "end" and kinds:
            kinds.pop()
    return simple


def _is_join(found: list[Token], index: int) -> bool:
    return any(token.text == "join" for token in found[max(0, index - 8):index])


def _writes(text: str, found: list[Token], is_plpgsql: bool) -> Iterator[Edit]:
    """Makes a changing part of a statement match no row; `_statements` removes whole statements."""
    for index, token in enumerate(found):
        before = found[index - 1].text if index else ";"
        if token.text in ("update", "delete", "insert") and (
                before == "(" and found[index - 2].text in ("as", "materialized")
                or before == ";" and not is_plpgsql):
            where = span_end(found, index, frozenset(("where",)))
            if where < len(found) and found[where].text == "where":
                end = span_end(found, where + 1, _ENDS)
                start, stop = found[where + 1].start, found[end - 1].end
                yield Edit("no row for", start, stop, f"(false and ({text[start:stop]}))", text[token.start:stop])


def _assigned(text: str, found: list[Token]) -> Iterator[Edit]:
    """Makes a column keep its value."""
    for index, token in enumerate(found):
        if token.text != "set" or index < 2:
            continue
        target = found[index - 1].text
        if target == "update":
            target = re.findall(r"insert into (?:\w+\.)?(\w+)", text[:token.start])[-1]
        item = index + 1
        while item + 2 < len(found) and found[item + 1].text == "=":
            end = span_end(found, item, _CLAUSES)
            name = found[item].text
            if name.isidentifier() and target.isidentifier():
                start, stop = found[item].start, found[end - 1].end
                yield Edit("not changed", start, stop, f"{name} = {target}.{name}")
            if end >= len(found) or found[end].text != ",":
                break
            item = end + 1


def _absences(text: str, found: list[Token]) -> Iterator[Edit]:
    """Replaces the last argument of coalesce and nullif by NULL, and "is [not] distinct from" by "<>" or "="."""
    for index, token in enumerate(found):
        if token.text in ("coalesce", "nullif") and found[index + 1].text == "(":
            close = closing(found, index + 1)
            last, item = index + 2, index + 2
            while item < close:
                last, item = item, span_end(found, item, frozenset((",",))) + 1
            start, stop = found[last].start, found[close - 1].end
            old = text[start:stop]
            yield Edit("without the last of", start, stop, f"case when false then {old} end",
                        text[token.start:found[close].end])
        for operator, words in (("<>", ["is", "distinct", "from"]), ("=", ["is", "not", "distinct", "from"])):
            same = found[index:index + len(words)]
            if [one.text for one in same] == words:
                # Named by its line, because an operator alone is not a useful name.
                line = text[text.rfind("\n", 0, token.start) + 1:text.index("\n", token.start)]
                yield Edit(f"{operator} for", token.start, same[-1].end, operator, line)


def _small(found: list[Token]) -> Iterator[Edit]:
    """Edits of bounds, extremes, neighbors, "distinct" and order."""
    for index, token in enumerate(found):
        after = found[index + 1].text if index + 1 < len(found) else ""
        near = " ".join(one.text for one in found[max(0, index - 3):index + 5])
        if (other := _SWAPPED.get(token.text)) and (not token.text.isidentifier() or after == "("):
            yield Edit(f"{other} for", token.start, token.end, other, near)
        if token.text == "distinct" and found[index - 1].text in ("select", "(") and after != "on":
            yield Edit("without", token.start, token.end, "", near)
        # The order of columns in a composed text does not matter.
        is_text = found[index - 1].text == CLOSED or found[index - 1].text.startswith("'")
        if token.text == "order" and after == "by" and not is_text:
            end = span_end(found, index, frozenset((",", "loop", "limit")))
            yield Edit("reversed", found[end - 1].end, found[end - 1].end, " desc",
                        " ".join(one.text for one in found[index - 3:end]))
        if token.text == "exception" and after == "when":
            end = span_end(found, index + 2, frozenset(("then",)))
            yield Edit("without the handler", found[index + 2].start, found[end - 1].end, "no_data_found")


def _statements(found: list[Token]) -> Iterator[Edit]:
    """Removes statements of plpgsql, except those without which no test can pass.

    A "raise" is mutated by its condition instead.
    """
    begin = next(index for index, token in enumerate(found) if token.text == "begin" and not token.is_quoted)
    for index, token in enumerate(found[begin:], begin):
        if token.is_quoted or found[index - 1].text not in ("begin", ";", "then", "else", "loop") \
                or token.text in ("begin", "else", "end"):
            continue
        assigned = span_end(found, index, frozenset((":=",)))
        is_assignment = assigned + 1 < len(found) and found[assigned].text == ":=" and \
            assigned - index <= 3 and found[assigned + 1].text not in ("0", "format")
        is_row = token.text == "return" and found[index + 1].text == "next"
        if token.text in _STATEMENTS or is_assignment or is_row:
            end = span_end(found, index, frozenset())
            yield Edit("without", token.start, found[end].end if end < len(found) else token.end, "null;")
