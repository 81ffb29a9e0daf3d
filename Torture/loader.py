"""Runs the program under test, and knows how its runs ended."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

# The most memory of a run; the data is small, so most of it is the program itself.
MEMORY_BOUND_KIB = 256 * 1024
# And in time, unless a fault says otherwise.
TIME_BOUND = 60.0


class NeverStopped(Exception):
    """The loader ended before it came to the place at which it was to stop."""


@dataclass
class Result:
    """How a run ended; `code` is negative for a signal, as in subprocess."""

    code: int
    seconds: float
    peak_kib: int
    out: bytes
    err: bytes
    report: dict[str, object] | None
    timed_out: bool = False
    # A report was asked for, into a file.
    report_due: bool = False

    @property
    def text(self) -> str:
        return self.err.decode(errors="replace")

    def statuses(self) -> dict[str, str]:
        """By file name, from the report."""
        files = (self.report or {}).get("files", [])
        assert isinstance(files, list)
        return {Path(file["path"]).name: file["status"] for file in files}


@dataclass
class Running:
    """A run that has not ended."""

    process: subprocess.Popen[bytes]
    started: float
    folder: Path
    report_path: Path | None
    bound: float
    binary_name: str
    stopped_at: str | None = None
    wrapped: bool = False
    # Its own peak so far; the kernel's figure at the end includes ours before exec.
    peak_kib: int = 0
    result: Result | None = None

    @property
    def pid(self) -> int:
        return self.process.pid

    def state(self) -> str:
        """As in /proc: R, S, T (stopped), Z (ended)."""
        try:
            content = Path(f"/proc/{self.pid}/stat").read_text()
        except OSError:
            return "Z"
        return content.rpartition(")")[2].split()[0]

    def look_at_memory(self) -> None:
        try:
            status = Path(f"/proc/{self.pid}/status").read_text()
        except OSError:
            return
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        # Until exec it is a copy of ourselves.
        if found and self.binary_name in status:
            self.peak_kib = max(self.peak_kib, int(found[1]))

    def wait_until_stopped(self, seconds: float = 30) -> None:
        """Until the program has stopped itself at its named point."""
        deadline = time.monotonic() + seconds
        while True:
            state = self.state()
            if state in "Tt":
                return
            if state == "Z" or time.monotonic() > deadline:
                raise NeverStopped(f"the loader never stopped itself (state {state})")
            time.sleep(0.002)

    def wait_for_stop(self, number: int) -> int:
        """Until its `number`-th stop, from 1; it may never come so far and stay at an earlier one.

        Returns how often it stopped; its last stop lasts.
        """
        self.wait_until_stopped()
        return number if number <= 1 else self._next_stops(number)

    def _next_stops(self, number: int) -> int:
        for count in range(1, number):
            self.resume()
            time.sleep(0.01)
            try:
                self.wait_until_stopped()
            except NeverStopped:
                return count
        return number

    def send(self, number: int) -> None:
        """Signals the program, or all processes of a wrapper."""
        try:
            os.killpg(self.pid, number)
        except ProcessLookupError:
            pass

    def give(self, seconds: float) -> bool:
        """Time to go on; true when it has ended within it."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.state() == "Z":
                return True
            self.look_at_memory()
            time.sleep(0.002)
        return False

    def resume(self) -> None:
        self.send(signal.SIGCONT)

    def kill(self) -> Result:
        self.send(signal.SIGKILL)
        return self.wait()

    def wait(self, seconds: float | None = None) -> Result:
        """Until it has ended, let go on whenever it stops itself; killed when it takes too long."""
        if self.result:
            return self.result
        deadline = time.monotonic() + (seconds or self.bound)
        timed_out = False
        while True:
            self.look_at_memory()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                break
            if self.stopped_at and not timed_out and self.state() == "T":
                self.resume()  # it stops at each of its named places
            if time.monotonic() > deadline and not timed_out:
                timed_out = True
                self.send(signal.SIGKILL)
            time.sleep(0.002)
        if self.wrapped:
            self.send(signal.SIGKILL)  # processes that the wrapper may have left
        code = os.waitstatus_to_exitcode(status)
        self.process.returncode = code
        report = None
        if self.report_path and self.report_path.is_file():
            try:
                report = json.loads(self.report_path.read_bytes())
            except ValueError:
                report = None
        self.result = Result(
            code, time.monotonic() - self.started, self.peak_kib,
            (self.folder / "out").read_bytes(), (self.folder / "err").read_bytes(), report,
            timed_out, report_due=self.report_path is not None)
        return self.result


class Loader:
    """The program, with the options that every run of the suite has."""

    def __init__(self, binary: Path, folder: Path, observed_at: str) -> None:
        self.binary = binary
        self.folder = folder
        self.observed_at = observed_at
        self.numbers = itertools.count(1)
        self.help = subprocess.run(
            [str(binary), "load", "--help"], capture_output=True, text=True).stdout

    def has(self, option: str) -> bool:
        """Whether this build of the program knows an option."""
        return f"{option} " in self.help

    def start(
        self, paths: list[Path] | list[str], conninfo: str, *, stop_at: str | None = None,
        options: list[str] | None = None, wrapper: list[str] | None = None,
        stdin: int | None = None, report: Path | str | None = "report.json",
        stdout: str | None = None, bound: float = TIME_BOUND,
    ) -> Running:
        """Starts a load; a wrapper is a command that runs the command behind it."""
        return self.command(
            ["load", *map(str, paths), "--database", conninfo, "--observed-at", self.observed_at,
             *(options or [])],
            stop_at=stop_at, wrapper=wrapper, stdin=stdin, report=report, stdout=stdout,
            bound=bound)

    def command(
        self, arguments: list[str], *, stop_at: str | None = None,
        wrapper: list[str] | None = None, stdin: int | None = None,
        report: Path | str | None = None, stdout: str | None = None, bound: float = TIME_BOUND,
        variables: dict[str, str] | None = None,
    ) -> Running:
        """Starts the program with any of its commands."""
        folder = self.folder / f"run-{next(self.numbers)}"
        folder.mkdir(parents=True)
        command = [str(self.binary), *arguments]
        report_path = None
        if report is not None:
            report_path = folder / report
            command += ["--report", str(report_path)]
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("PG")}
        environment |= variables or {}
        if stop_at:
            environment["GAMEBASE_INGEST_STOP_AT"] = stop_at
        with open(folder / "err", "wb") as err, open(folder / "out", "wb") as quiet_out:
            out = open(stdout, "wb") if stdout else quiet_out
            process = subprocess.Popen(
                [*(wrapper or []), *command], stdin=stdin or subprocess.DEVNULL, stdout=out,
                stderr=err, env=environment, start_new_session=True)
            if stdout:
                out.close()
        return Running(
            process, time.monotonic(), folder, report_path, bound, self.binary.name[:15],
            stop_at, bool(wrapper))

    def run(self, paths: list[Path] | list[str], conninfo: str, **more: object) -> Result:
        return self.start(paths, conninfo, **more).wait()  # type: ignore[arg-type]
