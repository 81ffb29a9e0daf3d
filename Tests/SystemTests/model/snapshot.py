"""A snapshot of a database after a step: everything that is compared with the model."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

from commands import Command
from events import Choice
from server import Session
from state import query_state
from streams import TABLES

# The totals of refused lines, which no prune changes. They are compared beside the tables of `state.py`.
_TOTALS = {"reject_total": """select stream, code, field, sum(reject_count) from report.reject_by_day where is_loaded
    group by stream, code, field"""}
_FILES = """select source_file_id, encode(sha256, 'hex'), stream, path, floor(extract(epoch from as_of) * 1000)::bigint,
    undone_at is not null, load_id from ingest.source_file order by source_file_id"""
_ACCEPTANCES = """select acceptance_id, undone_at is not null, asked_file, asked_load_id, asked_stream, asked_field,
    is_asked_by_key, (select coalesce(jsonb_agg(distinct c.natural_key), '[]')
      from ingest.conflict c where c.acceptance_id = a.acceptance_id)
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
_RATES = "select base_currency, currency, valid_on::text, trim_scale(rate)::text from game.exchange_rate"
_FAILED = "select failed_file_id, stream, path, coalesce(encode(sha256, 'hex'), '') from ingest.failed_file"
_FAILED_REJECTS = """select f.stream, f.path, r.line_number, r.code, encode(sha256(r.raw), 'hex')
    from ingest.failed_reject r join ingest.failed_file f using (failed_file_id) order by 1, 2, 3"""
_ROWS_OF_FILES = " union all ".join(f"select '{table}' as what, source_file_id from {table}" for table in (
    *(f"game.{table}" for table in TABLES.values()),
    "ingest.reject", "ingest.conflict", "ingest.met_file", "ingest.fill"))
_ORPHANS = f"""select distinct o.what, o.source_file_id from ({_ROWS_OF_FILES}) o
    left join ingest.source_file f using (source_file_id) where f.source_file_id is null or f.undone_at is not null"""

# The exit codes of `Settings.code`; a killed command has another one, and may have had its effect.
EXPLAINED = (0, 5, 78)
# Base currency, currency, day and rate, as the server prints them.
Rate = tuple[str, str, str, str]


@dataclass(frozen=True)
class Settings:
    """The settings and the exchange rates, which change no other table, so their order among events does not matter."""

    # Name and value of each setting that differs from its default.
    values: frozenset[tuple[str, str]] = frozenset()
    rates: frozenset[Rate] = frozenset()

    @property
    def zone(self) -> str:
        return dict(self.values).get("time-zone", "UTC")

    @property
    def base(self) -> str | None:
        return dict(self.values).get("base-currency")

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
        if command.kind == "rates":
            # A rate belongs to the base currency of its load.
            assert self.base is not None
            days = {rate[:2] for rate in command.rates}
            kept = {rate for rate in self.rates if rate[0] != self.base or rate[1:3] not in days}
            return Settings(self.values, frozenset(kept.union((self.base, *rate) for rate in command.rates)))
        name, value = command.setting
        values = {one for one in self.values if one[0] != name}
        return Settings(frozenset(values if value is None else {*values, (name, value)}), self.rates)

    def outcomes(self, commands: list[tuple[Command, int]]) -> Iterator[Settings]:
        """The settings that these commands can leave, in any order that explains their exit codes."""
        if not any(code in EXPLAINED for _, code in commands):
            yield self
        for at, (command, code) in enumerate(commands):
            if code not in EXPLAINED or code == self.code(command):
                yield from self.after(command).outcomes(commands[:at] + commands[at + 1:])


@dataclass(frozen=True)
class LedgerEntry:
    number: int
    sha256: str
    stream: str
    path: str
    as_of: int
    is_undone: bool
    load: int


@dataclass(frozen=True)
class Acceptance:
    number: int
    is_undone: bool
    # The choice without its key, which the table does not store; and whether a key was given.
    choice: Choice
    is_by_key: bool
    # The keys of its lines.
    keys: list[list[object]]

    def is_of(self, choice: Choice) -> bool:
        """True when a command with this choice may have made the acceptance."""
        return replace(choice, key=None) == self.choice and self.is_by_key == (choice.key is not None) and (
            choice.key is None or not self.keys or json.loads(choice.key) in self.keys)


@dataclass
class Snapshot:
    """The content of a database while no command runs."""

    state: dict[str, list[str]]
    files: dict[int, LedgerEntry]
    # By file: the lines that a replay has loaded.
    resolved: dict[int, list[int]]
    # HMAC of the user in hexadecimal, and the application.
    erased: set[tuple[str, str | None]]
    # The months of items with some `extra`, as start and end.
    extra_months: frozenset[tuple[int, int]]
    # By partition: its oid, which changes when the partition is created again.
    months: dict[str, int]
    # By number: stream, path, and digest or an empty text.
    failed: dict[int, tuple[str, str, str]]
    # Stream and path of the failed file, line number, code and digest.
    failed_rejects: list[tuple[str, str, int, str, str]]
    # Rows of undone or unknown files.
    orphans: list[tuple[str, int]]
    acceptances: dict[int, Acceptance]
    settings: Settings
    # The files and the acceptances that a prune takes for old.
    old_files: frozenset[int]
    old_acceptances: frozenset[int]


def take_snapshot(session: Session, plan: str) -> Snapshot:
    rows = session.rows

    def old(table: str, time: str) -> frozenset[int]:
        return frozenset(number for (number,) in rows(
            f"""select {table}_id from ingest.{table}
            where {time} < date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'"""))

    return Snapshot(
        state=query_state(functools.partial(session.server.ask, session.database), plan, _TOTALS),
        files={row[0]: LedgerEntry(*row) for row in rows(_FILES)}, resolved=dict(rows(_RESOLVED)),
        erased=set(rows("select encode(user_hmac, 'hex'), app_id from ingest.erased_user")),
        extra_months=frozenset(rows(_EXTRA_MONTHS)), months=dict(rows(_MONTHS)),
        failed={number: (stream, path, sha256) for number, stream, path, sha256 in rows(_FAILED)},
        failed_rejects=rows(_FAILED_REJECTS), orphans=rows(_ORPHANS),
        acceptances={number: Acceptance(number, is_undone, Choice(file, load, stream, None, field), *more)
                     for number, is_undone, file, load, stream, field, *more in rows(_ACCEPTANCES)},
        settings=Settings(frozenset(rows("select name, value from ingest.setting")), frozenset(rows(_RATES))),
        old_files=old("source_file", "loaded_at"), old_acceptances=old("acceptance", "accepted_at"))
