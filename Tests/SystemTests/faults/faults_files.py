"""Faults of input files: files that change while they are read, broken archives, and pipes."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

from data import BIG_FILE
from trial import Trial, fault


def changed(trial: Trial, change: Callable[[Path], None], allowed: set[int]) -> None:
    """Stops the loader in the middle of a file's COPY, changes the file, and resumes the loader."""
    path = trial.private_copy(BIG_FILE)
    running = trial.start(trial.paths(first=BIG_FILE), stop_at=trial.random.choice(["copy-begun", "merged"]))
    running.wait_until_stopped()
    change(path)
    if path.exists():
        trial.world.register(path)
    trial.outcome(trial.finish(running), allowed)


@fault("file-grows", "a file grows while it is read", times=2)
def grows(trial: Trial) -> None:
    def change(path: Path) -> None:
        with open(path, "ab") as file:
            file.write(b'{"userId":"late"}\n' * trial.random.randrange(1, 20))

    changed(trial, change, {5})


@fault("file-shrinks", "a file is truncated while it is read", times=2)
def shrinks(trial: Trial) -> None:
    def change(path: Path) -> None:
        lines = path.read_bytes().split(b"\n")
        kept = b"\n".join(lines[:trial.random.randrange(10, len(lines) - 10)]) + b"\n"
        os.truncate(path, len(kept))

    changed(trial, change, {5})


@fault("file-replaced", "another file is renamed over a file while it is read", times=2)
def replaced(trial: Trial) -> None:
    def change(path: Path) -> None:
        other = trial.folder / "other"
        other.write_bytes(path.read_bytes()[:0] + other_lines(path))
        other.rename(path)

    changed(trial, change, {0, 3, 5})


def other_lines(path: Path) -> bytes:
    """The same lines without the first ten."""
    return b"\n".join(path.read_bytes().split(b"\n")[10:])


@fault("file-unlinked", "a file is removed while it is read", times=2)
def unlinked(trial: Trial) -> None:
    changed(trial, lambda path: path.unlink(), {0, 3, 5})


@fault("file-rewritten",
       "a file is overwritten with bytes of the same length, and its modification time is restored", times=2)
def rewritten(trial: Trial) -> None:
    def change(path: Path) -> None:
        status = path.stat()
        content = path.read_bytes()
        with open(path, "r+b") as file:
            file.write(content.replace(b'"ONESTORE"', b'"ONESTORF"'))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    changed(trial, change, {5})


def broken_archive(trial: Trial, name: str, spoil: Callable[[bytes], bytes]) -> None:
    """Checks that a broken file fails and the others load, and repairs the file for the final load."""
    path = trial.private_copy(name)
    whole = path.read_bytes()
    path.write_bytes(spoil(whole))
    result = trial.load()
    trial.outcome(result, {5})
    failed = [name for name, status in result.statuses().items() if status == "failed"]
    if failed != [name]:
        trial.fail("I1", f"only {name} is broken, but the failed files are {failed}")
    trial.verify()
    path.write_bytes(whole)


@fault("gzip-cut", "a gzip file is truncated at a random place", times=4)
def gzip_cut(trial: Trial) -> None:
    name = trial.random.choice(["receipt-b.jsonl.gz", "levelup-b.jsonl.gz"])
    # A cut between two members would leave a valid archive of fewer members.
    broken_archive(trial, name, lambda whole: whole[:len(whole) - trial.random.randrange(1, 5000)])


@fault("gzip-corrupt", "a byte of a gzip file is changed", times=4, quick=0)
def gzip_corrupt(trial: Trial) -> None:
    def spoil(whole: bytes) -> bytes:
        at = trial.random.randrange(20, len(whole))
        return whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:]

    broken_archive(trial, "receipt-b.jsonl.gz", spoil)


@fault("zstd-cut", "a zstd file is truncated at a random place", times=2)
def zstd_cut(trial: Trial) -> None:
    name = "receipt-d.jsonl.zst"
    broken_archive(trial, name, lambda whole: whole[:trial.random.randrange(5, len(whole))])


@fault("archive-empty", "a .gz file of zero bytes")
def archive_empty(trial: Trial) -> None:
    broken_archive(trial, "receipt-b.jsonl.gz", lambda whole: b"")


@fault("pipe-stalls", "standard input stops in the middle and stays open; SIGTERM", times=2)
def pipe_stalls(trial: Trial) -> None:
    reader, writer = os.pipe()
    content = (trial.inbox / "gameuser-a.jsonl").read_bytes()
    running = trial.start(["-"], stdin=reader, options=("--stream", "game_user"))
    os.close(reader)
    os.write(writer, content[:trial.random.randrange(1, 60_000)])
    running.run_for(0.7)
    result, count = trial.end_stuck(running)
    os.close(writer)
    trial.note(f"{count} SIGTERM")
    trial.outcome(result, {143})


@fault("pipe-producer-killed", "the producer of a plain pipe is killed, so the pipe ends early", times=2)
def pipe_killed(trial: Trial) -> None:
    """The pipe looks like a short file. A cut within a line fails it; behind a line, all that arrived is loaded."""
    content = (trial.inbox / "gameuser-a.jsonl").read_bytes()
    part = trial.folder / "gameuser-a.jsonl"
    kept = content[:trial.random.randrange(1000, len(content) - 1000)]
    is_cut = trial.random.random() < 0.5
    if not is_cut:
        kept = kept[:kept.rindex(b"\n") + 1]
        part.write_bytes(kept)
        trial.world.register(part)
        fed(trial, part, "game_user", {0, 3})
        return
    # A cut before a brace is within a line.
    part.write_bytes(kept[:kept.rindex(b"}")])
    fed(trial, part, "game_user", {5})


@fault("pipe-archive-killed", "the producer of a compressed pipe is killed, so the archive is truncated", times=2)
def pipe_archive_killed(trial: Trial) -> None:
    content = (trial.inbox / "receipt-b.jsonl.gz").read_bytes()
    part = trial.folder / "receipt-b.jsonl.gz"
    part.write_bytes(content[:trial.random.randrange(1000, len(content) - 1)])
    fed(trial, part, "receipt", {5})


def fed(trial: Trial, part: Path, stream: str, allowed: set[int]) -> None:
    """Feeds a part of a file through a producer that is killed after the loader has read all of it."""
    producer = subprocess.Popen(
        ["bash", "-c", 'cat "$1"; sleep 60', "producer", str(part)], stdout=subprocess.PIPE, start_new_session=True)
    assert producer.stdout
    running = trial.start(["-"], stdin=producer.stdout.fileno(), options=("--stream", stream))
    producer.stdout.close()
    running.run_for(0.5)
    os.killpg(producer.pid, signal.SIGKILL)
    producer.wait()
    trial.outcome(trial.finish(running), allowed)
