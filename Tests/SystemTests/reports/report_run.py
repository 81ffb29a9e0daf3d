"""One run of the test of the reports: a fresh database, random commands, and a comparison after each."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path

import psycopg

from loader import Loader
from random_runs import Violated, violation
from report_basis import VIEWS, Basis
from report_calendar import DAY
from report_commands import ReportCommands, Step
from report_compare import LIVE, Reading, Relations, compare, live_columns, read, read_relations, shown
from report_facts import MONTHS, PLAYER_STREAMS, Facts, Kept, Row, User, kept_of, user_of, utc_month
from report_known_rows import known_rows
from report_scenes import SceneMaker
from report_universe import ReportUniverse

# The time limit of a command, in seconds.
BOUND = 120.0
# The view whose rows a prune removes; freshness and health go by the clock, too.
PRUNED = {"load_history", "freshness", "health"}
# The differences of a view that a message shows.
SHOWN = 4

Scene = Callable[[SceneMaker], list[Step]]


class ReportRun:
    def __init__(self, conninfo: str, program: Path, seed: int, number: int) -> None:
        name = f"{seed} {number}"
        self.conninfo = conninfo
        # No statement is prepared, because months come and go.
        self.connection = psycopg.connect(
            conninfo, autocommit=True, prepare_threshold=None, options="-c jit=off -c timezone=UTC")
        if number % 2:
            # Few late players are looked up one by one; in half of the runs any number is.
            self.connection.execute(
                "create or replace function rollup.scan_factor() returns integer language sql immutable "
                "set search_path = pg_catalog, pg_temp as 'select 0'")
        self.temporary = tempfile.TemporaryDirectory(prefix="gi-reports.")
        folder = Path(self.temporary.name)
        inbox = folder / "inbox"
        inbox.mkdir()
        self.key_file = folder / "erasure.key"
        self.key_file.write_bytes(b"k" * 32)
        self.key_file.chmod(0o600)
        self.loader = Loader(program, folder, "")
        # The day, because a run draws its times from the year before it.
        now = int(time.time() * 1_000_000) // DAY * DAY
        self.commands = ReportCommands(name, ReportUniverse(name, now), inbox, self.connection, now)
        self.kept = KeptObservations(self.connection)
        self.steps = self.commands.random.randrange(6, 16)
        # The commands so far.
        self.told: list[str] = []
        self.seen = self._read()
        # The views show all rows, as after a refresh.
        self.is_fresh = True

    def run(self, scene: Scene | None = None) -> None:
        """Carries out the steps of the scene, or random ones."""
        steps = scene(SceneMaker(self.commands.folder, self.commands.now)) if scene else (
            self.commands.step(number) for number in range(1, self.steps + 1))
        for number, step in enumerate(steps, 1):
            self.told.append(f"{number:3}. {step}")
            self.carry_out(step)
        self._check_rebuild()

    def carry_out(self, step: Step) -> None:
        # The making of a prune changes times.
        is_prune = "--ledger" in step.commands[0]
        before = self._read() if is_prune else self.seen
        self._execute(step)
        self._follow(step, before.facts)
        after = self.seen = self._read()
        was_fresh = self.is_fresh
        self.is_fresh = step.shows == "all" or (step.shows == "as_before" and was_fresh)
        self.check(after, VIEWS if self.is_fresh else LIVE)
        if step.shows == "before":
            self._check_unchanged(before.relations, after.relations, LIVE)
        if is_prune:
            self._check_unchanged(before.relations, after.relations, PRUNED)

    def _read(self) -> Reading:
        return read(self.connection, dropped=self.kept.dropped)

    def _execute(self, step: Step) -> None:
        running = [self.loader.command(
            [*command, "--database", self.conninfo], bound=BOUND,
            variables={"GAMEBASE_INGEST_ERASURE_KEY_FILE": str(self.key_file)})
            for command in step.commands]
        for command, result in zip(step.commands, [one.wait() for one in running]):
            if result.code not in step.codes:
                raise Violated(f"{command[0]} ended with {result.code} after {result.seconds:.0f} s: "
                               f"{(result.out + result.err).decode()[-1500:]}")

    def _follow(self, step: Step, before: Facts) -> None:
        """Remembers what the step dropped, took back or erased."""
        first = step.commands[0]
        if first[0] == "retention":
            if not self.kept.dropped_by(before):
                # Without a month to drop, the command changes nothing.
                step.shows = "as_before"
        elif first[0] == "forget-user":
            self.kept.erased(first[1], first[3] if len(first) > 2 else None)
        elif first[0] in ("undo", "conflicts"):
            self.kept.undone()

    def check(self, reading: Reading, names: Collection[str]) -> None:
        """Compares these views with the facts."""
        reading.facts.kept = self.kept.kept()
        reading.facts.kept_items = self.kept.items
        told = compare(Basis(reading.facts), reading.relations, [name for name in VIEWS if name in names])
        if told:
            raise Violated(_listed("views differ from the facts", told))

    def _check_unchanged(self, before: Relations, after: Relations, but: Collection[str]) -> None:
        """A load with --no-refresh changes the live views alone, and a prune the list of loads alone."""
        live = {"purchase": live_columns(self.connection),
                "product": {"product_type"},
                "reject_summary": {"example_path", "example_line_number", "example_reason"}}
        changed = [name for name in VIEWS if name not in but and name in before
                   and _sorted(before[name], live.get(name)) != _sorted(after[name], live.get(name))]
        if changed:
            raise Violated(f"the command changed {', '.join(changed)}")

    def _check_rebuild(self) -> None:
        """The rollups and the views after a full rebuild are those before."""
        self.told.append("end. gamebase-ingest refresh; gamebase-ingest refresh --full")
        self._execute(Step([["refresh"]], codes=(0,)))
        self.check(self._read(), VIEWS)
        before = read_rollups(self.connection)
        self._execute(Step([["refresh", "--full"]], codes=(0,)))
        told = rollup_differences(before, read_rollups(self.connection))
        if told:
            raise Violated(_listed("a full rebuild changed the rollups", told))
        self.check(self._read(), VIEWS)

    def close(self) -> None:
        self.connection.close()
        self.temporary.cleanup()


def violation_of(conninfo: str, program: Path, seed: int, number: int, scene: Scene | None = None) -> str | None:
    """What a run on a new database violates, or a scene; None when nothing."""
    run = ReportRun(conninfo, program, seed, number)
    chosen = f"-k {scene.__name__}" if scene else f"--seed {seed} --run {number}"
    try:
        return violation(run.told, lambda: run.run(scene), lambda: f"scripts/report-test {chosen}")
    finally:
        run.close()


def _sorted(rows: list[Row], live: set[str] | None) -> list[str]:
    """The rows, without the columns that change at any time."""
    return sorted(repr([one for one in row.items() if one[0] not in (live or ())]) for row in rows)


def _listed(what: str, told: list[str]) -> str:
    """The first differences of each view or table."""
    by_name: dict[str, list[str]] = {}
    for one in told:
        by_name.setdefault(one.split()[0].strip(":,"), []).append(one)
    lines = [line for some in by_name.values() for line in [
        *some[:SHOWN], *([f"and {len(some) - SHOWN} more of this view"] if some[SHOWN:] else [])]]
    return f"{what}, {len(told)} differences:\n    " + "\n    ".join(lines)


class KeptObservations:
    """The observations and names of items that retention drops with their rows, and that the reports must keep.

    Remembers the rows of dropped months, independent of the database's own records.
    """

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection
        # Stream and month of each drop.
        self.dropped: set[tuple[str, str]] = set()
        self.rows: list[Row] = []
        self.items: list[Row] = []

    def dropped_by(self, before: Facts) -> bool:
        """Remembers the rows of the months that a retention has dropped since these facts; false when none is."""
        gone = {(row["stream"], row["month"]) for row in before.ledger["month"]} - set(self.connection.execute(MONTHS))
        self.dropped |= gone
        self.rows += [row for stream in PLAYER_STREAMS[1:] for row in before.rows[stream]
                      if row["at"] is not None and (stream, utc_month(row["at"])) in gone]
        self.items += [row for row in before.rows["item"]
                       if row["item_name"] is not None and ("item", utc_month(row["observed_at"])) in gone]
        return bool(gone)

    def undone(self) -> None:
        """Forgets the rows of undone files."""
        undone = {number for (number,) in self.connection.execute(
            "select source_file_id from ingest.source_file where undone_at is not null")}
        self.rows = [row for row in self.rows if row["source_file_id"] not in undone]
        self.items = [row for row in self.items if row["source_file_id"] not in undone]

    def erased(self, user: str, app: str | None) -> None:
        self.rows = [row for row in self.rows if row["user_id"] != user or app not in (None, row["app_id"])]

    def kept(self) -> dict[User, Kept]:
        """The observations that the views must count beside those of stored rows."""
        return kept_of((user_of(row), Kept(row["at"], row["stream"], row["at"])) for row in self.rows)


# Rollups

# All tables of the reports but those of the refresh itself.
TABLES = """select relname from pg_class where relnamespace = 'rollup'::regnamespace
    and relkind in ('r', 'p') and relname not like 'refresh\\_%' and relname not like 'touched\\_%'
    and relname not in ('calendar_period', 'dropped_month') order by 1"""

Content = dict[str, Counter[tuple[tuple[str, str], ...]]]


def read_rollups(connection: psycopg.Connection) -> Content:
    """The rows of each table, for the comparison with a full rebuild."""
    relations = read_relations(connection, [name for (name,) in connection.execute(TABLES)], "rollup")
    relations["history"] = known_rows(relations["history"])
    return {f"rollup.{name}": Counter(tuple((column, shown(value)) for column, value in row.items()) for row in rows)
            for name, rows in relations.items()}


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
