"""Reads the views of the schema `report`, and compares each with its recomputation from the facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

# Importing these registers their views.
import report_events  # noqa: F401
import report_money  # noqa: F401
import report_players  # noqa: F401
import report_subscriptions  # noqa: F401
from report_basis import VIEWS, Basis
from report_facts import Facts, read_facts, read_rows
from report_items import with_names
from report_operations import OF_REFRESH
from report_rows import Row
from streams import COLUMNS

if TYPE_CHECKING:
    import psycopg

# These show the present rows at any time; the others those of the last refresh.
LIVE = {"horizon", "freshness", "load_history", "reject_by_day", "reject_summary", "unknown_field_summary",
        "open_failure", "health", "level_up", "game_user_snapshot", "event"}
# Columns that the recomputation leaves out.
UNCHECKED = {
    # They go by the clock.
    "freshness": {"hours_behind_now", "hours_since_load"},
    # The first is a text; the others depend on what the last refresh has found.
    "health": {"reason", *OF_REFRESH},
    # A text, which names figures or the next step.
    "open_failure": {"error"},
}
# Columns that a view may leave out; sql/tests/report_money.sql says which it does.
OPTIONAL = {"purchase": set(COLUMNS["receipt"]), "load_history": {"standing_count"}}

# By name: the rows of a view or table.
Relations = dict[str, list[Row]]


def live_columns(connection: psycopg.Connection[Any]) -> set[str]:
    """The columns of `purchase` that show the receipt as it is stored now, also between refreshes."""
    kept = connection.execute("select * from rollup.purchase limit 0").description or ()
    return {*COLUMNS["receipt"], "source_file_id", "line_number"} - {column.name for column in kept}


def read_relations(connection: psycopg.Connection[Any], names: Iterable[str], schema: str = "report") -> Relations:
    """The rows of views or tables of a schema."""
    return {name: read_rows(connection, f"select * from {schema}.{name}") for name in names}


def shown(value: object) -> str:
    if isinstance(value, Fraction) and value.denominator != 1:
        return str(float(value))
    return "NULL" if value is None else str(value)


def shown_row(row: Row) -> str:
    return " ".join(f"{name}={shown(value)}" for name, value in row.items())


def differences(name: str, rows: list[Row], due: list[Row]) -> list[str]:
    """Each row of the view that is missing, unexpected or different, with both values."""
    grain = VIEWS[name][0].split()
    told = []
    if rows and due:
        missing = set(due[0]) - set(rows[0]) - OPTIONAL.get(name, set())
        unexpected = set(rows[0]) - set(due[0]) - UNCHECKED.get(name, set())
        told += [f"{name}: the column {column} is missing" for column in sorted(missing)]
        told += [f"{name}: the column {column} is unexpected" for column in sorted(unexpected)]
    # By key: the rows of the view, and those of the oracle.
    by_key: dict[str, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for place, some in enumerate((rows, due)):
        for row in sorted(some, key=repr):
            by_key[shown_row({column: row.get(column) for column in grain})][place].append(row)
    for key, (found, wanted) in sorted(by_key.items()):
        if len(found) != len(wanted):
            told.append(f"{name} ({key}): {len(found)} rows, the oracle has {len(wanted)}: "
                        + "; ".join(map(shown_row, (found or wanted)[:2])))
            continue
        for row, other in zip(found, wanted):
            # A number is no flag.
            wrong = [f"{column} {shown(row[column])}, oracle {shown(value)}" for column, value in other.items()
                     if column in row and (row[column], type(row[column]) is bool) != (value, type(value) is bool)]
            if wrong:
                told.append(f"{name} ({key}): " + "; ".join(wrong))
    return told


@dataclass
class Reading:
    """The facts and the relations of one transaction."""

    facts: Facts
    relations: Relations


def read(connection: psycopg.Connection[Any], names: Iterable[str] = VIEWS) -> Reading:
    with connection.transaction():
        connection.execute("set transaction isolation level repeatable read read only; set local timezone = 'UTC'")
        return Reading(read_facts(connection), read_relations(connection, names))


def compare(basis: Basis, relations: Relations, names: Iterable[str] = VIEWS) -> list[str]:
    """The differences of the named views from the facts."""
    return [one for name in names
            for one in differences(name, relations[name], with_names(basis, VIEWS[name][1](basis)))]


def check_views(connection: psycopg.Connection[Any], names: Iterable[str] = VIEWS) -> list[str]:
    """The differences of the named views from the facts and the database's own kept observations."""
    reading = read(connection, names)
    return compare(Basis(reading.facts), reading.relations, names)
