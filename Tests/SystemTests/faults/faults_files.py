"""Faults of input files: files that change while they are read, broken archives, and pipes."""

from __future__ import annotations

import functools
import os
import random
import subprocess
from collections.abc import Callable

from data import BIG_FILE
from loader import ProgramRun
from streams import stream_of
from trial import Trial, fault


@fault("file-{}", ("grows", "shrinks", "replaced", "unlinked", "rewritten"), times=2)
def changed(trial: Trial, how: str) -> None:
    """Stops the loader in the middle of a file's COPY, changes the file, and resumes the loader."""
    path = trial.private_copy(BIG_FILE)
    running = trial.start(trial.paths(first=BIG_FILE), stop_at=trial.random.choice(["copy-begun", "merged"]))
    running.wait_until_stopped()
    status = path.stat()
    content = path.read_bytes()
    lines = content.split(b"\n")
    if how == "grows":
        with open(path, "ab") as file:
            file.write(b"\n" * trial.random.randrange(1, 20))
    elif how == "shrinks":
        kept = lines[:trial.random.randrange(10, len(lines) - 10)]
        os.truncate(path, len(b"\n".join(kept)) + 1)
    elif how == "replaced":
        # Without the first lines, under the same name.
        other = trial.folder / "other"
        other.write_bytes(b"\n".join(lines[10:]))
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


Spoil = Callable[[random.Random, bytes], bytes]


def cut_at_the_end(chance: random.Random, whole: bytes) -> bytes:
    # A cut between two members would leave a valid archive of fewer members.
    return whole[:len(whole) - chance.randrange(1, 5000)]


def one_byte_changed(chance: random.Random, whole: bytes) -> bytes:
    at = chance.randrange(20, len(whole))
    return whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:]


# By name: the archives, how one is broken, and the repetitions of a long run and of a quick one.
BROKEN: dict[str, tuple[list[str], Spoil, int, int]] = {
    "gzip-cut": (["receipt-b.jsonl.gz", "levelup-b.jsonl.gz"], cut_at_the_end, 4, 1),
    "gzip-corrupt": (["receipt-b.jsonl.gz"], one_byte_changed, 4, 0),
    "zstd-cut": (["receipt-d.jsonl.zst"], lambda chance, whole: whole[:chance.randrange(5, len(whole))], 2, 1),
    "archive-empty": (["receipt-b.jsonl.gz"], lambda chance, whole: b"", 1, 1),
}


def broken_archive(trial: Trial, names: list[str], spoil: Spoil) -> None:
    """Checks that a broken file fails and the others load, and repairs the file for the final load."""
    chosen = trial.random.choice(names)
    path = trial.private_copy(chosen)
    whole = path.read_bytes()
    path.write_bytes(spoil(trial.random, whole))
    loaded = trial.load()
    trial.outcome(loaded, {5})
    failed = [name for name, status in loaded.statuses().items() if status == "failed"]
    trial.expect(failed == [chosen], f"I1: only {chosen} is broken, but the failed files are {failed}")
    trial.verify()
    path.write_bytes(whole)


for _name, (_names, _spoil, _times, _quick) in BROKEN.items():
    fault(_name, times=_times, quick=_quick)(functools.partial(broken_archive, names=_names, spoil=_spoil))


@fault("pipe-stalls", times=2)
def pipe_stalls(trial: Trial) -> None:
    """Standard input stops in the middle and stays open, until SIGTERM."""
    content = (trial.inbox / "gameuser-a.jsonl").read_bytes()
    _, running = fed(trial, "gameuser-a.jsonl", content[:trial.random.randrange(1, 60_000)])
    trial.outcome(trial.end_stuck(running), {143})


@fault("pipe-producer-killed", times=2)
def pipe_killed(trial: Trial) -> None:
    """The pipe looks like a short file. A cut within a line fails it; behind a line, all that arrived is loaded."""
    content = (trial.inbox / "gameuser-a.jsonl").read_bytes()
    kept = content[:trial.random.randrange(1000, len(content) - 1000)]
    is_cut = trial.random.random() < 0.5
    # A cut before a brace is within a line.
    part = kept[:kept.rindex(b"}") if is_cut else kept.rindex(b"\n") + 1]
    producer, running = fed(trial, "gameuser-a.jsonl", part)
    if not is_cut:
        trial.world.register(trial.folder / "gameuser-a.jsonl")
    producer.kill()
    trial.outcome(running, {5} if is_cut else {0, 3})


@fault("pipe-archive-killed", times=2)
def pipe_archive_killed(trial: Trial) -> None:
    content = (trial.inbox / "receipt-b.jsonl.gz").read_bytes()
    producer, running = fed(trial, "receipt-b.jsonl.gz", content[:trial.random.randrange(1000, len(content) - 1)])
    producer.kill()
    trial.outcome(running, {5})


def fed(trial: Trial, name: str, content: bytes) -> tuple[subprocess.Popen[bytes], ProgramRun]:
    """Starts a load of a part of a file, from a producer that then stalls; the load has read all of the part."""
    part = trial.folder / name
    part.write_bytes(content)
    producer = subprocess.Popen(
        ["bash", "-c", 'cat "$1"; exec sleep 60', "producer", str(part)], stdout=subprocess.PIPE)
    trial.exits.callback(producer.wait)
    trial.exits.callback(producer.kill)
    assert producer.stdout
    with producer.stdout as pipe:
        running = trial.start(["-"], stdin=pipe.fileno(), options=("--stream", stream_of(name)))
    running.run_for(0.7)
    return producer, running
