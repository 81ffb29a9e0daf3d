"""One repetition of a fault, from a new database to the last check of its state.

Tests/README.md explains the invariants, I1 to I8, which are checked after every fault, and again after the next
clean run.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import data
from line_rules import Settings
from loader import Loader, NeverStopped, ProgramRun, tokens_in
from model import Model
from parsing import ParsedFile, decoded_bytes, parse_bytes
from server import Server
from state import PLANS, differing, query_state
from streams import stream_of

OBSERVED_AT = "2025-07-01T00:00:00Z"
OBSERVED_AT_MS = 1_751_328_000_000
# The share of trials whose loads end with a refresh. Most of a run of these files is the refresh, so faults at random
# times would otherwise rarely hit the rest.
REFRESHING = 0.25
# What a load ends with that may succeed after a retry, or find no server.
PASSING = frozenset((0, 3, 69, 75))
# By table, the invariant that a difference breaks; for the other tables it is I2.
TOLD_BY = {"file": "I3", "reject": "I1"}
# The bytes of a file, by digest and stream.
Key = tuple[str, str]


class World:
    """The server, data and options of all trials."""

    def __init__(self, seed: int, quick: bool, folder: Path, program: Path) -> None:
        self.seed, self.folder, self.program = seed, folder, program
        # The server of the trials that need none of their own.
        self.server = Server(folder / "server")
        self.server.set_up(program)
        # The number of different orders of files on the command line.
        self.orders = 1 if quick else 4
        # Seconds of an undisturbed run without a refresh, and with one.
        self.seconds: dict[bool, float] = {}
        # What may be loaded.
        self.versions: dict[Key, ParsedFile] = {}
        self.settings = Settings(OBSERVED_AT_MS, int(time.time() * 1000))
        # The files that all trials load.
        self.paths = data.make(folder / "data", seed, 0.3 if quick else 1.0)
        for path in self.paths:
            self.register(path)
        self.log_positions: dict[Path, int] = {}
        self.databases = (f"t{number}" for number in itertools.count())

    def register(self, path: Path) -> Key:
        """Adds the present bytes of a file to those that may be loaded."""
        content = decoded_bytes(path)
        key = (hashlib.sha256(content).hexdigest(), stream_of(path.name))
        if key not in self.versions:
            self.versions[key] = parse_bytes(content, path.name, self.settings)
        return key


class Trial:
    """One repetition of a fault, in its own database."""

    def __init__(self, world: World, name: str, number: int = 0) -> None:
        self.world = world
        # What is violated, each with its invariant in front.
        self.violations: list[str] = []
        self.random = random.Random(f"{world.seed} {name} {number}")
        self.server = world.server
        self.folder = world.folder / f"trial-{name}-{number}"
        self.inbox = self.folder / "inbox"
        self.loader = Loader(world.program, self.folder)
        # The runs since the last check.
        self.results: list[ProgramRun] = []
        # One of a few orders, because the oracle's rows are kept by the order of the files.
        self.order = self.random.randrange(world.orders)
        self.refreshes = self.random.random() < REFRESHING
        self.first: str | None = None
        # The loaded files and the rows at the last check.
        self.files: list[ParsedFile] = []
        self.state: dict[str, list[str]] = {}
        # What the end of the trial undoes, the last one first.
        self.exits = contextlib.ExitStack()
        self.exits.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.inbox.mkdir(parents=True)
        for path in world.paths:
            os.link(path, self.inbox / path.name)

    # Server, database and files

    @functools.cached_property
    def database(self) -> str:
        return self.new_database()

    def new_database(self, template: str = "empty") -> str:
        name = next(self.world.databases)
        self.server.create(name, template)
        if self.server is self.world.server:
            self.exits.callback(self.server.drop, name)
        return name

    def paths(self, first: str | None = None) -> list[Path]:
        """All files in the trial's order, with the named one first."""
        self.first = first or self.first
        names = sorted(path.name for path in self.inbox.iterdir())
        random.Random(f"order {self.world.seed} {self.order}").shuffle(names)
        return [self.inbox / name for name in sorted(names, key=lambda name: name != self.first)]

    def private_copy(self, name: str) -> Path:
        """Replaces the link to a file of all trials by a copy that the fault may change."""
        path = self.inbox / name
        content = path.read_bytes()
        path.unlink()
        path.write_bytes(content)
        return path

    # Runs

    def start(
        self, paths: Iterable[Path | str] | None = None, conninfo: str | None = None, options: tuple[str, ...] = (),
        report: str = "report.json", **more: Any,
    ) -> ProgramRun:
        if not self.refreshes:
            options += ("--no-refresh",)
        chosen = map(str, self.paths() if paths is None else paths)
        return self.command(["load", *chosen, "--observed-at", OBSERVED_AT, *options], conninfo, report=report, **more)

    def command(self, arguments: list[str], conninfo: str | None = None, **more: Any) -> ProgramRun:
        """Starts a command, which the end of the trial ends."""
        running = self.loader.command(
            [*arguments, "--database", conninfo or self.server.conninfo(self.database)], **more)
        self.exits.callback(running.kill)
        return running

    def stop_loader_at(self, point: str, first: str | None = None, number: int = 1) -> ProgramRun:
        """Starts a run that stops itself at a fault point, and waits for its `number`-th stop or its end after one."""
        running = self.start(self.paths(first), stop_at=point)
        running.wait_until_stopped()
        with contextlib.suppress(NeverStopped):
            for _ in range(1, number):
                running.resume()
                time.sleep(0.01)
                running.wait_until_stopped()
        return running

    def finish(self, running: ProgramRun, seconds: float | None = None) -> ProgramRun:
        """Waits for the end of a run, which `verify` checks."""
        running.wait(seconds)
        if running not in self.results:
            # pytest shows it with -rP.
            print(f"exit {running.code}" if running.code >= 0 else f"ended by signal {-running.code}")
            self.results.append(running)
        return running

    def load(self, *parts: Any, **more: Any) -> ProgramRun:
        return self.finish(self.start(*parts, **more))

    def run_a_part(self, running: ProgramRun, share: float = 1.0) -> ProgramRun:
        """Lets a run go on for a random part of the time of an undisturbed one."""
        running.run_for(self.random.uniform(0, share * self.world.seconds[self.refreshes]))
        return running

    def kill(self, running: ProgramRun) -> ProgramRun:
        running.send(signal.SIGKILL)
        return self.finish(running)

    def end_stuck(self, running: ProgramRun) -> ProgramRun:
        """Ends a run that waits for an answer that never comes, with SIGTERM as an operator would."""
        for _ in range(2):
            running.send(signal.SIGTERM)
            if running.run_for(5):
                return self.finish(running)
        self.expect(False, "I8: two SIGTERMs did not end the program within 10 s")
        return self.kill(running)

    # Checks

    def expect(self, holds: object, otherwise: str) -> None:
        if not holds:
            self.violations.append(otherwise)

    def outcome(self, running: ProgramRun, allowed: Collection[int], invariant: str = "I4") -> None:
        """Checks that a run ends with an exit code (or, if negative, a signal) that is documented for this fault."""
        code = self.finish(running).code
        self.expect(code in allowed,
                    f"{invariant}: exit {code}; expected one of {sorted(allowed)}: {running.text[-500:]}")

    def passes(self, running: ProgramRun) -> None:
        """Checks a load that runs alone: its exit code, and that no file reported as failed is loaded."""
        self.outcome(running, PASSING)
        self.server.wait_until_ready()
        loaded = {Path(path).name for _, _, path in self.ledger()}
        for file in running.files():
            is_failed = file["status"] == "failed" and "cannot be found out" not in file["error"]
            self.expect(not is_failed or Path(file["path"]).name not in loaded,
                        f"I4: {file['path']} is loaded but reported as failed: {file.get('error')}")

    def ledger(self) -> list[list[str]]:
        """The digest, stream and path of the loaded files, in the order of their commits.

        A file gets its number under the locks of its lane, so the numbers give the order within a lane, such as that
        of events and receipts. Lanes are independent of each other.
        """
        return self.server.ask(self.database, """select encode(sha256, 'hex'), stream, path from ingest.source_file
            where undone_at is null order by source_file_id""")

    def verify(self) -> None:
        """Checks the present state of the database without the fault's settings, and the runs so far."""
        self.server.ask("postgres", f"alter database {self.database} reset all")
        self.violations += self.server.left_by_loaders(self.database)
        left = [str(path) for path in self.server.data.glob("base/pgsql_tmp/*")]
        self.expect(not left, f"I7: temporary files are left: {left[:3]}")
        self.check_rows()
        loaded = {(file.sha256, file.stream) for file in self.files}
        for result in self.results:
            self.check_result(result, loaded)
        self.results = []
        with self.server.log.open("rb") as log:
            # What the server has logged since the last check.
            log.seek(self.world.log_positions.get(self.server.log, 0))
            self.violations += tokens_in("the server's log", log.read())
            self.world.log_positions[self.server.log] = log.tell()

    def check_rows(self) -> None:
        self.files = []
        for sha256, stream, path in self.ledger():
            version = self.world.versions.get((sha256, stream))
            self.expect(version, f"I1: {path} is in the ledger with an unknown digest: {sha256}")
            if version:
                self.expect(Path(path).name in (version.name, "-") or version.is_empty,
                            f"I1: {version.name} is in the ledger as {path}")
                self.files.append(version)
        expected = expectation(tuple(self.files))
        for plan in PLANS:
            self.state = query_state(functools.partial(self.server.ask, self.database), plan)
            for table, missing, surplus in differing(expected, self.state):
                has_no_file = not expected.get(table) or any("no file" in row for row in surplus)
                self.violations.append(
                    f"{'I1' if has_no_file else TOLD_BY.get(table, 'I2')}: {table}, read by the {plan}: "
                    f"missing {_shown(missing)}; unexpected {_shown(surplus)}")

    def check_result(self, result: ProgramRun, loaded: set[Key]) -> None:
        self.violations += result.wrongs()
        for file in result.files():
            is_here = (file.get("sha256"), file["stream"]) in loaded
            self.expect(is_here or file["status"] not in ("loaded", "already_loaded"),
                        f"I4: {file['path']} is reported as {file['status']} but is not in the ledger")
        if result.code in (0, 3) and result.report_path:
            self.expect(result.report is not None, f"I4: exit {result.code} without a report: {result.out[-200:]!r}")
            failed = [name for name, status in result.statuses().items() if status == "failed"]
            self.expect(not failed, f"I4: exit {result.code} with failed files: {failed}")

    def conclude(self) -> None:
        """Checks that the next clean run needs no repair and loads all files, and that another one changes nothing."""
        due = {self.world.register(path) for path in self.inbox.iterdir()}
        self.outcome(self.load(), {0, 3}, "I5")
        self.verify()
        state = self.state
        missing = [self.world.versions[key].name for key in due - {(file.sha256, file.stream) for file in self.files}]
        self.expect(not missing, f"I5: {missing} is not loaded after a clean run")
        for path, reason in self.server.ask(self.database, "select path, reason from ingest.failed_file"):
            # The failure of a removed file or of a pipe stays.
            self.expect(not Path(path).exists(), f"I5: {path} is loaded but still in ingest.failed_file: {reason}")
        again = self.load()
        self.expect(again.code == 0 and set(again.statuses().values()) == {"already_loaded"},
                    f"I5: a second clean run had work to do: exit {again.code}")
        dump = subprocess.run(["pg_dump", f"--dbname={self.server.conninfo(self.database)}"], capture_output=True)
        self.violations += tokens_in("the database", dump.stdout)
        self.expect(dump.returncode == 0, f"I2: pg_dump: {dump.stderr.decode()[-300:]}")
        self.verify()
        self.expect(self.state == state, "I5: a second clean run changed the database")

    @contextlib.contextmanager
    def closing(self) -> Iterator[Trial]:
        """Ends all processes, and leaves the shared server as it was, also after a fault that was not carried out."""
        with self.exits:
            try:
                yield self
            finally:
                if self.server is self.world.server:
                    self.server.configure()
                    if not self.server.is_running():
                        self.server.start()
                    self.server.reload()
                    self.server.wait_until_ready()


