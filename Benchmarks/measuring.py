"""Runs commands and measures their time and peak memory."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

# The sampling interval for the memory of a command with child processes.
SAMPLE_SECONDS = 0.1
# A command that takes longer is killed.
TIME_BOUND = 3600.0


class CommandFailed(Exception):
    """A measured command failed."""


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
    """A command under /usr/bin/time, which reports the largest peak memory of one process.

    That small program starts it, because the kernel also counts the memory of a process before exec,
    which would be a copy of this interpreter.
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
        # wait() with a timeout would poll only every 50 milliseconds.
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
    """Runs commands in sequence or together; the peaks of commands run together are added up."""
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
        reported = sum(peaks) if together else max(peaks)
        return Measurement(seconds, max(reported, watch.peak_kib))


class _MemoryWatch(threading.Thread):
    """Adds up the memory of the child processes of commands."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak_kib = 0
        self._roots: list[int] = []
        self._ended = threading.Event()

    def add(self, pid: int) -> None:
        self._roots.append(pid)

    def run(self) -> None:
        while not self._ended.wait(SAMPLE_SECONDS):
            pids = [pid for root in self._roots for pid in _with_children(root)[1:]]
            if len(pids) > 1:
                self.peak_kib = max(self.peak_kib, sum(map(_resident_kib, pids)))

    def end(self) -> None:
        self._ended.set()
        self.join()


def _with_children(pid: int) -> list[int]:
    """The process and all its descendants."""
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
