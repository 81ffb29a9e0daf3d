"""The rows of all tables and views, without what differs between two runs of one program."""

from __future__ import annotations

from server import Server

# Columns that the clock, a random number or the program's version fills.
OF_THE_RUN = {
    "hours_behind_now", "hours_since_load", "hours_without_news", "loader_version", "resolved_order", "database_user"}
# Tables that say how a database was made, not what was loaded.
OF_THE_SCHEMA = {"ingest.schema_migration", "ingest.definition_set", "ingest.row_digest_key", "ingest.table_place"}
COLUMNS = """
    select n.nspname || '.' || c.relname, a.attname, format_type(a.atttypid, null), a.attidentity <> ''
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where (n.nspname in ('game', 'ingest') and c.relkind in ('r', 'p')
        or n.nspname = 'report' and c.relkind in ('v', 'm'))
      and not c.relispartition and a.attnum > 0 and not a.attisdropped
    order by 1, a.attnum"""

Columns = dict[str, str]


def relations(server: Server, database: str) -> dict[str, Columns]:
    """By relation: the compared columns, each with the expression that prints it."""
    rows = server.ask(database, COLUMNS)
    numbers = {column for _, column, _, is_number in rows if is_number == "t"} - {"source_file_id"}
    found: dict[str, Columns] = {}
    for relation, column, kind, _ in rows:
        columns = found.setdefault(relation, {}) if relation not in OF_THE_SCHEMA else {}
        # Numbers of runs, files and records follow from the order in which parallel loaders draw them.
        if column not in numbers | OF_THE_RUN and kind != "xid8":
            columns[column] = printed(column, kind)
    return found


def printed(column: str, kind: str) -> str:
    value = f't."{column}"'
    if column == "source_file_id":
        return "f.stream || ' ' || f.path || ' ' || left(encode(f.sha256, 'hex'), 8)"
    if kind == "date" or kind.startswith("timestamp"):
        return f"case when {value} between :run::{kind} and :run::{kind} + interval '1 day' then 'of the run' " \
            f"else {value}::text end"
    if column in ("reason", "value"):
        return f"regexp_replace({value}::text, '[0-9.]+ hours|' || left(:run, 10) || 'T[0-9:.]+', 'of the run')"
    return f"{value}::text"


def copied(relation: str, columns: Columns, start: str) -> str:
    """The statement that copies the rows of a relation, as all programs must have them."""
    shown = ", ".join(columns.values()).replace(":run", f"'{start}'")
    join = "left join ingest.source_file f using (source_file_id)" if "source_file_id" in columns else ""
    return f"copy (select {shown} from {relation} t {join}) to stdout"
