"""Faults of system calls: the N-th call fails, once or from then on, and memory is limited."""

from __future__ import annotations

import collections
import functools
import shutil
import subprocess

import pytest

from loader import ProgramRun
from trial import Trial, fault

# Any exit code except 70 (internal error), because the right code depends on the purpose of the call.
ANY = set(range(-64, 256)) - {70}
# The calls that fail, with errors that they can have.
CALLS = (
    ("read", "EIO"), ("write", "ENOSPC"), ("write", "EIO"), ("write", "EINTR"), ("openat", "EMFILE"),
    ("openat", "EACCES"), ("recvfrom", "ECONNRESET"), ("recvfrom", "EINTR"), ("sendto", "EPIPE"), ("sendto", "EINTR"),
    ("poll", "EINTR"), ("fstat", "EIO"), ("lseek", "EIO"), ("close", "EIO"), ("fsync", "EIO"), ("rename", "ENOSPC"),
    ("mmap", "ENOMEM"), ("connect", "ECONNREFUSED"), ("getrandom", "EINTR"), ("clone3", "EAGAIN"),
)
QUICK = {("read", "EIO"), ("write", "ENOSPC"), ("openat", "EMFILE"), ("recvfrom", "ECONNRESET"), ("clone3", "EAGAIN")}
# Most calls of a run come before its first access to a file, so these faults count only calls on files.
FILE_CALLS = (
    ("read", "EIO"), ("read", "EINTR"), ("openat", "EACCES"), ("openat", "EINTR"), ("fstat", "EIO"), ("lseek", "EIO"),
    ("close", "EIO"),
)
NAMES = {"fstat": "fstat,newfstatat", "poll": "poll,ppoll", "clone3": "clone,clone3",
         "rename": "rename,renameat,renameat2"}
# After failures of these calls a library waits for an event that always comes on a real machine and never under the
# fault: libpq for the server's last message after a failed write, libdispatch for a thread.
WAITS = {"sendto", "clone3"}


def strace(trial: Trial, only_files: bool, log: str, *options: str) -> list[str]:
    """The command in front of a traced program."""
    files = [option for path in trial.paths() for option in ("-P", str(path))] if only_files else []
    return ["strace", "-f", "-q", "-o", log, *options, *files]


def count_of(trial: Trial, calls: str, only_files: bool) -> int:
    """The number of calls by the busiest thread of an undisturbed run; measured once for each call and cached."""
    counts = trial.world.call_counts
    kind = (calls, only_files, trial.refreshes)
    if kind not in counts:
        log = trial.folder / "strace"
        trial.start(conninfo=trial.server.conninfo(trial.new_database()),
                    wrapper=strace(trial, only_files, str(log), "-e", f"trace={calls}")).wait()
        threads = collections.Counter(
            line.split()[0] for line in log.read_text(errors="replace").split("\n")
            if "resumed>" not in line and "(" in line)
        counts[kind] = max(threads.values(), default=0)
    return counts[kind]


def end_or_kill(trial: Trial, running: ProgramRun, seconds: float, waits: bool = True) -> None:
    """Lets a run end; one that waits for what never comes is killed."""
    if waits and not running.run_for(seconds):
        print("waited for what never comes, ended by SIGKILL")
        trial.kill(running)
    else:
        trial.outcome(running, ANY)


def call_fails(trial: Trial, call: str, error: str, *, only_files: bool, goes_on: bool) -> None:
    """Lets a random call fail, and those after it if the fault goes on."""
    if not shutil.which("strace") or subprocess.run(["strace", "-o", "/dev/null", "true"]).returncode:
        pytest.skip("strace is not installed, or may not trace here")
    calls = NAMES.get(call, call)
    number = trial.random.randrange(1, count_of(trial, calls, only_files) + 2)
    # A call that is always interrupted is retried without end, and rightly so; so only every other call fails.
    more = "" if not goes_on else "+2" if error == "EINTR" else "+"
    inject = f"inject={calls}:error={error}:when={number}{more}"
    running = trial.start(wrapper=strace(trial, only_files, "/dev/null", "-e", f"trace={calls}", "-e", inject))
    end_or_kill(trial, running, 15, call in WAITS)


# The repetitions of a long run and of a quick one.
for _name, _calls, _only_files, _goes_on, _times, _quick in (
        ("call-{}-{}", CALLS, False, False, 4, QUICK), ("calls-{}-{}", CALLS, False, True, 2, ()),
        ("file-call-{}-{}", FILE_CALLS, True, False, 6, {("read", "EIO")}),
        ("file-calls-{}-{}", FILE_CALLS, True, True, 3, ())):
    fault(_name, _calls, times=_times, quick=_quick)(
        functools.partial(call_fails, only_files=_only_files, goes_on=_goes_on))


@fault("memory-limit", times=12)
def memory_limit(trial: Trial) -> None:
    megabytes = trial.random.choice([60, 100, 140, 180, 220, 260, 300, 350, 400, 500, 700])
    running = trial.start(wrapper=["bash", "-c", f'ulimit -v {megabytes * 1024}; exec "$@"', "limited"])
    end_or_kill(trial, running, 20)
