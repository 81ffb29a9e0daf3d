"""Runs the program under test."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from data import MARKER
from server import within

# Limit for the memory of a run. The data is small, so most of the memory is the program itself.
MEMORY_BOUND_KIB = 256 * 1024
# Limit for the time of a run in seconds, unless a fault sets another one.
TIME_BOUND = 60.0


def peak_kib(pid: int | str, name: str = "") -> int:
    """The largest memory of a process so far, or 0 if it is another program or no process."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    # Until exec a process is a copy of this one.
    return int(found[1]) if found and name in status else 0


def tokens_in(where: str, content: bytes) -> Iterator[str]:
    at = content.find(MARKER.encode())
    if at >= 0:
        yield f"I6: a purchase token is in {where}: {content[max(0, at - 80):at + 30]!r}"


class NeverStopped(Exception):
    """The loader ended before it reached the fault point at which it should stop."""


@dataclass(eq=False)
class ProgramRun:
    """A run of the program, and what it has left when it has ended."""

    process: subprocess.Popen[bytes]
    folder: Path
    # The file of --report.
    report_path: Path | None
    bound: float
    binary_name: str
    stopped_at: str | None
    is_wrapped: bool
    started: float = field(default_factory=time.monotonic)
    # The peak memory of the program so far. The kernel's figure at the end includes this process before exec.
    peak_kib: int = 0
    # Known at the end. The code is negative for a signal, as in subprocess.
    code: int = 0
    seconds: float = 0
    timed_out: bool = False
    out: bytes = b""
    err: bytes = b""
    report: dict[str, object] | None = None

    @property
    def pid(self) -> int:
        return self.process.pid

    def state(self) -> str:
        """The state in /proc: R, S, T (stopped), Z (ended)."""
        try:
            content = Path(f"/proc/{self.pid}/stat").read_text()
        except OSError:
            return "Z"
        return content.rpartition(")")[2].split()[0]

    def wait_until_stopped(self, seconds: float = 30) -> None:
        """Waits until the program has stopped itself at its fault point."""
        within(seconds, lambda: self.state() in "TtZ", 0.002)
        if (state := self.state()) not in "Tt":
            raise NeverStopped(f"the loader never stopped itself (state {state})")

    def send(self, number: int) -> None:
        """Signals the program, or all processes of a wrapper, unless its end is known."""
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, number)

    def run_for(self, seconds: float) -> bool:
        """Lets the program run for a number of seconds; returns true when it has ended by then."""
        return within(seconds, self.has_ended, 0.002)

    def has_ended(self) -> bool:
        self.peak_kib = max(self.peak_kib, peak_kib(self.pid, self.binary_name))
        return self.state() == "Z"

    def resume(self) -> None:
        self.send(signal.SIGCONT)

    def kill(self) -> ProgramRun:
        self.send(signal.SIGKILL)
        return self.wait()

    def wait(self, seconds: float | None = None) -> ProgramRun:
        """Waits for the end of the program. Resumes it whenever it stops itself, and kills it after its time limit."""

        def has_ended() -> bool:
            if self.stopped_at and self.state() == "T":
                self.resume()  # it stops at each of its fault points
            return self.has_ended()

        if self.process.returncode is None:
            self.timed_out = not within(seconds or self.bound, has_ended, 0.002)
            if self.timed_out or self.is_wrapped:
                self.send(signal.SIGKILL)  # a wrapper may leave processes
            self.code = self.process.wait()
            self.seconds = time.monotonic() - self.started
            self.out, self.err = ((self.folder / name).read_bytes() for name in ("out", "err"))
            with contextlib.suppress(ValueError):
                if self.report_path and self.report_path.is_file():
                    self.report = json.loads(self.report_path.read_bytes())
        return self

    @property
    def text(self) -> str:
        return self.err.decode(errors="replace")

    def files(self) -> list[dict[str, str]]:
        """The files of the report."""
        files = (self.report or {}).get("files", [])
        assert isinstance(files, list)
        return files

    def statuses(self) -> dict[str, str]:
        """The statuses in the report, by file name."""
        return {Path(file["path"]).name: file["status"] for file in self.files()}

    def wrongs(self) -> Iterator[str]:
        """What no run may do, whatever disturbs it, each with its invariant in front."""
        yield from tokens_in("standard output", self.out)
        yield from tokens_in("standard error", self.err)
        yield from tokens_in("the report", repr(self.report).encode())
        if self.timed_out:
            yield f"I8: a run did not end within its time ({self.seconds:.0f} s)"
        if self.peak_kib > MEMORY_BOUND_KIB:
            yield f"I8: a run used {self.peak_kib // 1024} MiB of memory"
        if self.code == 70:
            yield f"I4: exit code 70 (internal error): {self.text[-400:]}"


@dataclass
class Loader:
    """Starts the program, each run in a folder of its own."""

    binary: Path
    folder: Path
    # The variables of the environment that its runs do not have begin so.
    without: tuple[str, ...] = ("PG",)

    def command(
        self, arguments: list[str], *, stop_at: str | None = None, wrapper: list[str] | None = None,
        stdin: int | None = None, report: str | None = None, stdout: str | None = None,
        bound: float = TIME_BOUND, variables: dict[str, str] | None = None,
    ) -> ProgramRun:
        """Starts a command of the program; a wrapper is a command that runs the command behind it."""
        self.folder.mkdir(exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix="run-", dir=self.folder))
        report_path = None if report is None else folder / report
        command = [*(wrapper or []), str(self.binary), *arguments, *(["--report", str(report_path)] if report else [])]
        environment = {name: value for name, value in os.environ.items() if not name.startswith(self.without)}
        environment |= (variables or {}) | ({"GAMEBASE_INGEST_STOP_AT": stop_at} if stop_at else {})
        (folder / "out").touch()
        with open(folder / "err", "wb") as err, open(stdout or folder / "out", "wb") as out:
            process = subprocess.Popen(
                command, stdin=stdin or subprocess.DEVNULL, stdout=out, stderr=err, env=environment,
                start_new_session=True)
        return ProgramRun(process, folder, report_path, bound, self.binary.name[:15], stop_at, bool(wrapper))
