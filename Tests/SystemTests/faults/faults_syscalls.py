"""Faults of system calls: the N-th call fails, once or from then on, and memory is limited."""

from __future__ import annotations

import shutil
import subprocess
from functools import partial

from trial import Skip, Trial, fault

# Any exit code except 70 (internal error), because the right code depends on the purpose of the call.
ANY = set(range(-64, 256)) - {70}
# The calls that fail, with errors that they can have.
CALLS = (
    ("read", "EIO"), ("write", "ENOSPC"), ("write", "EIO"), ("write", "EINTR"), ("openat", "EMFILE"),
    ("openat", "EACCES"), ("recvfrom", "ECONNRESET"), ("recvfrom", "EINTR"), ("sendto", "EPIPE"), ("sendto", "EINTR"),
    ("poll", "EINTR"), ("fstat", "EIO"), ("lseek", "EIO"), ("close", "EIO"), ("fsync", "EIO"), ("rename", "ENOSPC"),
    ("mmap", "ENOMEM"), ("connect", "ECONNREFUSED"), ("getrandom", "EINTR"), ("clone3", "EAGAIN"),
)
NAMES = {"fstat": "fstat,newfstatat", "poll": "poll,ppoll", "clone3": "clone,clone3",
         "rename": "rename,renameat,renameat2"}

QUICK = {("read", "EIO"), ("write", "ENOSPC"), ("openat", "EMFILE"), ("recvfrom", "ECONNRESET"), ("clone3", "EAGAIN")}

# After these failures a library waits for an event that always comes on a real machine and never under the fault:
# libpq waits for the server's last message after a failed write, libdispatch waits for a thread.
WAITS = {"sendto": "the end of a connection that does not end", "clone3": "a thread"}


def needs_strace() -> None:
    if not shutil.which("strace"):
        raise Skip("strace is not installed")
    if subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode:
        raise Skip("strace may not trace here")


def on_files(trial: Trial) -> list[str]:
    """Options that limit strace to calls on the input files."""
    return [option for path in trial.paths() for option in ("-P", str(path))]


def count_of(trial: Trial, calls: str, only_files: bool) -> int:
    """The number of calls by the busiest thread of an undisturbed run; measured once for each call and cached."""
    cache: dict[tuple[str, bool], int] = trial.world.__dict__.setdefault("call_counts", {})
    key = (calls, only_files)
    if key not in cache:
        log = trial.folder / "strace"
        database = trial.world.new_database(trial.server)
        trial.loader.run(
            trial.paths(), trial.server.conninfo(database),
            wrapper=["strace", "-f", "-q", "-o", str(log), "-e", f"trace={calls}",
                     *(on_files(trial) if only_files else [])])
        trial.server.drop(database)
        threads: dict[str, int] = {}
        for line in log.read_text(errors="replace").split("\n"):
            if "resumed>" not in line and "(" in line:
                thread = line.split()[0]
                threads[thread] = threads.get(thread, 0) + 1
        cache[key] = max(threads.values(), default=0)
    return cache[key]


def call_fails(call: str, error: str, for_good: bool, trial: Trial, only_files: bool = False) -> None:
    needs_strace()
    calls = NAMES.get(call, call)
    count = count_of(trial, calls, only_files)
    number = trial.random.randrange(1, count + 2)
    when = str(number)
    if for_good:
        # A call that is always interrupted is retried without end, and rightly so; so only every other call fails.
        when += "+2" if error == "EINTR" else "+"
    running = trial.start(
        wrapper=["strace", "-f", "-q", "-o", "/dev/null", "-e", f"trace={calls}", "-e",
                 f"inject={calls}:error={error}:when={when}",
                 *(on_files(trial) if only_files else [])])
    if call in WAITS and not running.run_for(15):
        trial.note(f"waited for {WAITS[call]}, ended by SIGKILL")
        trial.kill(running)
        return
    result = trial.finish(running)
    trial.outcome(result, ANY)
    if error == "EINTR" and not for_good and result.code not in (0, 3):
        trial.note("an interrupted call ended the run")


for _call, _error in CALLS:
    fault(f"call-{_call}-{_error}", f"a random {_call} fails with {_error}, once", times=4,
          quick=1 if (_call, _error) in QUICK else 0)(
        partial(call_fails, _call, _error, False))
    fault(f"calls-{_call}-{_error}", f"from a random one on, {_call} fails with {_error}", times=2,
          quick=0)(partial(call_fails, _call, _error, True))


def file_call_fails(call: str, error: str, for_good: bool, trial: Trial) -> None:
    call_fails(call, error, for_good, trial, only_files=True)


# Most calls of a run come before its first access to a file, so these faults count only calls on files.
for _call, _error in (
    ("read", "EIO"), ("read", "EINTR"), ("openat", "EACCES"), ("openat", "EINTR"),
    ("fstat", "EIO"), ("lseek", "EIO"), ("close", "EIO"),
):
    _quick = 1 if (_call, _error) == ("read", "EIO") else 0
    fault(f"file-call-{_call}-{_error}",
          f"a random {_call} of a file that is loaded fails with {_error}, once", times=6,
          quick=_quick)(partial(file_call_fails, _call, _error, False))
    fault(f"file-calls-{_call}-{_error}",
          f"from a random one on, {_call} of the files fails with {_error}", times=3, quick=0)(
        partial(file_call_fails, _call, _error, True))


@fault("memory-limit", "ulimit -v with random limits from 60 to 700 MB", times=12)
def memory_limit(trial: Trial) -> None:
    megabytes = trial.random.choice([60, 100, 140, 180, 220, 260, 300, 350, 400, 500, 700])
    running = trial.start(wrapper=["bash", "-c", f'ulimit -v {megabytes * 1024}; exec "$@"', "limited"])
    if not running.run_for(20):
        trial.note(f"waited for {WAITS['clone3']}, ended by SIGKILL")
        trial.kill(running)
        return
    trial.outcome(trial.finish(running), ANY)
