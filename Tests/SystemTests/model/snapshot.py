"""A snapshot of a database: one transaction reads everything that is compared with the model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from commands import Command
from psql import Psql
from state import query_state
from streams import TABLES

# Queries in addition to those of `state.py`, which are not part of the compared state.
_MORE = {
    "_acceptances": """select acceptance_id, undone_at is not null, asked_file, asked_load_id,
        asked_stream, asked_field, is_asked_by_key, (select coalesce(jsonb_agg(distinct c.natural_key), '[]')
          from ingest.conflict c where c.acceptance_id = a.acceptance_id)
        from ingest.acceptance a""",
    "_files": """select source_file_id, encode(sha256, 'hex'), stream, path,
        floor(extract(epoch from as_of) * 1000)::bigint, undone_at is not null, load_id,
        coalesce(app_id, '') from ingest.source_file order by source_file_id""",
    "_resolved": """select r.source_file_id, r.line_number from ingest.reject r
        where r.resolved_at is not null order by r.source_file_id, r.line_number""",
    "_erased": "select encode(user_hmac, 'hex'), app_id from ingest.erased_user",
    "_months": """select c.relname, c.oid from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent in ('game.level_up'::regclass, 'game.game_user_snapshot'::regclass,
          'game.item_snapshot'::regclass, 'game.event'::regclass)
        order by 1""",
    "_extra_months": """select distinct 1000 * extract(epoch from m.month)::bigint,
        1000 * extract(epoch from m.month + interval '1 month')::bigint
        from (select date_trunc('month', observed_at at time zone 'UTC') as month from game.item_snapshot
          where extra is not null) m""",
    "_failed": """select failed_file_id, stream, path, coalesce(encode(sha256, 'hex'), '')
        from ingest.failed_file order by 1""",
    "_failed_rejects": """select failed_file_id, line_number, code, encode(sha256(raw), 'hex')
        from ingest.failed_reject order by 1, 2""",
    # What a prune takes for old.
    "_old": " union all ".join(
        f"select '{table}', {table}_id from ingest.{table} where {time} < date_trunc('month', now() at time zone 'UTC')"
        " at time zone 'UTC'" for table, time in (("source_file", "loaded_at"), ("acceptance", "accepted_at"))),
    "reject_total": "select stream, code, field, sum(reject_count) from report.reject_by_day where is_loaded "
        "group by stream, code, field",
    "_settings": "select name, value from ingest.setting",
    "_rates": "select base_currency, currency, valid_on, trim_scale(rate) as rate from game.exchange_rate",
    # Rows of undone or unknown files.
    "_orphans": "select distinct o.what, o.source_file_id from ({}) o left join ingest.source_file f "
        "using (source_file_id) where f.source_file_id is null or f.undone_at is not null".format(" union all ".join(
            f"select '{table}' as what, source_file_id from {table}" for table in (
                *(f"game.{table}" for table in TABLES.values()), "ingest.reject", "ingest.conflict",
                "ingest.met_file", "ingest.fill"))),
}


ZONES = ("UTC", "Asia/Seoul", "America/New_York", "Asia/Kathmandu")
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
            return self._with_rates(command.rates)
        assert command.setting is not None
        name, value = command.setting
        values = {one for one in self.values if one[0] != name}
        if value is not None:
            values.add((name, value))
        return Settings(frozenset(values), self.rates)

    def _with_rates(self, rates: tuple[tuple[str, str, str], ...]) -> Settings:
        # A rate belongs to the base currency of its load.
        base = dict(self.values)["base-currency"]
        days = {rate[:2] for rate in rates}
        kept = {rate for rate in self.rates if rate[0] != base or rate[1:3] not in days}
        return Settings(self.values, frozenset(kept.union((base, *rate) for rate in rates)))

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
    app_id: str


@dataclass(frozen=True)
class Acceptance:
    number: int
    is_undone: bool
    # The choice in the form of the table: file, load, stream, field and whether a key was given.
    asked: tuple[str | None, str | None, str | None, str | None, bool]
    # The keys of its lines.
    keys: list[list[object]]

    def is_by(self, key: str | None) -> bool:
        """True when a command with this key may have made the acceptance. The table does not store the key."""
        return key is None or not self.keys or json.loads(key) in self.keys


@dataclass
class Snapshot:
    state: dict[str, list[str]]
    files: dict[int, LedgerEntry]
    # By file: the lines that a replay has loaded.
    resolved: dict[int, list[int]]
    # HMAC of the user in hexadecimal, and the application.
    erased: set[tuple[str, str | None]]
    # The months of items with some `extra`, as start and end.
    extra_months: frozenset[tuple[int, int]]
    # By partition: its oid, which changes when the partition is created again.
    months: dict[str, str]
    # By number: stream, path, and digest or an empty text.
    failed: dict[int, tuple[str, str, str]]
    failed_rejects: dict[int, list[tuple[int, str, str]]]
    orphans: list[list[str]]
    acceptances: dict[int, Acceptance]
    settings: Settings
    # The numbers of what a prune takes for old, by table.
    old: dict[str, frozenset[int]]


def take_snapshot(psql: Psql, plan: str) -> Snapshot:
    state = query_state(psql.ask, plan, _MORE)

    def taken(name: str) -> list[list[str]]:
        return [row.split("\x1f") for row in state.pop(name, [])]

    resolved: dict[int, list[int]] = {}
    for number, line in taken("_resolved"):
        resolved.setdefault(int(number), []).append(int(line))
    failed_rejects: dict[int, list[tuple[int, str, str]]] = {}
    for number, line, code, raw in taken("_failed_rejects"):
        failed_rejects.setdefault(int(number), []).append((int(line), code, raw))
    files = [LedgerEntry(int(row[0]), row[1], row[2], row[3], int(row[4]), row[5] == "t",
                         int(row[6]), row[7]) for row in taken("_files")]
    # The rows come sorted as text.
    files.sort(key=lambda file: file.number)
    old = taken("_old")
    return Snapshot(
        files={file.number: file for file in files}, resolved={
            number: sorted(lines) for number, lines in sorted(resolved.items())},
        erased={(user, None if app == "\\N" else app) for user, app in taken("_erased")},
        extra_months=frozenset((int(start), int(end)) for start, end in taken("_extra_months")),
        months=dict(map(tuple, taken("_months"))),  # type: ignore[arg-type]
        failed={int(row[0]): (row[1], row[2], row[3]) for row in taken("_failed")},
        failed_rejects={number: sorted(rows) for number, rows in failed_rejects.items()},
        orphans=taken("_orphans"), acceptances=_acceptances(taken("_acceptances")),
        settings=Settings(
            frozenset(map(tuple, taken("_settings"))),  # type: ignore[arg-type]
            frozenset(map(tuple, taken("_rates")))),  # type: ignore[arg-type]
        state=state, old={table: frozenset(int(row[1]) for row in old if row[0] == table)
                          for table in ("source_file", "acceptance")})


def _acceptances(rows: list[list[str]]) -> dict[int, Acceptance]:
    found = {}
    for number, is_undone, *asked, is_by_key, keys in rows:
        file, load, stream, field = (None if one == "\\N" else one for one in asked)
        found[int(number)] = Acceptance(
            int(number), is_undone == "t", (file, load, stream, field, is_by_key == "t"), json.loads(keys))
    return found
