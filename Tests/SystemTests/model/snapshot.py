"""A snapshot of a database after a step: everything that is compared with the model."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.rows import namedtuple_row

from commands import Command
from server import Session
from state import query_state
from streams import TABLES

# The totals of refused lines, which no prune changes. They are compared beside the tables of `state.py`.
_TOTALS = {"reject_total": """select stream, code, field, sum(reject_count) from report.reject_by_day where is_loaded
    group by stream, code, field"""}
_FILES = """select source_file_id as number, encode(sha256, 'hex') as sha256, stream, path,
    floor(extract(epoch from as_of) * 1000)::bigint as as_of, undone_at is not null as is_undone, load_id as load
    from ingest.source_file order by source_file_id"""
# An acceptance has the keys of its lines, for the table does not store that of its choice.
_ACCEPTANCES = """select acceptance_id as number, undone_at is not null as is_undone, asked_file, asked_load_id,
    asked_stream, asked_field, is_asked_by_key, (select coalesce(jsonb_agg(distinct c.natural_key), '[]')
      from ingest.conflict c where c.acceptance_id = a.acceptance_id) as keys
    from ingest.acceptance a order by acceptance_id"""
_RESOLVED = """select source_file_id, array_agg(line_number order by line_number) from ingest.reject
    where resolved_at is not null group by source_file_id order by source_file_id"""
_MONTHS = """select c.relname, c.oid from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('game.level_up'::regclass, 'game.game_user_snapshot'::regclass,
      'game.item_snapshot'::regclass, 'game.event'::regclass)
    order by 1"""
_EXTRA_MONTHS = """select distinct 1000 * extract(epoch from m.month)::bigint,
    1000 * extract(epoch from m.month + interval '1 month')::bigint
    from (select date_trunc('month', observed_at at time zone 'UTC') as month from game.item_snapshot
      where extra is not null) m"""
_SETTINGS = """select array[name], value from ingest.setting union all
    select array[base_currency, currency, valid_on::text], trim_scale(rate)::text from game.exchange_rate"""
_FAILED = "select failed_file_id, (stream, path, coalesce(encode(sha256, 'hex'), '')) from ingest.failed_file"
_FAILED_REJECTS = """select f.stream, f.path, r.line_number, r.code, encode(sha256(r.raw), 'hex')
    from ingest.failed_reject r join ingest.failed_file f using (failed_file_id) order by 1, 2, 3"""
_ROWS_OF_FILES = " union all ".join(f"select '{table}' as what, source_file_id from {table}" for table in (
    *(f"game.{table}" for table in TABLES.values()),
    "ingest.reject", "ingest.conflict", "ingest.met_file", "ingest.fill"))
_ORPHANS = f"""select distinct o.what, o.source_file_id from ({_ROWS_OF_FILES}) o
    left join ingest.source_file f using (source_file_id) where f.source_file_id is null or f.undone_at is not null"""
_OLD = "select {0}_id from ingest.{0} where {1} < date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'"

# The exit codes of `Settings.code`; a killed command has another one, and may have had its effect.
EXPLAINED = (0, 5, 78)


@dataclass(frozen=True)
class Settings:
    """The settings and the exchange rates, which change no other table, so their order among events does not matter."""

    # A setting that differs from its default, by its name alone; a rate by base currency, currency and day.
    values: frozenset[tuple[tuple[str, ...], str]]

    @property
    def base(self) -> str | None:
        return dict(self.values).get(("base-currency",))

    def code(self, command: Command) -> int:
        """The exit code of this command alone."""
        if command.kind != "rates":
            return 0
        if self.base is None:
            return 78
        # A rate of the base currency other than 1 shows a file in units of another currency.
        return 5 if any(currency == self.base and rate != "1" for currency, _, rate in command.rates) else 0

    def after(self, command: Command) -> Settings:
        """The settings after this command alone."""
        if self.code(command) != 0:
            return self
        given: dict[tuple[str, ...], str | None] = {}
        if command.kind == "rates":
            # A rate belongs to the base currency of its load.
            given = {(str(self.base), currency, day): rate for currency, day, rate in command.rates}
        else:
            _, _, name, value = command.arguments
            given[name,] = None if value == "--default" else value
        after = dict(self.values) | given
        return Settings(frozenset((key, value) for key, value in after.items() if value is not None))

    def outcomes(self, commands: list[tuple[Command, int]]) -> Iterator[Settings]:
        """The settings that these commands can leave, in any order that explains their exit codes."""
        if not any(code in EXPLAINED for _, code in commands):
            yield self
        for at, (command, code) in enumerate(commands):
            if code not in EXPLAINED or code == self.code(command):
                yield from self.after(command).outcomes(commands[:at] + commands[at + 1:])


class Snapshot:
    """The content of a database while no command runs."""

    def __init__(self, session: Session, plan: str) -> None:
        rows = session.rows
        named: psycopg.Cursor[Any] = session.connection.cursor(row_factory=namedtuple_row)
        self.state = query_state(functools.partial(session.server.ask, session.database), plan, _TOTALS)
        self.files: dict[int, Any] = {row.number: row for row in named.execute(_FILES)}
        self.acceptances: dict[int, Any] = {row.number: row for row in named.execute(_ACCEPTANCES)}
        # By file: the lines that a replay has loaded.
        self.resolved: dict[int, list[int]] = dict(rows(_RESOLVED))
        # HMAC of the user in hexadecimal, and the application.
        self.erased: set[tuple[str, str | None]] = set(
            rows("select encode(user_hmac, 'hex'), app_id from ingest.erased_user"))
        # The months of items with some `extra`, as start and end.
        self.extra_months: frozenset[tuple[int, int]] = frozenset(rows(_EXTRA_MONTHS))
        # By partition: its oid, which changes when the partition is created again.
        self.months: dict[str, int] = dict(rows(_MONTHS))
        # By number: stream, path, and digest or an empty text.
        self.failed: dict[int, tuple[str, str, str]] = dict(rows(_FAILED))
        # Stream and path of the failed file, line number, code and digest.
        self.failed_rejects = rows(_FAILED_REJECTS)
        # Rows of undone or unknown files.
        self.orphans = rows(_ORPHANS)
        self.settings = Settings(frozenset((tuple(key), value) for key, value in rows(_SETTINGS)))
        # The files and the acceptances that a prune takes for old.
        self.old_files: frozenset[int] = frozenset(
            number for [number] in rows(_OLD.format("source_file", "loaded_at")))
        self.old_acceptances: frozenset[int] = frozenset(
            number for [number] in rows(_OLD.format("acceptance", "accepted_at")))
