"""One run of the test of the reports: a fresh database, random commands, and a comparison after each."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from loader import Loader
from psql import Psql
from report_basis import Basis
from report_commands import ReportCommands, Step
from report_compare import LIVE, LIVE_COLUMNS, VIEWS, Reading, View, compare, read
from report_kept import KeptObservations
from report_rollups import read_rollups, rollup_differences
from report_scenes import SceneMaker
from report_universe import ReportUniverse
from server import Server
from violated import Violated

# The time limit of a command, in seconds.
BOUND = 120.0
# The view whose rows a prune removes; freshness and health go by the clock, too.
PRUNED = {"load_history", "freshness", "health"}
# The differences of a view that a message shows.
SHOWN = 4


Scene = Callable[[SceneMaker], list[Step]]


class ReportRun:
    def __init__(
        self, seed: int, number: int, server: Server, binary: Path, folder: Path, now: int,
        views: frozenset[str] = frozenset(VIEWS),
    ) -> None:
        name = f"{seed} {number}"
        self.views = views
        self.database = f"r{number}".replace("-", "_")
        self.server = server
        server.drop(self.database)
        server.create(self.database, template="empty")
        self.psql = Psql(server, self.database)
        if number % 2:
            # Few late players are looked up one by one; in half of the runs any number is.
            self.psql.ask("create or replace function rollup.scan_factor() returns integer language sql immutable "
                          "set search_path = pg_catalog, pg_temp as 'select 0'")
        self.folder = folder / f"run-{number}"
        inbox = self.folder / "inbox"
        inbox.mkdir(parents=True)
        self.key_file = self.folder / "erasure.key"
        self.key_file.write_bytes(b"k" * 32)
        self.key_file.chmod(0o600)
        self.loader = Loader(binary, self.folder, "")
        self.universe = ReportUniverse(name, now)
        self.commands = ReportCommands(name, self.universe, inbox, self.psql.ask, now)
        self.kept = KeptObservations(self.psql.ask)
        self.steps = self.commands.random.randrange(6, 16)
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
            self._carry_out(step)
        self._check_rebuild()

    def _carry_out(self, step: Step) -> None:
        # The making of a prune changes times.
        is_prune = step.commands[0][0] == "prune"
        before = self._read() if is_prune else self.seen
        if step.commands[0][0] == "retention":
            self.kept.before(before.facts)
        self._execute(step)
        self._follow(step, before)
        after = self.seen = self._read()
        was_fresh = self.is_fresh
        self.is_fresh = step.shows == "all" or (step.shows == "as_before" and was_fresh)
        if self.is_fresh:
            self._check(after, VIEWS)
        else:
            self._check(after, LIVE)
        if step.shows == "before":
            self._check_unchanged(before.relations, after.relations, LIVE)
        if is_prune:
            self._check_unchanged(before.relations, after.relations, PRUNED)

    def _read(self) -> Reading:
        return read(self.psql.ask, self.views, self.kept.dropped)

    def _execute(self, step: Step) -> None:
        running = [self.loader.command(
            [*command, "--database", self.server.conninfo(self.database)], bound=BOUND,
            variables={"GAMEBASE_INGEST_ERASURE_KEY_FILE": str(self.key_file)})
            for command in step.commands]
        for command, result in zip(step.commands, [one.wait() for one in running]):
            if result.code not in step.codes:
                raise Violated(f"{command[0]} ended with {result.code} after {result.seconds:.0f} s: "
                               f"{(result.out + result.err).decode()[-1500:]}")

    def _follow(self, step: Step, before: Reading) -> None:
        """Remembers what the step dropped, took back or erased."""
        first = step.commands[0]
        if first[0] == "retention":
            if not self.kept.after():
                # Without a month to drop, the command changes nothing.
                step.shows = "as_before"
        elif first[0] == "forget-user":
            self.kept.erased(first[1], first[3] if len(first) > 2 else None)
        elif first[0] in ("undo", "conflicts"):
            self.kept.undone()

    def _check(self, reading: Reading, names: Collection[str]) -> None:
        reading.facts.kept = self.kept.kept()
        reading.facts.kept_items = self.kept.items
        basis = Basis(reading.facts)
        told = compare(basis, reading.relations, [name for name in VIEWS if name in self.views and name in names])
        if told:
            raise Violated(_listed("views differ from the facts", told))

    def _check_unchanged(self, before: dict[str, View], after: dict[str, View], but: Collection[str]) -> None:
        """A load with --no-refresh changes the live views alone, and a prune the list of loads alone."""
        changed = [name for name in VIEWS if name not in but and name in before
                   and _sorted(name, before[name]) != _sorted(name, after[name])]
        if changed:
            raise Violated(f"the command changed {', '.join(changed)}")

    def _check_rebuild(self) -> None:
        """The rollups and the views after a full rebuild are those before."""
        self.told.append("end. gamebase-ingest refresh; gamebase-ingest refresh --full")
        self._execute(Step([["refresh"]], codes=(0,)))
        self.is_fresh = True
        self._check(self._read(), VIEWS)
        before = read_rollups(self.psql.ask)
        self._execute(Step([["refresh", "--full"]], codes=(0,)))
        told = rollup_differences(before, read_rollups(self.psql.ask))
        if told:
            raise Violated(_listed("a full rebuild changed the rollups", told))
        self._check(self._read(), VIEWS)

    def close(self, drop: bool = True) -> None:
        self.psql.close()
        if drop:
            self.server.drop(self.database)


def _sorted(name: str, view: View) -> list[str]:
    """The rows, without the columns that show the stored receipt at any time."""
    live = LIVE_COLUMNS.get(name, set()) | (
        {"example_path", "example_line_number", "example_reason"} if name == "reject_summary" else set())
    return sorted(repr([one for one in row.items() if one[0] not in live]) for row in view.rows)


def _listed(what: str, told: list[str]) -> str:
    """The first differences of each view or table."""
    by_name: dict[str, list[str]] = {}
    for one in told:
        by_name.setdefault(one.split()[0].strip(":,"), []).append(one)
    lines = [line for some in by_name.values() for line in [
        *some[:SHOWN], *([f"and {len(some) - SHOWN} more of this view"] if some[SHOWN:] else [])]]
    return f"{what}, {len(told)} differences:\n    " + "\n    ".join(lines)
