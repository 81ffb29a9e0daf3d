"""One run of the test of the reports: commands, and a comparison of the views after each step."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Collection
from itertools import groupby
from pathlib import Path
from typing import Any

import psycopg

from command_maker import AGES, Habits
from commands import Command, Step
from data import Profile, Writer
from months import MONTHLY, month_starts
from random_run import RandomRun
from random_runs import Violated
from report_basis import VIEWS, Basis
from report_calendar import DAY, HOUR, Calendar, utc
from report_compare import LIVE, Reading, Relations, compare, live_columns, read, read_relations, shown_row
from report_facts import MONTHS, PLAYER_STREAMS, Facts, read_rows
from report_known_rows import known_rows
from report_rows import Row, where
from report_scenes import SceneMaker, steps_of
from server import Server
from streams import EVENT_TIMES

PROFILE = Profile(
    ("u1", "u2", "u3", "u4", "u5", "u6"),
    {"receipt": (25, 45), "level_up": (20, 40), "game_user": (10, 25), "item": (10, 30), "event": (15, 40)},
    less=0.2, contradicting=0.1, embedding=0.2)
# The kinds of steps, with their relative frequency.
WEIGHTS = {
    "load": 26, "loads": 10, "load-again": 5, "load-several": 2, "load-failing": 5, "load-empty": 2, "load-dry": 1,
    "together": 6, "refresh": 6, "undo": 7, "forget": 3, "forget-lines": 1, "retention": 4, "accept": 6,
    "undo-acceptance": 3, "replay": 4, "zone": 4, "rates": 8, "base": 4, "feed": 4, "prune": 4, "dismiss": 2,
    "limit": 3,
}
OTHERS = ("refresh", "undo", "forget", "accept")
# From the first of a run's times to the last.
SPAN = 70 * DAY
# The view whose rows a prune removes; freshness and health go by the clock, too.
PRUNED = {"load_history", "freshness", "health"}
# The differences of a view that a message shows.
SHOWN = 4
# What the views show after a command, unless it ends with a refresh of all rows: "as_before" for one that refreshes
# nothing, but whose changes every view follows; "unknown" for one after which a later step refreshes.
SHOWS = {"prune": "as_before", "dismiss": "as_before", "replay": "unknown"}


def first_time(choice: random.Random, now: int) -> int:
    """The begin of the times: before a change of the clock in New York, or anywhere in the last year."""
    york = Calendar("America/New_York")
    if choice.random() < 0.5:
        for back in range(40, 400):
            day = york.day(now - back * DAY)
            if york.end(day) - york.start(day) != DAY and choice.random() < 0.6:
                return york.start(day) - choice.randrange(5, 30) * DAY
    return now - SPAN - choice.randrange(5, 250) * DAY


def times(choice: random.Random, now: int) -> list[int]:
    """Milliseconds around the edges of days in all zones, in order; some are a long time before the others."""
    found = []
    start = first_time(choice, now)
    for _ in range(9):
        midnight = start // DAY * DAY + choice.randrange(SPAN // DAY) * DAY
        edge = midnight + choice.choice([0, -9 * HOUR, 4 * HOUR, 5 * HOUR])
        found += [edge, edge - 1000, edge + choice.randrange(DAY)]
    if choice.random() < 0.2:
        found.append(start - choice.choice([30, 110, 200, 366]) * DAY)
    return sorted(instant // 1000 for instant in found)


class ReportRun(RandomRun):
    def __init__(self, server: Server, program: Path, seed: int, number: int) -> None:
        name = f"{seed} {number}"
        choice = random.Random(f"times {name}")
        # The day, because a run draws its times from the year before it.
        self.now = int(time.time() * 1_000_000) // DAY * DAY
        moments = times(choice, self.now)
        first, last = utc(moments[0] * 1000), utc(self.now)
        months = month_starts(self.now // 1000, (last.year - first.year) * 12 + last.month - first.month)
        # A load starts after the times that it gives to lines without one.
        habits = Habits(
            WEIGHTS, ("load",), OTHERS, ("plain",), 1.0, dict.fromkeys(AGES, (10, 100)), moments[6:],
            (None, None, None, None, *moments[:6:3]))
        super().__init__(server, program, name, habits, Writer(f"reports {name}", PROFILE, moments), months)
        if number % 2:
            # Few players are looked up one by one; in half of the runs any number is.
            self.session.execute(
                "create or replace function rollup.is_small_part(p_part regclass, p_whole regclass) returns boolean "
                "language sql set search_path = pg_catalog, pg_temp as 'select true'")
        self.dropped = Dropped(self.session.connection)
        self.step_count = choice.randrange(6, 16)
        self.seen = read(self.session.connection)
        # The views show all rows, as after a refresh.
        self.is_fresh = True

    def step(self, number: int) -> Step:
        """The first step loads all streams at once."""
        return self.maker.step(number) if number > 1 else self.maker.loads(*PROFILE.sizes)

    def carry_out(self, step: Step) -> None:
        is_prune = step.commands[0].kind == "prune"
        self.prepare(step)
        # Some views show the times that a prune goes by.
        before = read(self.session.connection) if is_prune else self.seen
        settings = self._settings()
        codes = [result.code for result in self.take(step)]
        shows = {self._shows(command, code, before.facts, settings) for command, code in zip(step.commands, codes)}
        after = self.seen = read(self.session.connection)
        self.is_fresh = shows <= {"all", "as_before"} and (self.is_fresh or "all" in shows)
        self.check(after, VIEWS if self.is_fresh else LIVE)
        if shows == {"before"}:
            # Refused lines count as the ledger has them.
            self._check_unchanged(before.relations, after.relations, LIVE | {"quality_by_day"})
        if is_prune:
            self._check_unchanged(before.relations, after.relations, PRUNED)

    def _settings(self) -> dict[str, str]:
        return dict(self.session.rows("select name, value from report.setting"))

    def _shows(self, command: Command, code: int, before: Facts, settings: dict[str, str]) -> str:
        """What the views show after the command; remembers what it dropped, took back or erased."""
        kind = command.kind
        if command.is_dry or code not in (0, 3):
            # A run with a failed file may have loaded another one.
            return "unknown" if kind == "load" and len(command.attempts) > 1 and not command.is_dry else "as_before"
        if kind == "retention" and not self.dropped.note(before):
            # Without a month to drop, the command changes nothing.
            return "as_before"
        if kind == "setting" and (command.setting[0].startswith("max-age") or settings == self._settings()):
            # The value that the reports have already refreshes nothing.
            return "as_before"
        if kind == "forget":
            self.dropped.forget(
                lambda row: row.get("user_id") in command.users and command.app in (None, row["app_id"]))
        elif kind in ("undo", "accept", "undo-acceptance"):
            undone = {number for (number,) in self.session.rows(
                "select source_file_id from ingest.source_file where undone_at is not null")}
            self.dropped.forget(lambda row: row["source_file_id"] in undone)
        return "before" if "--no-refresh" in command.arguments else SHOWS.get(kind, "all")

    def check(self, reading: Reading, names: Collection[str]) -> None:
        """Compares these views with the facts."""
        reading.facts |= self.dropped.facts
        if not self.is_fresh:
            # A count of the last refresh in a view of the ledger.
            reading.relations["load_history"] = [
                {name: value for name, value in row.items() if name != "standing_count"}
                for row in reading.relations["load_history"]]
        told = compare(Basis(reading.facts), reading.relations, [name for name in VIEWS if name in names])
        if told:
            raise Violated(_listed("views differ from the facts", told))

    def _check_unchanged(self, before: Relations, after: Relations, but: Collection[str]) -> None:
        """A load with --no-refresh changes the live views alone, and a prune the list of loads alone."""
        live = {"purchase": live_columns(self.session.connection),
                "product": {"product_type"},
                "event_by_hour": {"user_count"},
                "reject_summary": {"example_path", "example_line_number", "example_reason"}}
        changed = [name for name in VIEWS if name not in but and name in before
                   and _sorted(before[name], live.get(name)) != _sorted(after[name], live.get(name))]
        if changed:
            raise Violated(f"the command changed {', '.join(changed)}")

    def conclude(self) -> None:
        """The rollups and the views after a full rebuild are those before."""
        self.take(Step("end", [Command(["refresh"])]))
        self.check(read(self.session.connection), VIEWS)
        before = read_rollups(self.session.connection)
        self.take(Step("end", [Command(["refresh", "--full"])]))
        told = rollup_differences(before, read_rollups(self.session.connection))
        if told:
            raise Violated(_listed("a full rebuild changed the rollups", told))
        self.check(read(self.session.connection), VIEWS)


def violation_of(server: Server, program: Path, seed: int, number: int, scene: str | None = None) -> str | None:
    """What a run on a new database violates, or a scene; None when nothing."""
    run = ReportRun(server, program, seed, number)
    chosen = f"-k {scene}" if scene else f"--seed {seed} --run {number}"
    steps = enumerate(steps_of(scene, SceneMaker(run.inbox, run.now)), 1) if scene else (
        (number, run.step(number)) for number in range(1, run.step_count + 1))
    return run.violation(steps, lambda: f"scripts/report-test {chosen}")


def _sorted(rows: list[Row], live: set[str] | None) -> list[str]:
    """The rows, without the columns that change at any time."""
    return sorted(repr([one for one in row.items() if one[0] not in (live or ())]) for row in rows)


def _listed(what: str, told: list[str]) -> str:
    """The first differences of each view or table."""
    lines: list[str] = []
    for _, found in groupby(told, key=lambda one: one.split()[0].strip(":,")):
        shown = [*found]
        lines += shown[:SHOWN] + [f"and {len(shown) - SHOWN} more of this view"] * (len(shown) > SHOWN)
    return f"{what}, {len(told)} differences:\n    " + "\n    ".join(lines)


class Dropped:
    """What retention dropped and the reports must keep: the observations and the names of items of dropped months.

    Remembers the rows of these months, independent of the database's own records.
    """

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection
        self.facts: Facts = {"dropped_month": [], "kept_observation": [], "kept_item_name": []}

    def note(self, before: Facts) -> bool:
        """Remembers the rows of the months that a retention has dropped since these facts; false when none is."""
        present = read_rows(self.connection, MONTHS)
        months = [month for month in before["month"] if month not in present]
        rows = [row for stream in MONTHLY for row in before[stream] if {
            "stream": stream, "month": utc(row[EVENT_TIMES[stream]]).date().replace(day=1)} in months]
        self.facts["dropped_month"] += months
        self.facts["kept_observation"] += [
            row | {"first_observed_at": row["at"], "last_observed_at": row["at"]}
            for row in rows if row["stream"] in PLAYER_STREAMS and row["at"] is not None]
        self.facts["kept_item_name"] += [row for row in where(rows, stream="item") if row["item_name"] is not None]
        return bool(months)

    def forget(self, is_gone: Callable[[Row], bool]) -> None:
        for name in ("kept_observation", "kept_item_name"):
            self.facts[name] = [row for row in self.facts[name] if not is_gone(row)]


# Rollups

# All tables of the reports but those of the refresh itself.
TABLES = """select relname from pg_class where relnamespace = 'rollup'::regnamespace
    and relkind in ('r', 'p') and relname not like 'refresh\\_%' and relname not like 'touched\\_%'
    and relname not in ('calendar_period', 'dropped_month') order by 1"""

Content = dict[str, Counter[str]]


def read_rollups(connection: psycopg.Connection[Any]) -> Content:
    """The rows of each table, for the comparison with a full rebuild."""
    relations = read_relations(connection, [name for (name,) in connection.execute(TABLES)], "rollup")
    relations["history"] = known_rows(relations["history"])
    return {f"rollup.{name}": Counter(map(shown_row, rows)) for name, rows in relations.items()}


def rollup_differences(before: Content, after: Content) -> list[str]:
    """The rows that a full rebuild changed."""
    return [f"{name}, only {when} refresh --full: {row}" for name in sorted({*before, *after})
            for when, one, other in (("before", before, after), ("after", after, before))
            for row in sorted((one.get(name, Counter()) - other.get(name, Counter())).elements())]
