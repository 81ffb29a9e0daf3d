"""One repetition of a fault, from a new database to the last check of its state."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from invariants import Checker, Violation
from line_rules import Settings
from loader import Loader, Result, Running
from parsing import ParsedFile, decoded_bytes, parse_bytes
from server import Server
from streams import stream_of

Key = tuple[str, str]


# The share of trials whose loads end with a refresh. Most of a run of these files is the refresh, so faults at random
# times would otherwise rarely hit the rest.
REFRESHING = 0.25


class Skip(Exception):
    """A fault that is impossible on this machine, with the reason."""


@dataclass
class World:
    """The server, data and options of all trials."""

    seed: int
    folder: Path
    golden: Server
    server: Server
    loader: Loader
    # The files that all trials load.
    paths: list[Path]
    settings: Settings
    # Seconds of an undisturbed run without a refresh, and with one.
    seconds: dict[bool, float] = field(default_factory=dict)
    versions: dict[Key, ParsedFile] = field(default_factory=dict)
    stored: dict[Key, Path] = field(default_factory=dict)
    digests: dict[tuple[Key, ...], str] = field(default_factory=dict)
    # The number of different orders of files on the command line.
    orders: int = 4
    log_positions: dict[Path, int] = field(default_factory=dict)
    database_number: int = 0

    def register(self, path: Path, name: str | None = None) -> Key:
        """Adds the present bytes of a file to those that may be loaded, and keeps them for the undisturbed run."""
        content = decoded_bytes(path)
        key = (hashlib.sha256(content).hexdigest(), stream_of(path.name))
        if key not in self.versions:
            self.versions[key] = parse_bytes(content, name or path.name, self.settings)
            kept = self.folder / "versions" / key[0][:16] / path.name
            kept.parent.mkdir(parents=True)
            shutil.copyfile(path, kept)
            self.stored[key] = kept
        return key

    def new_database(self, server: Server, tablespace: str | None = None) -> str:
        self.database_number += 1
        name = f"t{self.database_number}"
        server.create(name, tablespace=tablespace)
        return name

    def reference(self, order: list[ParsedFile]) -> str:
        """The digest of the state after an undisturbed load of these files in this order."""
        keys = tuple((file.sha256, file.stream) for file in order)
        if keys not in self.digests:
            database = self.new_database(self.server)
            # One run for each file, so that the suite and not the program sets the order. The digest covers no report.
            for key in keys:
                result = self.loader.run([self.stored[key]], self.server.conninfo(database), options=["--no-refresh"])
                if result.code not in (0, 3):
                    raise RuntimeError(f"the undisturbed run ended with {result.code}: {result.text}")
            checker = Checker(self.server, database, self.versions)
            checker.check([])
            if checker.violations:
                raise RuntimeError(f"the undisturbed run broke an invariant: {checker.violations[0]}")
            self.digests[keys] = checker.digest()
            self.server.drop(database)
        return self.digests[keys]


class Trial:
    """One repetition of a fault, in its own database."""

    def __init__(self, world: World, name: str, number: int) -> None:
        self.world = world
        self.random = random.Random(f"{world.seed} {name} {number}")
        self.server = world.server
        self.own_servers: list[Server] = []
        self.folder = world.folder / f"trial-{name}-{number}"
        self.inbox = self.folder / "inbox"
        self.loader = Loader(world.loader.binary, self.folder, world.loader.observed_at)
        self.results: list[Result] = []
        self.running: list[Running] = []
        self.notes: list[str] = []
        self.violations: list[Violation] = []
        self.cleanups: list[Callable[[], object]] = []
        self.via: str | None = None
        # One of a few orders, because the result is compared with an undisturbed run in the same order.
        self.order = self.random.randrange(world.orders)
        self.refreshes = self.random.random() < REFRESHING
        self.first: str | None = None
        self._database: str | None = None
        self.inbox.mkdir(parents=True)
        for path in world.paths:
            os.link(path, self.inbox / path.name)

    # Server, database and files

    @property
    def database(self) -> str:
        if self._database is None:
            self._database = self.world.new_database(self.server)
        return self._database

    @database.setter
    def database(self, name: str) -> None:
        self._database = name

    def own_server(self, **settings: str) -> Server:
        """Creates a server for this trial only, without starting it."""
        server = self.world.golden.copy(self.folder / f"server-{len(self.own_servers)}")
        server.configure(**settings)
        self.own_servers.append(server)
        self.server = server
        return server

    @property
    def conninfo(self) -> str:
        return self.via or self.server.conninfo(self.database)

    def paths(self, first: str | None = None) -> list[Path]:
        """All files in the trial's order, with the named one first."""
        self.first = first or self.first
        names = sorted(path.name for path in self.inbox.iterdir())
        random.Random(f"order {self.world.seed} {self.order}").shuffle(names)
        if self.first in names:
            names.remove(self.first)
            names.insert(0, self.first)
        return [self.inbox / name for name in names]

    def private_copy(self, name: str) -> Path:
        """Replaces the link to a file of all trials by a copy that the fault may change."""
        path = self.inbox / name
        content = path.read_bytes()
        path.unlink()
        path.write_bytes(content)
        return path

    # Runs

    @property
    def normal(self) -> float:
        """Seconds of an undisturbed run."""
        return self.world.seconds[self.refreshes]

    def start(
        self, paths: list[Path] | list[str] | None = None, options: tuple[str, ...] = (), **more: object
    ) -> Running:
        if paths is None:
            paths = self.paths()
        conninfo = str(more.pop("conninfo", self.conninfo))
        running = self.loader.start(
            paths, conninfo, options=[*options, *(() if self.refreshes else ["--no-refresh"])],
            **more)  # type: ignore[arg-type]
        self.running.append(running)
        return running

    def finish(self, running: Running, seconds: float | None = None) -> Result:
        result = running.wait(seconds)
        if running in self.running:
            self.running.remove(running)
        self.results.append(result)
        return result

    def load(self, paths: list[Path] | list[str] | None = None, **more: object) -> Result:
        return self.finish(self.start(paths, **more))

    def kill(self, running: Running) -> Result:
        running.send(signal.SIGKILL)
        return self.finish(running)

    def end_stuck(self, running: Running) -> tuple[Result, int]:
        """Ends a run that waits for an answer that never comes, with SIGTERM as an operator would."""
        for count in (1, 2):
            running.send(signal.SIGTERM)
            if running.run_for(5):
                return self.finish(running), count
        self.fail("I8", "two SIGTERMs did not end the program within 10 s")
        return self.kill(running), 3

    def stop_loader_at(self, point: str, first: str | None = None, number: int = 1, **more: object) -> Running:
        """Starts a run that stops itself at a fault point, and waits for its `number`-th stop."""
        running = self.start(self.paths(first), stop_at=point, **more)
        running.wait_for_stop(number)
        return running

    # Verdicts

    def fail(self, invariant: str, what: str) -> None:
        self.violations.append(Violation(invariant, what))

    def note(self, text: str) -> None:
        """Adds an outcome to the report's table."""
        self.notes.append(text)

    def outcome(self, result: Result, allowed: set[int], passing: bool = False) -> None:
        """Records the exit code; a code that is not documented for this fault is a violation.

        `passing` marks a fault that ends quickly, so a run can also succeed by a retry.
        """
        code = result.code
        text = f"exit {code}" if code >= 0 else f"ended by signal {-code}"
        if passing:
            text += " (got over it)" if code in (0, 3) else " (left to the next run)"
        self.note(text)
        if code not in allowed:
            self.fail("I4", f"{text}; expected one of {sorted(allowed)}: {result.text[-500:]}")

    def check_failed_files(self, result: Result) -> None:
        """Checks, for a loader that ran alone, that no file reported as failed is loaded."""
        loaded = {
            Path(row[0]).name for row in self.server.ask(
                self.database, "select path from ingest.source_file where undone_at is null")}
        files = (result.report or {}).get("files", [])
        assert isinstance(files, list)
        for file in files:
            if file["status"] == "failed" and Path(file["path"]).name in loaded:
                if "cannot be found out" in file["error"]:
                    self.note("one outcome not known to the run")
                else:
                    self.fail("I4", f"{file['path']} is loaded but reported as failed: {file['error']}")

    def verify(self) -> None:
        """Checks the present state of the database."""
        checker = Checker(self.server, self.database, self.world.versions)
        checker.check(self.results)
        self.results = []
        self.violations += checker.violations
        self.check_log()

    def check_log(self) -> None:
        log = self.server.log
        position = self.world.log_positions.get(log, 0)
        with open(log, "rb") as file:
            file.seek(position)
            content = file.read()
        self.world.log_positions[log] = position + len(content)
        checker = Checker(self.server, "", {})
        checker.check_no_token("the server's log", content)
        self.violations += checker.violations

    def conclude(self) -> None:
        """Checks that the next clean run needs no repair and ends in the state of an undisturbed run."""
        due = {self.world.register(path) for path in self.inbox.iterdir()}
        result = self.load()
        if result.code not in (0, 3):
            self.fail("I5", f"the clean run ended with {result.code}: {result.text[-500:]}")
        checker = Checker(self.server, self.database, self.world.versions)
        files = checker.check(self.results)
        self.results = []
        checker.check_clean(files, due)
        found = checker.digest()
        if not checker.violations and found != self.world.reference(files):
            checker.fail("I5", "the state differs from that of an undisturbed run")
        again = self.load()
        if again.code != 0 or set(again.statuses().values()) != {"already_loaded"}:
            checker.fail("I5", f"a second clean run had work to do: exit {again.code}")
        if checker.digest_now() != found:
            checker.fail("I5", "a second clean run changed the database")
        dump = subprocess.run(["pg_dump", f"--dbname={self.server.conninfo(self.database)}"], capture_output=True)
        checker.check_no_token("the database", dump.stdout)
        if dump.returncode:
            checker.fail("I2", f"pg_dump: {dump.stderr.decode()[-300:]}")
        self.violations += checker.violations
        self.check_log()

    def close(self) -> None:
        """Ends all processes and removes all files of the trial."""
        for running in self.running:
            running.kill()
        for cleanup in reversed(self.cleanups):
            cleanup()
        if self._database and not self.own_servers:
            self.server.wait_until_ready()
            self.server.drop(self._database)
        for server in self.own_servers:
            server.destroy()
        shutil.rmtree(self.folder, ignore_errors=True)


@dataclass(frozen=True)
class Fault:
    """A fault. `run` causes it and may check in between; the suite checks the final state."""

    name: str
    what: str
    run: Callable[[Trial], None]
    # The number of repetitions in a long run and in the quick set.
    times: int = 1
    quick: int = 1


FAULTS: dict[str, Fault] = {}


def fault(
    name: str, what: str, times: int = 1, quick: int = 1
) -> Callable[[Callable[[Trial], None]], Callable[[Trial], None]]:
    """Registers a fault under a name, for runs, --only and the report."""

    def add(run: Callable[[Trial], None]) -> Callable[[Trial], None]:
        if name in FAULTS:
            raise ValueError(f"two faults have the name {name}")
        FAULTS[name] = Fault(name, what, run, times, quick)
        return run

    return add
