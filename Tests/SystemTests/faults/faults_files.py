"""Faults of files and the system: changing, broken and stalling inputs, full disks, failing calls, little memory."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from data import BIG_FILE
from loader import ProgramRun
from server import Server, chown_to_server
from streams import stream_of
from trial import Trial, fault

# Inputs


@fault("file-{}", ("grows", "shrinks", "replaced", "unlinked", "rewritten"), times=2)
def changed(trial: Trial, how: str) -> None:
    """Stops the loader in the middle of a file's COPY, changes the file, and resumes the loader."""
    path = trial.private_copy(BIG_FILE)
    running = trial.stop_loader_at(trial.random.choice(["copy-begun", "merged"]), first=BIG_FILE)
    status, content = path.stat(), path.read_bytes()
    if how == "grows":
        path.write_bytes(content + b"\n" * trial.random.randrange(1, 20))
    elif how == "shrinks":
        os.truncate(path, content.index(b"\n", trial.random.randrange(len(content) * 9 // 10)) + 1)
    elif how == "replaced":
        # Without the first line, under the same name.
        other = trial.folder / "other"
        other.write_bytes(content[content.index(b"\n") + 1:])
        other.rename(path)
    elif how == "unlinked":
        path.unlink()
    else:
        # The length and the modification time stay.
        path.write_bytes(content.replace(b'"ONESTORE"', b'"ONESTORF"'))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    if path.exists():
        trial.world.register(path)
    # An open file that lost its name stays as it was.
    trial.outcome(running, {0, 3, 5} if how in ("replaced", "unlinked") else {5})


def cut_at_the_end(chance: random.Random, whole: bytes) -> bytes:
    return whole[:-chance.randrange(1, 5000)]


def one_byte_changed(chance: random.Random, whole: bytes) -> bytes:
    at = chance.randrange(20, len(whole))
    return whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:]


# By name: an archive, and how it is broken. A cut between two members would leave a valid archive of fewer members.
BROKEN: dict[str, tuple[str, Callable[[random.Random, bytes], bytes]]] = {
    "gzip-cut": ("receipt-b.jsonl.gz", cut_at_the_end),
    "gzip-members-cut": ("levelup-b.jsonl.gz", cut_at_the_end),
    "gzip-corrupt": ("receipt-b.jsonl.gz", one_byte_changed),
    "zstd-cut": ("receipt-d.jsonl.zst", lambda chance, whole: whole[:chance.randrange(5, len(whole))]),
    "archive-empty": ("receipt-b.jsonl.gz", lambda chance, whole: b""),
}


@fault("{}", BROKEN, times=3, quick={"gzip-cut", "zstd-cut", "archive-empty"})
def broken_archive(trial: Trial, name: str) -> None:
    """Checks that a broken file fails and the others load, and repairs the file for the final load."""
    chosen, spoil = BROKEN[name]
    path = trial.private_copy(chosen)
    whole = path.read_bytes()
    path.write_bytes(spoil(trial.random, whole))
    loaded = trial.load()
    trial.outcome(loaded, {5})
    failed = [name for name, status in loaded.statuses().items() if status == "failed"]
    trial.expect(failed == [chosen], f"I1: only {chosen} is broken, but the failed files are {failed}")
    trial.verify()
    path.write_bytes(whole)


@fault("pipe-{}", ("stalls", "producer-killed", "archive-killed"), times=2)
def pipe(trial: Trial, what: str) -> None:
    """Standard input stops in the middle: it stays open, until SIGTERM, or its producer is killed.

    The latter looks like a short file. A cut within a line or an archive fails it; else all that arrived is loaded.
    """
    name = "receipt-b.jsonl.gz" if what == "archive-killed" else "gameuser-a.jsonl"
    content = (trial.inbox / name).read_bytes()
    content = content[:trial.random.randrange(1000, len(content) - 1)]
    is_cut = what != "producer-killed" or trial.random.random() < 0.5
    if what == "producer-killed":
        # A cut before a brace is within a line.
        content = content[:content.rindex(b"}") if is_cut else content.rindex(b"\n") + 1]
    part = trial.folder / name
    part.write_bytes(content)
    producer = subprocess.Popen(["tail", "-c", "+1", "-f", str(part)], stdout=subprocess.PIPE)
    trial.exits.callback(producer.wait)
    trial.exits.callback(producer.kill)
    assert producer.stdout
    with producer.stdout as end:
        running = trial.start(["-"], stdin=end.fileno(), options=("--stream", stream_of(name)))
    # The load has read all of the part then.
    running.run_for(0.7)
    if not is_cut:
        trial.world.register(part)
    if what == "stalls":
        trial.outcome(trial.end_stuck(running), {143})
    else:
        producer.kill()
        trial.outcome(running, {5} if is_cut else {0, 3})


# Disks


def small_disk(trial: Trial, path: Path, size: int) -> Path:
    """Mounts a file system of some bytes; this needs root."""
    path.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "tmpfs", str(path)]
    if os.geteuid() != 0 or subprocess.run(command).returncode:
        pytest.skip("a small disk cannot be mounted; this needs root")
    trial.exits.callback(subprocess.run, ["umount", "-l", str(path)], check=True)
    chown_to_server(path)
    return path


def enlarge(path: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=512m", str(path)], check=True)


@fault("server-data-full", times=3)
def data_full(trial: Trial) -> None:
    """The disk of the server's tables is full, and later enlarged."""
    disk = small_disk(trial, trial.folder / "disk", trial.random.randrange(16, 22) << 20)
    trial.server.ask("postgres", f"create tablespace small location '{disk}'")
    trial.exits.callback(trial.server.ask, "postgres", "drop tablespace small")
    trial.server.ask("postgres", f"alter database {trial.database} set tablespace small")
    loaded = trial.load()
    # Even a query can need room, to write a page that a load has changed.
    enlarge(disk)
    # All of it may have fitted.
    trial.passes(loaded)
    trial.verify()


@fault("server-wal-full", times=2)
def wal_full(trial: Trial) -> None:
    """The disk of the WAL is full, and the server stops itself (PANIC)."""
    server = trial.server = Server(trial.folder / "server")
    trial.exits.callback(server.stop, "immediate", check=False)
    server.set_up(trial.world.program)
    server.stop()
    server.configure(max_wal_size="512MB", checkpoint_timeout="1d")
    wal = server.data / "pg_wal"
    moved = wal.rename(trial.folder / "wal")
    # The WAL of the load must not fit.
    small_disk(trial, wal, sum(file.stat().st_size for file in moved.iterdir()) + 3_500_000)
    subprocess.run(["cp", "-a", f"{moved}/.", str(wal)], check=True)
    server.start()
    conninfo = server.conninfo(trial.database)
    # A loader without an answer to its COMMIT asks the server for a minute.
    loaded = trial.load(conninfo=conninfo, bound=200)
    enlarge(wal)
    if not server.is_running():
        print("the server had stopped")
        server.start()
    trial.passes(loaded)


# By name: how a load is started whose own output has no room.
OUTPUTS = {
    "report-full-device": {"report": "/dev/full"}, "stdout-full-device": {"stdout": "/dev/full"},
    "file-size-limit": {"wrapper": ["bash", "-c", 'ulimit -f 0; exec "$@"', "limited"]},
}


@fault("{}", OUTPUTS)
def output_full(trial: Trial, name: str) -> None:
    trial.outcome(trial.load(**OUTPUTS[name]), {74})


@fault("report-full-disk")
def report_full_disk(trial: Trial) -> None:
    disk = small_disk(trial, trial.folder / "disk", 1 << 20)
    (disk / "filler").write_bytes(bytes(1 << 20))
    trial.outcome(trial.load(report=str(disk / "report.json")), {74})
    trial.expect(not (disk / "report.json").exists(), "I4: a partial report was left")


# System calls: the N-th call fails, once or from then on; and memory

# Any exit code except 70 (internal error), because the right code depends on the purpose of the call.
ANY = set(range(-64, 256)) - {70}
# The calls that fail, with errors that they can have.
CALLS = (
    ("read", "EIO"), ("write", "ENOSPC"), ("write", "EIO"), ("write", "EINTR"), ("openat", "EMFILE"),
    ("openat", "EACCES"), ("recvfrom", "ECONNRESET"), ("recvfrom", "EINTR"), ("sendto", "EPIPE"), ("sendto", "EINTR"),
    ("poll", "EINTR"), ("fstat", "EIO"), ("lseek", "EIO"), ("close", "EIO"), ("fsync", "EIO"), ("rename", "ENOSPC"),
    ("mmap", "ENOMEM"), ("connect", "ECONNREFUSED"), ("getrandom", "EINTR"), ("clone3", "EAGAIN"),
)
QUICK = {("", "", "read", "EIO"), ("", "", "write", "ENOSPC"), ("", "", "openat", "EMFILE"),
         ("", "", "recvfrom", "ECONNRESET"), ("", "", "clone3", "EAGAIN"), ("file-", "", "read", "EIO")}
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
# By system calls, whether only calls on files count, and whether the load ends with a refresh: the number of calls by
# the busiest thread of an undisturbed run.
COUNTS: dict[tuple[str, str, bool], int] = {}
VARIANTS = [(files, more, *call) for files, calls in (("", CALLS), ("file-", FILE_CALLS)) for more in ("", "s")
            for call in calls]


@fault("{}call{}-{}-{}", VARIANTS, times=3, quick=QUICK)
def call_fails(trial: Trial, only_files: str, goes_on: str, call: str, error: str) -> None:
    """Lets a random call fail, and those after it if the fault goes on."""
    if not shutil.which("strace") or subprocess.run(["strace", "-o", "/dev/null", "true"]).returncode:
        pytest.skip("strace is not installed, or may not trace here")
    calls = NAMES.get(call, call)
    files = [option for path in trial.paths() for option in ("-P", str(path))] if only_files else []
    kind = (calls, only_files, trial.refreshes)
    if kind not in COUNTS:
        wrapper = ["strace", "-ff", "-qq", "-o", str(trial.folder / "calls"), "-e", f"trace={calls}", *files]
        trial.start(conninfo=trial.server.conninfo(trial.new_database()), wrapper=wrapper).wait()
        COUNTS[kind] = max(len(one.read_bytes().splitlines()) for one in trial.folder.glob("calls.*"))
    number = trial.random.randrange(1, COUNTS[kind] + 2)
    # A call that is always interrupted is retried without end, and rightly so; so only every other call fails.
    more = "" if not goes_on else "+2" if error == "EINTR" else "+"
    inject = f"inject={calls}:error={error}:when={number}{more}"
    wrapper = ["strace", "-f", "-q", "-o", "/dev/null", "-e", f"trace={calls}", "-e", inject, *files]
    end_or_kill(trial, trial.start(wrapper=wrapper), 15 if call in WAITS else None)


def end_or_kill(trial: Trial, running: ProgramRun, seconds: float | None) -> None:
    """Lets a run end; one that waits for what never comes is killed after these seconds."""
    if seconds and not running.run_for(seconds):
        print("waited for what never comes, ended by SIGKILL")
        trial.kill(running)
    else:
        trial.outcome(running, ANY)


@fault("memory-limit", times=12)
def memory_limit(trial: Trial) -> None:
    megabytes = trial.random.choice([60, 100, 140, 180, 220, 260, 300, 350, 400, 500, 700])
    end_or_kill(trial, trial.start(wrapper=["bash", "-c", f'ulimit -v {megabytes * 1024}; exec "$@"', "limited"]), 20)
