"""The content of the rollup tables, for the comparison with a full rebuild."""

from __future__ import annotations

from collections import Counter

from report_compare import BEGIN, read_relations, shown
from report_facts import Ask

# All tables of the reports but those of the refresh itself.
TABLES = """select relname from pg_class where relnamespace = '{schema}'::regnamespace
    and relkind in ('r', 'p') and relname not like 'refresh\\_%' and relname not like 'touched\\_%'
    and relname not in ('calendar_period', 'dropped_month') order by 1"""

Content = dict[str, Counter[tuple[tuple[str, str], ...]]]


def read_rollups(ask: Ask) -> Content:
    """The rows of each table."""
    found: Content = {}
    ask(*BEGIN)
    for schema in ("rollup",):
        names = [name for (name,) in ask(TABLES.format(schema=schema))]
        for name, view in read_relations(ask, names, schema).items():
            found[f"{schema}.{name}"] = Counter(
                tuple((column, shown(value)) for column, value in row.items()) for row in view.rows)
    ask("commit")
    return found


def rollup_differences(before: Content, after: Content) -> list[str]:
    """The rows that a full rebuild changed."""
    told = []
    for name in sorted({*before, *after}):
        old, new = before.get(name, Counter()), after.get(name, Counter())
        for what, rows in (("only before", old - new), ("only after", new - old)):
            for row, count in sorted(rows.items()):
                values = " ".join(f"{column}={value}" for column, value in row)
                told.append(f"{name}, {what} refresh --full{f' ({count} times)' if count > 1 else ''}: {values}")
    return told