@functools.lru_cache(maxsize=32)
def expectation(files: tuple[ParsedFile, ...]) -> dict[str, list[str]]:
    """The rows after loads of these files one after another."""
    model = Model()
    for number, file in enumerate(files, 1):
        model.load(number, file)
    return model.state()


def _shown(rows: list[str]) -> str:
    return f"{len(rows)}, first {rows[0][:400]}".replace("\x1f", "|") if rows else "none"


# By name: what causes the fault, and may check in between, and its repetitions in a long run and in a quick one.
FAULTS: dict[str, tuple[Callable[[Trial], None], int, int]] = {}
Variant = str | tuple[str, ...]


def fault(
    name: str, variants: Iterable[Variant] = ((),), *, times: int = 1, quick: int | Collection[Variant] = 1,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Registers a fault, or its variants, which fill the name and are the arguments of the function.

    A quick run has `quick` repetitions, or one of each variant that `quick` names.
    """

    def add(run: Callable[..., None]) -> Callable[..., None]:
        for variant in variants:
            values = (variant,) if isinstance(variant, str) else variant
            full = name.format(*values)
            assert full not in FAULTS, f"two faults have the name {full}"
            in_quick = quick if isinstance(quick, int) else int(variant in quick)
            FAULTS[full] = (lambda trial, values=values: run(trial, *values), times, in_quick)  # type: ignore[misc]
        return run

    return add
