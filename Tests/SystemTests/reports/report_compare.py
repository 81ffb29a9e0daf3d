"""Reads the views of the schema `report`, and compares each with its recomputation from the facts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

# Importing these registers their views.
import report_events  # noqa: F401
import report_money  # noqa: F401
import report_operations  # noqa: F401
import report_players  # noqa: F401
import report_subscriptions  # noqa: F401
from report_basis import VIEWS, Basis
from report_days import is_pending
from report_facts import Facts, Row, grouped, read_facts, read_rows
from report_items import with_names
from streams import COLUMNS

if TYPE_CHECKING:
    import psycopg

# These show the present rows at any time; the others those of the last refresh.
LIVE = {"horizon", "freshness", "load_history", "reject_by_day", "reject_summary", "unknown_field_summary",
        "open_failure", "health", "level_up", "game_user_snapshot", "event"}
# Figures of a state that is gone, until the reports have all changes.
OF_REFRESH = {
    "health": {"verdict", "own_verdict", "missing_day_count", "implausible_day_count", "open_conflict_count",
               "max_hours_behind", "open_failure_count"},
    "load_history": {"standing_count"},
}
# Columns that the recomputation leaves out, or a view; sql/tests/report_money.sql says which of receipts it does.
UNCHECKED = {
    # They go by the clock.
    "freshness": {"hours_behind_now", "hours_since_load"},
    # Texts, which name figures or the next step.
    "health": {"reason"}, "open_failure": {"error"}, "purchase": set(COLUMNS["receipt"]),
}

# The differences of a view that a message shows.
SHOWN = 4

# By name: the rows of a view or table.
Relations = dict[str, list[Row]]


def read_relations(connection: psycopg.Connection[Any], names: Iterable[str], schema: str = "report") -> Relations:
    """The rows of views or tables of a schema."""
    return {name: read_rows(connection, f"select * from {schema}.{name}") for name in names}


def shown_row(row: Row) -> str:
    return " ".join(f"{name}={value}" for name, value in row.items())


def differences(name: str, rows: list[Row], due: list[Row]) -> list[str]:
    """Each row of the view that is missing, unexpected or different, with both values."""
    told = []
    if rows and due:
        odd = (set(due[0]) ^ set(rows[0])) - UNCHECKED.get(name, set())
        told += [f"{name}: the column {column} is missing or unexpected" for column in sorted(odd)]
    # By key: the rows of the view, and those of the oracle.
    found_by, due_by = ({shown_row(key): same for key, same in grouped(sorted(some, key=repr), VIEWS[name][0])}
                        for some in (rows, due))
    for key in sorted({*found_by, *due_by}):
        found, wanted = found_by.get(key, []), due_by.get(key, [])
        if len(found) != len(wanted):
            told.append(f"{name} ({key}): {len(found)} rows, the oracle has {len(wanted)}: "
                        + "; ".join(map(shown_row, (found or wanted)[:2])))
            continue
        for row, other in zip(found, wanted):
            # A number is no flag.
            wrong = [f"{column} {row[column]}, oracle {value}" for column, value in other.items()
                     if column in row and (row[column], type(row[column]) is bool) != (value, type(value) is bool)]
            if wrong:
                told.append(f"{name} ({key}): " + "; ".join(wrong))
    return told


def read(connection: psycopg.Connection[Any], names: Iterable[str] = VIEWS) -> tuple[Facts, Relations]:
    with connection.transaction():
        connection.execute("set transaction isolation level repeatable read read only; set local timezone = 'UTC'")
        return read_facts(connection), read_relations(connection, names)


def compare(basis: Basis, relations: Relations, names: Iterable[str] = VIEWS) -> list[str]:
    """The first differences of each of the named views from the facts."""
    told = []
    for name in names:
        hidden = OF_REFRESH.get(name, set()) if is_pending(basis) else set()
        rows, due = ([{column: value for column, value in row.items() if column not in hidden} for row in some]
                     for some in (relations[name], with_names(basis, VIEWS[name][1](basis))))
        told += differences(name, rows, due)[:SHOWN]
    return told


def check_views(connection: psycopg.Connection[Any], names: Iterable[str] = VIEWS) -> list[str]:
    """The differences of the named views from the facts and the database's own kept observations."""
    facts, relations = read(connection, names)
    return compare(Basis(facts), relations, names)
