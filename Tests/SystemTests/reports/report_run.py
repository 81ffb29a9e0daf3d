"""One run of the test of the reports: commands, and a comparison of the views after each step."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

import psycopg

from command_maker import Habits
from commands import Command, Step
from data import Profile
from loader import ProgramRun
from months import MONTHLY, month_starts
from random_run import RandomRun
from random_runs import Violated
from report_basis import VIEWS, Basis
from report_calendar import DAY, HOUR, Calendar, utc
from report_compare import LIVE, SHOWN, Relations, compare, read, read_relations, shown_row
from report_days import is_pending
from report_facts import PLAYER_STREAMS, Facts, where
from server import Server
from streams import COLUMNS, EVENT_TIMES

PROFILE = Profile(
    ("u1", "u2", "u3", "u4", "u5", "u6"),
    {"receipt": (25, 45), "level_up": (20, 40), "game_user": (10, 25), "item": (10, 30), "event": (15, 40)},
    less=0.2, contradicting=0.1, embedding=0.2)
# The kinds of steps, with their relative frequency.
WEIGHTS = {
    "load": 26, "loads": 10, "load-again": 5, "load-several": 2, "load-failing": 5, "load-empty": 2, "load-dry": 1,
    "together": 6, "refresh": 6, "undo": 7, "forget": 3, "forget-lines": 1, "retention": 4, "accept": 6,
    "undo-acceptance": 3, "replay": 4, "zone": 4, "rates": 8, "base": 4, "feed": 4, "prune": 4, "dismiss": 2,
    "age-limit": 1, "line-limit": 2,
}
OTHERS = ("refresh", "undo", "forget", "accept")
# From the first of a run's times to the last.
SPAN = 70 * DAY
# The view whose rows a prune removes; freshness and health go by the clock, too.
PRUNED = {"load_history", "freshness", "health"}
# The commands that bring all changes into the reports, also those of others.
REFRESHING = ("load", "refresh", "undo", "forget", "accept", "undo-acceptance")
# All tables of the reports but those of the refresh itself. An erasure at the end shows that the histories are right.
TABLES = """select relname from pg_class where relnamespace = 'rollup'::regnamespace
    and relkind in ('r', 'p') and relname not like 'refresh\\_%' and relname not like 'touched\\_%'
    and relname not in ('calendar_period', 'dropped_month', 'history') order by 1"""


def times(choice: random.Random, now: int) -> list[int]:
    """Milliseconds around the edges of days in all zones, in order; some are a long time before the others."""
    found = []
    start = now - SPAN - choice.randrange(5, 250) * DAY
    if choice.random() < 0.4:
        # Before a change of the clock in New York.
        york = Calendar("America/New_York")
        days = [york.day(now - back * DAY) for back in range(40, 400)]
        changes = [york.start(day) for day in days if york.end(day) - york.start(day) != DAY]
        start = choice.choice(changes) - choice.randrange(5, 30) * DAY
    for _ in range(9):
        midnight = start // DAY * DAY + choice.randrange(SPAN // DAY) * DAY
        edge = midnight + choice.choice([0, -9 * HOUR, 4 * HOUR, 5 * HOUR])
        found += [edge, edge - 1000, edge + choice.randrange(DAY)]
    if choice.random() < 0.2:
        found.append(start - choice.choice([30, 110, 200, 366]) * DAY)
    return sorted(instant // 1000 for instant in found)


class ReportRun(RandomRun):
    script = "scripts/test reports"

    def __init__(self, server: Server, program: Path, seed: int, number: int) -> None:
        name = f"{seed} {number}"
        choice = random.Random(f"times {name}")
        # The day, because a run draws its times from the year before it.
        self.now = int(time.time() * 1_000_000) // DAY * DAY
        moments = times(choice, self.now)
        first, last = utc(moments[0] * 1000), utc(self.now)
        months = month_starts(self.now // 1000, (last.year - first.year) * 12 + last.month - first.month)
        # A load starts after the times that it gives to lines without one.
        habits = Habits(WEIGHTS, OTHERS, 1.0, moments[6:], (None, None, None, None, *moments[:6:3]))
        super().__init__(server, program, name, habits, PROFILE, moments, months)
        self.step_count = choice.randrange(6, 16)
        self.facts, self.relations = read(self.session.connection)
        self.is_pending = False
        # What retention dropped and the reports must keep, independent of the database's own records.
        self.kept: Facts = {"dropped_month": [], "kept_observation": [], "kept_item_name": []}

    def prepare(self, step: Step) -> None:
        super().prepare(step)
        if step.commands[0].kind == "prune":
            # Some views show the times that it goes by.
            self.facts, self.relations = read(self.session.connection)

    def judge(self, step: Step, results: list[ProgramRun]) -> None:
        """Compares all views with the facts where the reports have all changes, else those that show the facts."""
        # A run with a failed file may have loaded another one.
        done = [command for command, result in zip(step.commands, results)
                if not command.is_dry and (result.code in (0, 3) or len(command.attempts) > 1)]
        before, relations, was_pending = self.facts, self.relations, self.is_pending
        self.facts, self.relations = read(self.session.connection)
        self._keep(before, [command for command in done if command.kind == "forget"])
        basis = Basis(self.facts)
        self.is_pending = is_pending(basis)
        names = [name for name in VIEWS if not self.is_pending or name in LIVE]
        if told := compare(basis, self.relations, names):
            raise Violated("\n    ".join(["views differ from the facts:", *told]))
        behind = [command.kind == "replay" or "--no-refresh" in command.arguments for command in done]
        is_refreshed = any(command.kind in REFRESHING for command in done)
        if self.is_pending and not any(behind) and all(result.code in (0, 3) for result in results) and (
                is_refreshed or not was_pending):
            raise Violated("the reports lack changes after a refresh")
        # A load that fails refreshes, too: what an earlier one left pending.
        if all(command.is_dry or "--no-refresh" in command.arguments for command in step.commands) or not (
                done or was_pending):
            # Refused lines count as the ledger has them.
            self._check_unchanged(relations, LIVE | {"quality_by_day"})
        if step.commands[0].kind == "prune":
            self._check_unchanged(relations, PRUNED)

    def _keep(self, before: Facts, erasures: list[Command]) -> None:
        """Remembers the rows of dropped months, without those that were undone or erased since."""
        months = [month for month in before["month"] if month not in self.facts["month"]]
        rows = [row for stream in MONTHLY for row in before[stream] if {
            "stream": stream, "month": utc(row[EVENT_TIMES[stream]]).date().replace(day=1)} in months]
        self.kept["dropped_month"] += months
        self.kept["kept_observation"] += [
            row | {"first_observed_at": row["at"], "last_observed_at": row["at"]}
            for row in rows if row["stream"] in PLAYER_STREAMS and row["at"] is not None]
        self.kept["kept_item_name"] += [row for row in where(rows, stream="item") if row["item_name"] is not None]
        standing = {row["source_file_id"] for row in where(self.facts["source_file"], undone_at=None)}
        for name in ("kept_observation", "kept_item_name"):
            self.kept[name] = [row for row in self.kept[name] if row["source_file_id"] in standing and not any(
                row.get("user_id") in one.users and one.app in (None, row["app_id"]) for one in erasures)]
        self.facts |= self.kept

    def _check_unchanged(self, before: Relations, but: Collection[str]) -> None:
        """A load with --no-refresh changes the live views alone, and a prune the list of loads alone."""
        # Columns that show the receipt or the line as it is stored now, also between refreshes.
        kept = self.session.connection.execute("select * from rollup.purchase limit 0").description or ()
        live = {"purchase": {*COLUMNS["receipt"], "source_file_id", "line_number"} - {column.name for column in kept},
                "reject_summary": {"example_path", "example_line_number", "example_reason"},
                "product": {"product_type"}, "event_by_hour": {"user_count"}}
        for name in VIEWS.keys() - but:
            rows, others = (sorted(repr([one for one in row.items() if one[0] not in live.get(name, ())])
                                   for row in some[name]) for some in (before, self.relations))
            if rows != others:
                told = [f"before {row}" for row in rows if row not in others][:SHOWN]
                told += [f"after {row}" for row in others if row not in rows][:SHOWN]
                raise Violated("\n    ".join([f"the command changed {name}:", *told]))

    def conclude(self) -> None:
        """A full rebuild changes no rollup. Nothing is left of the players after an erasure by their histories."""
        self.carry_out(Step("end", [Command(["refresh"])]))
        before = read_rollups(self.session.connection)
        self.session.execute("create table kept_history as table rollup.history")
        self.carry_out(Step("end", [Command(["refresh", "--full"])]))
        if told := rollup_differences(before, read_rollups(self.session.connection)):
            raise Violated("\n    ".join(["a full rebuild changed the rollups:", *told]))
        self.session.execute("delete from rollup.history; insert into rollup.history table kept_history")
        users = sorted({"u", *(user for _, user in Basis(self.facts).users)})
        self.carry_out(Step("end", [Command(["forget-user", "-"], "\n".join(users).encode(), users)]))


def read_rollups(connection: psycopg.Connection[Any]) -> dict[str, Counter[str]]:
    """By rollup: its rows."""
    relations = read_relations(connection, [name for (name,) in connection.execute(TABLES)], "rollup")
    return {f"rollup.{name}": Counter(map(shown_row, rows)) for name, rows in relations.items()}


def rollup_differences(before: dict[str, Counter[str]], after: dict[str, Counter[str]]) -> list[str]:
    """The first rows that a full rebuild changed."""
    return [f"{name}, only {when} refresh --full: {row}" for name in sorted({*before, *after})
            for when, one, other in (("before", before, after), ("after", after, before))
            for row in sorted((one.get(name, Counter()) - other.get(name, Counter())).elements())[:SHOWN]]
