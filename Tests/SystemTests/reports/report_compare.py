"""Reads the views of the schema `report`, and compares each with its recomputation from the facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

# Importing these registers their views.
import report_cohorts  # noqa: F401
import report_events  # noqa: F401
import report_levels  # noqa: F401
import report_money  # noqa: F401
import report_operations  # noqa: F401
import report_subscriptions  # noqa: F401
from report_basis import VIEWS, Basis
from report_facts import Ask, Facts, Row, read_facts, read_tables
from report_items import with_names
from streams import COLUMNS

# These show the present rows at any time; the others those of the last refresh.
LIVE = {"horizon", "freshness", "load_history", "reject_by_day", "reject_summary",
        "unknown_field_summary", "quality_by_day", "open_failure", "health", "level_up", "game_user_snapshot",
        "event"}
# Columns that the recomputation leaves out.
UNCHECKED = {
    # They go by the clock.
    "freshness": {"hours_behind_now", "hours_since_load"},
    # The first is a text; the others depend on what the last refresh has found.
    "health": {"reason", "verdict", "own_verdict", "missing_day_count", "implausible_day_count", "open_conflict_count",
               "max_hours_behind", "open_failure_count"},
    # A text, which names figures or the next step.
    "open_failure": {"error"},
}
# Allowed difference of minutes, which are floating point.
TOLERANCE = 1e-6
# Columns that a view may leave out; sql/tests/report_money.sql says which it does.
OPTIONAL = {"purchase": set(COLUMNS["receipt"])}
BEGIN = ("begin isolation level repeatable read read only", "set local timezone = 'UTC'",
         "set local extra_float_digits = 1")


@dataclass
class View:
    """The columns of a view with their types, and its rows."""

    types: dict[str, str]
    rows: list[Row]


def _shape(ask: Ask, names: Iterable[str], schema: str) -> dict[str, dict[str, str]]:
    """The columns of each relation, with their types."""
    shapes: dict[str, dict[str, str]] = defaultdict(dict)
    for name, column, kind in ask(
            f"""select c.relname, a.attname, format_type(a.atttypid, null)
            from pg_class c join pg_attribute a on a.attrelid = c.oid
            where c.relnamespace = '{schema}'::regnamespace and a.attnum > 0 and not a.attisdropped
              and c.relname in ({", ".join(f"'{name}'" for name in names)})
            order by c.relname, a.attnum"""):
        shapes[name][column] = kind
    return shapes


def live_columns(ask: Ask) -> set[str]:
    """The columns of `purchase` that show the receipt as it is stored now, also between refreshes."""
    return {*COLUMNS["receipt"], "source_file_id", "line_number"} - set(_shape(ask, ["purchase"], "rollup")["purchase"])


def _selected(column: str, kind: str) -> str:
    if kind in ("timestamp with time zone", "interval"):
        return f"(extract(epoch from {column}) * 1000000)::bigint as {column}"
    return column


def read_relations(ask: Ask, names: Iterable[str], schema: str = "report") -> dict[str, View]:
    """The rows of views or tables of a schema, times as microseconds."""
    shapes = _shape(ask, names, schema)
    tables = read_tables(ask, {
        name: f"select {', '.join(_selected(*one) for one in columns.items())} from {schema}.{name}"
        for name, columns in shapes.items()})
    return {name: View(columns, [
        {column: _value(row[column], kind) for column, kind in columns.items()}
        for row in tables[name]]) for name, columns in shapes.items()}


def _value(value: object, kind: str) -> object:
    if value is None:
        return None
    if kind == "date":
        return date.fromisoformat(str(value))
    if kind == "double precision":
        return float(str(value))
    if isinstance(value, Decimal):
        return Fraction(value)
    return value


def _is_equal(found: object, due: object) -> bool:
    if isinstance(found, float) and due is not None:
        return abs(found - float(due)) <= TOLERANCE * max(1.0, abs(found))  # type: ignore[arg-type]
    if isinstance(found, bool) or isinstance(due, bool):
        return found is due
    return found == due


def shown(value: object) -> str:
    if isinstance(value, Fraction) and value.denominator != 1:
        return str(float(value))
    return "NULL" if value is None else str(value)


def _by_grain(rows: list[Row], grain: list[str]) -> dict[str, list[Row]]:
    found = defaultdict(list)
    for row in rows:
        found[", ".join(f"{name} {shown(row.get(name))}" for name in grain)].append(row)
    return found


def differences(name: str, view: View, due: list[Row]) -> list[str]:
    """Each row of the view that is missing, unexpected or different, with both values."""
    grain = VIEWS[name][0].split()
    unchecked = UNCHECKED.get(name, set())
    told = []
    if due:
        columns = set(due[0])
        told += [f"{name}: the column {column} is missing" for column in sorted(columns - set(view.types) - OPTIONAL.get(name, set()))]
        told += [f"{name}: the column {column} is unexpected"
                 for column in sorted(set(view.types) - columns - unchecked)]
    found_rows, due_rows = _by_grain(view.rows, grain), _by_grain(due, grain)
    for key in sorted({*found_rows, *due_rows}):
        found, wanted = found_rows.get(key, []), due_rows.get(key, [])
        if len(found) != len(wanted):
            told.append(f"{name} ({key}): {len(found)} rows, the oracle has {len(wanted)}: "
                        + "; ".join(_shown_row(row, grain) for row in (found or wanted)[:2]))
            continue
        if len(found) > 1:
            found, wanted = sorted(found, key=repr), sorted(wanted, key=repr)
        for row, other in zip(found, wanted):
            wrong = [f"{column} {shown(row[column])}, oracle {shown(other[column])}"
                     for column in other if column in row
                     and not _is_equal(row[column], other[column])]
            if wrong:
                told.append(f"{name} ({key}): " + "; ".join(wrong))
    return told


def _shown_row(row: Row, grain: list[str]) -> str:
    return " ".join(f"{name}={shown(value)}" for name, value in row.items() if name not in grain)


@dataclass
class Reading:
    """The facts and the relations of one transaction."""

    facts: Facts
    relations: dict[str, View]


def read(ask: Ask, names: Iterable[str], dropped: set[tuple[str, str]] | None = None) -> Reading:
    ask(*BEGIN)
    reading = Reading(read_facts(ask, dropped), read_relations(ask, names))
    ask("commit")
    return reading


def compare(basis: Basis, relations: dict[str, View], names: Iterable[str] = VIEWS) -> list[str]:
    """The differences of the named views from the facts."""
    told = []
    for name in names:
        if name not in relations:
            told.append(f"{name}: the view is missing")
        else:
            told += differences(name, relations[name], with_names(basis, VIEWS[name][1](basis)))
    return told


def check_views(ask: Ask, names: Iterable[str] = tuple(VIEWS)) -> list[str]:
    """The differences of the named views from the facts and the database's own kept observations."""
    reading = read(ask, names)
    return compare(Basis(reading.facts), reading.relations, names)
