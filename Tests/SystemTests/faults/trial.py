"""One repetition of a fault, from a new database to the last check of its state."""

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
from typing import Any, NamedTuple

import data
from invariants import Checker, Key, Verdict
from line_rules import Settings
from loader import Loader, ProgramRun, tokens_in
from parsing import ParsedFile, decoded_bytes, parse_bytes
from server import Server
from streams import stream_of

OBSERVED_AT = "2025-07-01T00:00:00Z"
OBSERVED_AT_MS = 1_751_328_000_000
# The share of trials whose loads end with a refresh. Most of a run of these files is the refresh, so faults at random
# times would otherwise rarely hit the rest.
REFRESHING = 0.25
# What a load ends with that may succeed after a retry, or find no server.
PASSING = frozenset((0, 3, 69, 75))


class World:
    """The server, data and options of all trials."""

    def __init__(self, seed: int, quick: bool, folder: Path, program: Path) -> None:
        self.seed = seed
        self.folder = folder
        self.program = program
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
        # By system calls, whether only calls on files count, and whether the load ends with a refresh.
        self.call_counts: dict[tuple[str, bool, bool], int] = {}
        self.databases = (f"t{number}" for number in itertools.count())

    def register(self, path: Path) -> Key:
        """Adds the present bytes of a file to those that may be loaded."""
        content = decoded_bytes(path)
        key = (hashlib.sha256(content).hexdigest(), stream_of(path.name))
        if key not in self.versions:
            self.versions[key] = parse_bytes(content, path.name, self.settings)
        return key


class Trial(Verdict):
    """One repetition of a fault, in its own database."""

    def __init__(self, world: World, name: str, number: int) -> None:
        super().__init__(violations=[])
        self.world = world
        self.random = random.Random(f"{world.seed} {name} {number}")
        self.server = world.server
        self.folder = world.folder / f"trial-{name}-{number}"
        self.inbox = self.folder / "inbox"
        self.loader = Loader(world.program, self.folder)
        self.results: list[ProgramRun] = []
        # One of a few orders, because the oracle's rows are kept by the order of the files.
        self.order = self.random.randrange(world.orders)
        self.refreshes = self.random.random() < REFRESHING
        self.first: str | None = None
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

    def new_database(self, template: str = "empty", tablespace: str | None = None) -> str:
        name = next(self.world.databases)
        self.server.create(name, template, tablespace)
        if self.server is self.world.server:
            self.exits.callback(self.server.drop, name)
        return name

    def own_server(self, **settings: str) -> Server:
        """Creates a server for this trial only, without starting it."""
        self.server = Server(self.folder / "server")
        self.exits.callback(self.server.stop, "immediate", check=False)
        self.server.set_up(self.world.program)
        self.server.stop()
        self.server.configure(**settings)
        return self.server

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
        self, paths: list[Path] | list[str] | None = None, conninfo: str | None = None, options: tuple[str, ...] = (),
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

    def finish(self, running: ProgramRun, seconds: float | None = None) -> ProgramRun:
        """Waits for the end of a run, which `verify` checks."""
        running.wait(seconds)
        if running not in self.results:
            # pytest shows it with -rP.
            print(f"exit {running.code}" if running.code >= 0 else f"ended by signal {-running.code}")
            self.results.append(running)
        return running

    def load(self, paths: list[Path] | list[str] | None = None, **more: Any) -> ProgramRun:
        return self.finish(self.start(paths, **more))

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

    def stop_loader_at(self, point: str, first: str | None = None, number: int = 1) -> ProgramRun:
        """Starts a run that stops itself at a fault point, and waits for its `number`-th stop."""
        running = self.start(self.paths(first), stop_at=point)
        running.wait_for_stop(number)
        return running

    # Verdicts

    def outcome(self, running: ProgramRun, allowed: Collection[int], invariant: str = "I4") -> None:
        """Checks that a run ends with an exit code (or, if negative, a signal) that is documented for this fault."""
        code = self.finish(running).code
        self.expect(code in allowed,
                    f"{invariant}: exit {code}; expected one of {sorted(allowed)}: {running.text[-500:]}")

    def passes(self, running: ProgramRun) -> None:
        """Checks a load that runs alone: its exit code, and that no file reported as failed is loaded."""
        self.outcome(running, PASSING)
        self.server.wait_until_ready()
        ledger = self.server.ask(self.database, "select path from ingest.source_file where undone_at is null")
        loaded = {Path(path).name for [path] in ledger}
        for file in running.files():
            is_failed = file["status"] == "failed" and "cannot be found out" not in file["error"]
            self.expect(not is_failed or Path(file["path"]).name not in loaded,
                        f"I4: {file['path']} is loaded but reported as failed: {file.get('error')}")

    def verify(self) -> Checker:
        """Checks the present state of the database without the fault's settings, and the runs so far."""
        self.server.ask("postgres", f"alter database {self.database} reset all")
        checker = Checker(self.violations, self.server, self.database, self.world.versions)
        checker.check(self.results)
        self.results = []
        with self.server.log.open("rb") as log:
            # What the server has logged since the last check.
            log.seek(self.world.log_positions.get(self.server.log, 0))
            self.violations += tokens_in("the server's log", log.read())
            self.world.log_positions[self.server.log] = log.tell()
        return checker

    def conclude(self) -> None:
        """Checks that the next clean run needs no repair and loads all files, and that another one changes nothing."""
        due = {self.world.register(path) for path in self.inbox.iterdir()}
        self.outcome(self.load(), {0, 3}, "I5")
        checker = self.verify()
        checker.check_clean(due)
        again = self.load()
        self.expect(again.code == 0 and set(again.statuses().values()) == {"already_loaded"},
                    f"I5: a second clean run had work to do: exit {again.code}")
        dump = subprocess.run(["pg_dump", f"--dbname={self.server.conninfo(self.database)}"], capture_output=True)
        self.violations += tokens_in("the database", dump.stdout)
        self.expect(dump.returncode == 0, f"I2: pg_dump: {dump.stderr.decode()[-300:]}")
        self.expect(self.verify().state == checker.state, "I5: a second clean run changed the database")

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


class Fault(NamedTuple):
    # Causes the fault, and may check in between; the suite checks the final state.
    run: Callable[[Trial], None]
    # The number of repetitions in a long run and in a quick one.
    times: int
    quick: int


FAULTS: dict[str, Fault] = {}
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
            FAULTS[full] = Fault(lambda trial, values=values: run(trial, *values),  # type: ignore[misc]
                                 times, quick if isinstance(quick, int) else int(variant in quick))
        return run

    return add
