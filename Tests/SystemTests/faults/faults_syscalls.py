"""Faults of system calls: the N-th call fails, once or from then on, and memory is limited."""

from __future__ import annotations

import collections
import shutil
import subprocess

import pytest

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
    if (calls, only_files) not in counts:
        log = trial.folder / "strace"
        database = trial.world.new_database(trial.server)
        trial.loader.run(trial.paths(), trial.server.conninfo(database),
                         wrapper=strace(trial, only_files, str(log), "-e", f"trace={calls}"))
        trial.server.drop(database)
        threads = collections.Counter(
            line.split()[0] for line in log.read_text(errors="replace").split("\n")
            if "resumed>" not in line and "(" in line)
        counts[calls, only_files] = max(threads.values(), default=0)
    return counts[calls, only_files]


def fail_from(trial: Trial, call: str, error: str, more: str, only_files: bool = False) -> None:
    """Lets a random call fail; `more` is strace's form of the calls after it that fail, too."""
    if not shutil.which("strace") or subprocess.run(["strace", "-o", "/dev/null", "true"]).returncode:
        pytest.skip("strace is not installed, or may not trace here")
    calls = NAMES.get(call, call)
    number = trial.random.randrange(1, count_of(trial, calls, only_files) + 2)
    inject = f"inject={calls}:error={error}:when={number}{more}"
    running = trial.start(wrapper=strace(trial, only_files, "/dev/null", "-e", f"trace={calls}", "-e", inject))
    if call in WAITS and not running.run_for(15):
        print("waited for what never comes, ended by SIGKILL")
        trial.kill(running)
    else:
        trial.outcome(trial.finish(running), ANY)


@fault("call-{}-{}", CALLS, times=4, quick=QUICK)
def call_fails(trial: Trial, call: str, error: str) -> None:
    fail_from(trial, call, error, "")


@fault("calls-{}-{}", CALLS, times=2, quick=0)
def calls_fail(trial: Trial, call: str, error: str) -> None:
    # A call that is always interrupted is retried without end, and rightly so; so only every other call fails.
    fail_from(trial, call, error, "+2" if error == "EINTR" else "+")


@fault("file-call-{}-{}", FILE_CALLS, times=6, quick={("read", "EIO")})
def file_call_fails(trial: Trial, call: str, error: str) -> None:
    fail_from(trial, call, error, "", only_files=True)


@fault("file-calls-{}-{}", FILE_CALLS, times=3, quick=0)
def file_calls_fail(trial: Trial, call: str, error: str) -> None:
    fail_from(trial, call, error, "+2" if error == "EINTR" else "+", only_files=True)


@fault("memory-limit", times=12)
def memory_limit(trial: Trial) -> None:
    megabytes = trial.random.choice([60, 100, 140, 180, 220, 260, 300, 350, 400, 500, 700])
    running = trial.start(wrapper=["bash", "-c", f'ulimit -v {megabytes * 1024}; exec "$@"', "limited"])
    if not running.run_for(20):
        print("waited for a thread, ended by SIGKILL")
        trial.kill(running)
    else:
        trial.outcome(trial.finish(running), ANY)
