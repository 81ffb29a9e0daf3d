"""The private server of all measurements, and their clock."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
# The database of a measurement; made anew for each one.
MEASURED = "measured"
# The time limit for autovacuum workers to end before a measurement.
QUIESCE_SECONDS = 120


class BenchError(Exception):
    """A command has failed, or has loaded other rows than it must."""


@dataclass(frozen=True)
class Command:
    arguments: tuple[str, ...]
    stdin: Path | None = None
    codes: tuple[int, ...] = (0,)
    environment: dict[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Measurement:
    seconds: float
    peak_kib: int


def say(text: str) -> None:
    print(f"== {text}", file=sys.stderr, flush=True)


def output(*arguments: Path | str, codes: tuple[int, ...] = (0,), text: str | None = None) -> str:
    """What a command prints that is not measured; `text` is its input."""
    answer = subprocess.run([*map(str, arguments)], input=text or "", capture_output=True, text=True)
    if answer.returncode not in codes:
        raise BenchError(f"{' '.join(map(str, arguments))}: exit status {answer.returncode}: {answer.stderr[-500:]}")
    return answer.stdout.strip()


def measure(*commands: Command, together: bool = False) -> Measurement:
    """Runs commands one after the other or together; the peaks of commands that run together are added up."""
    started = time.perf_counter()
    running = map(_start, commands)
    peaks = [_peak_kib(command, process) for command, process in (list(running) if together else running)]
    return Measurement(time.perf_counter() - started, sum(peaks) if together else max(peaks))


def _start(command: Command) -> tuple[Command, subprocess.Popen[str]]:
    """Starts a command by GNU time, whose last line is the largest peak of one process.

    The kernel also counts the memory of a process before exec, which would be a copy of this interpreter.
    """
    with open(command.stdin or os.devnull, "rb") as stdin:
        return command, subprocess.Popen(
            ["/usr/bin/time", "--quiet", "--format=%M", *command.arguments], stdin=stdin, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, errors="replace", env=os.environ | command.environment)


def _peak_kib(command: Command, process: subprocess.Popen[str]) -> int:
    *errors, peak = process.communicate()[1].splitlines()
    if process.returncode not in command.codes:
        raise BenchError(
            f"{' '.join(command.arguments)}: exit status {process.returncode}: {' | '.join(errors[-5:])}")
    return int(peak)


class Server:
    """A server with default settings that `gamebase-ingest local` makes in a folder."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program, self.folder = program, folder
        self.start()

    def start(self) -> None:
        self.address = output(self.program, "local", "start", "--directory", self.folder)

    def end(self, how: str) -> None:
        """`stop` or `destroy`."""
        output(self.program, "local", how, "--directory", self.folder)

    def conninfo(self, database: str) -> str:
        # libpq uses the last of repeated keywords.
        return f"{self.address} dbname={database}"

    def ingest(self, *arguments: Path | str, database: str = MEASURED, codes: tuple[int, ...] = (0,)) -> Command:
        """A command of the program on a database."""
        return Command(
            (str(self.program), *map(str, arguments), "--database", self.conninfo(database)), codes=codes)

    def load(self, *arguments: Path | str, database: str = MEASURED, codes: tuple[int, ...] = (0,)) -> Command:
        return self.ingest("load", *arguments, "--no-refresh", "--quiet", database=database, codes=codes)

    def psql(self, database: str, *options: str) -> Command:
        return Command((
            "psql", "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--set=ON_ERROR_STOP=1",
            f"--dbname={self.conninfo(database)}", *options))

    def ask(self, database: str, *statements: str) -> str:
        """The output of psql; each statement runs in its own transaction."""
        return output(*self.psql(database, *(f"--command={statement}" for statement in statements)).arguments)

    def create(self, name: str, template: str = "template0") -> None:
        """Creates a database as a file copy of another, which writes nothing to WAL."""
        self.drop(name)
        self.ask("postgres", f"create database {name} template {template} encoding 'UTF8' strategy file_copy")

    def drop(self, name: str) -> None:
        self.ask("postgres", f"drop database if exists {name} with (force)")

    def fresh(self, template: str) -> None:
        """Creates the database of the next measurement."""
        self.create(MEASURED, template)
        self.quiesce()

    def quiesce(self) -> None:
        """Waits for autovacuum to end, and writes all dirty pages with a checkpoint."""
        deadline = time.monotonic() + QUIESCE_SECONDS
        workers = "select count(*) from pg_stat_activity where backend_type = 'autovacuum worker'"
        while self.ask("postgres", workers) != "0" and time.monotonic() < deadline:
            time.sleep(0.2)
        self.ask("postgres", "checkpoint")
