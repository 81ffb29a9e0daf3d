"""One run of the test of the reports: a fresh database, random commands, and a comparison after each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path

from loader import Loader
from psql import Psql
from report_basis import VIEWS, Basis, merged
from report_commands import ReportCommands, Step
from report_compare import BEGIN, LIVE, Reading, View, compare, live_columns, read, read_relations, shown
from report_facts import PLAYER_STREAMS, Ask, Facts, Kept, Row, User, user_of, utc_month
from report_scenes import SceneMaker
from report_universe import ReportUniverse
from server import Server
from workers import Violated

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
        is_retention = step.commands[0][0] == "retention"
        is_prune = is_retention and "--ledger" in step.commands[0]
        before = self._read() if is_prune else self.seen
        if is_retention and not is_prune:
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
        live = {"purchase": live_columns(self.psql.ask),
                "reject_summary": {"example_path", "example_line_number", "example_reason"}}
        changed = [name for name in VIEWS if name not in but and name in before
                   and _sorted(before[name], live.get(name)) != _sorted(after[name], live.get(name))]
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

    def close(self) -> None:
        self.psql.close()
        self.server.drop(self.database)


def _sorted(view: View, live: set[str] | None) -> list[str]:
    """The rows, without the columns that change at any time."""
    return sorted(repr([one for one in row.items() if one[0] not in (live or ())]) for row in view.rows)


def _listed(what: str, told: list[str]) -> str:
    """The first differences of each view or table."""
    by_name: dict[str, list[str]] = {}
    for one in told:
        by_name.setdefault(one.split()[0].strip(":,"), []).append(one)
    lines = [line for some in by_name.values() for line in [
        *some[:SHOWN], *([f"and {len(some) - SHOWN} more of this view"] if some[SHOWN:] else [])]]
    return f"{what}, {len(told)} differences:\n    " + "\n    ".join(lines)


# Dropped months

MONTHS = """select s.stream, replace(right(c.relname, 7), '_', '-')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    join ingest.stream s on format('game.%I', s.target_table)::regclass = i.inhparent"""


class KeptObservations:
    """The observations and names of items that retention drops with their rows, and that the reports must keep.

    Remembers the rows of dropped months, independent of the database's own records.
    """

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        # Stream and month of each drop.
        self.dropped: set[tuple[str, str]] = set()
        self.rows: list[Row] = []
        self.items: list[Row] = []
        self.months: set[tuple[str, str]] = set()
        self.standing: list[Row] = []
        self.standing_items: list[Row] = []

    def before(self, facts: Facts) -> None:
        """Notes the months and their rows before a retention."""
        self.months = set(map(tuple, self.ask(MONTHS)))  # type: ignore[arg-type]
        self.standing = [row for stream in PLAYER_STREAMS[1:] for row in facts.rows[stream] if row["at"] is not None]
        self.standing_items = [row for row in facts.rows["item"] if row["item_name"] is not None]

    def after(self) -> bool:
        """Remembers the rows of the months that are gone; false when none is."""
        gone = self.months - set(map(tuple, self.ask(MONTHS)))  # type: ignore[arg-type]
        self.dropped |= gone
        self.rows += [row for row in self.standing if (row["stream"], utc_month(row["at"])) in gone]
        self.items += [row for row in self.standing_items if ("item", utc_month(row["observed_at"])) in gone]
        return bool(gone)

    def undone(self) -> None:
        """Forgets the rows of undone files."""
        undone = {int(number) for (number,) in self.ask(
            "select source_file_id from ingest.source_file where undone_at is not null")}
        self.rows = [row for row in self.rows if row["source_file_id"] not in undone]
        self.items = [row for row in self.items if row["source_file_id"] not in undone]

    def erased(self, user: str, app: str | None) -> None:
        self.rows = [row for row in self.rows if row["user_id"] != user or app not in (None, row["app_id"])]

    def kept(self) -> dict[User, Kept]:
        """The observations that the views must count beside those of stored rows."""
        found: dict[User, Kept] = {}
        for row in self.rows:
            found[user_of(row)] = merged(found.get(user_of(row)), Kept(row["at"], row["stream"], row["at"]))
        return found


# Rollups

# All tables of the reports but those of the refresh itself.
TABLES = """select relname from pg_class where relnamespace = 'rollup'::regnamespace
    and relkind in ('r', 'p') and relname not like 'refresh\\_%' and relname not like 'touched\\_%'
    and relname not in ('calendar_period', 'dropped_month') order by 1"""

Content = dict[str, Counter[tuple[tuple[str, str], ...]]]


def read_rollups(ask: Ask) -> Content:
    """The rows of each table, for the comparison with a full rebuild."""
    ask(*BEGIN)
    found = {f"rollup.{name}": Counter(tuple((column, shown(value)) for column, value in row.items())
                                       for row in view.rows)
             for name, view in read_relations(ask, [name for (name,) in ask(TABLES)], "rollup").items()}
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
