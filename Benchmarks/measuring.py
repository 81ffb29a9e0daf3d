"""Runs commands and tells how long they took and how much memory they had at their peak."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

# How often the memory of a command that has child processes is added up.
LOOK_SECONDS = 0.1
# A command that takes longer than this hangs, and is killed.
TIME_BOUND = 3600.0


class CommandFailed(Exception):
    """A measured command did not end as it should."""


@dataclass(frozen=True)
class Command:
    """A program with its arguments."""

    arguments: tuple[str, ...]
    stdin: Path | None = None
    codes: tuple[int, ...] = (0,)
    environment: dict[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Measurement:
    seconds: float
    peak_kib: int


class _Running:
    """A command under /usr/bin/time, which tells the most memory that one process of it had.

    It is started by that small program and not by us, because the kernel counts what a process had
    before exec: a copy of this interpreter.
    """

    def __init__(self, command: Command, folder: Path, number: int) -> None:
        self.command = command
        self.peak_file = folder / f"peak-{number}"
        self.error_file = folder / f"error-{number}"
        stdin = open(command.stdin, "rb") if command.stdin else subprocess.DEVNULL
        with open(self.error_file, "wb") as error:
            self.process = subprocess.Popen(
                ["/usr/bin/time", "--quiet", "--format=%M", f"--output={self.peak_file}",
                 *command.arguments],
                stdin=stdin, stdout=subprocess.DEVNULL, stderr=error,
                env=os.environ | command.environment)
        if not isinstance(stdin, int):
            stdin.close()

    def wait(self) -> None:
        # With a bound of its own, wait() would look only every 50 milliseconds.
        late = threading.Timer(TIME_BOUND, self._kill)
        late.start()
        code = self.process.wait()
        late.cancel()
        if code not in self.command.codes:
            error = self.error_file.read_text(errors="replace").strip().splitlines()
            raise CommandFailed(
                f"{' '.join(self.command.arguments)}: exit status {code}: " + " | ".join(error[-5:]))

    def _kill(self) -> None:
        for pid in reversed(_with_children(self.process.pid)):
            os.kill(pid, signal.SIGKILL)

    def peak_kib(self) -> int:
        return int(self.peak_file.read_text().split()[-1])


def measure(commands: tuple[Command, ...], together: bool = False) -> Measurement:
    """One after another, or all at once; their peaks are added up when they run at once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        running: list[_Running] = []
        watch = _MemoryWatch()
        watch.start()
        started = time.perf_counter()
        try:
            for number, command in enumerate(commands):
                running.append(_Running(command, folder, number))
                watch.add(running[-1].process.pid)
                if not together:
                    running[-1].wait()
            if together:
                for one in running:
                    one.wait()
            seconds = time.perf_counter() - started
        finally:
            watch.end()
        peaks = [one.peak_kib() for one in running]
        told = sum(peaks) if together else max(peaks)
        return Measurement(seconds, max(told, watch.peak_kib))


class _MemoryWatch(threading.Thread):
    """Adds up the memory of commands that start processes of their own."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak_kib = 0
        self._roots: list[int] = []
        self._ended = threading.Event()

    def add(self, pid: int) -> None:
        self._roots.append(pid)

    def run(self) -> None:
        while not self._ended.wait(LOOK_SECONDS):
            pids = [pid for root in self._roots for pid in _with_children(root)[1:]]
            if len(pids) > 1:
                self.peak_kib = max(self.peak_kib, sum(map(_resident_kib, pids)))

    def end(self) -> None:
        self._ended.set()
        self.join()


def _with_children(pid: int) -> list[int]:
    """The process, and all that descend from it."""
    found = [pid]
    for parent in found:
        try:
            for task in Path(f"/proc/{parent}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
        except OSError:
            continue
    return found


def _resident_kib(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024
