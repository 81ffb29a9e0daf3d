"""Faults of full disks: the server's data, the server's WAL, and the loader's own outputs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from server import chown_to_server
from trial import Trial, fault


def small_disk(trial: Trial, path: Path, megabytes: int) -> None:
    """Mounts a small file system; this needs root. A server on it must be made later, so that it ends earlier."""
    path.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(path)]
    if os.geteuid() != 0 or subprocess.run(command).returncode:
        pytest.skip("a small disk cannot be mounted; this needs root")
    trial.exits.callback(subprocess.run, ["umount", "-l", str(path)], check=True)


def enlarge(path: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=512m", str(path)], check=True)


def fill(path: Path, left: int = 0) -> Path:
    """Writes a file that leaves this number of bytes on a disk."""
    free = os.statvfs(path)
    filler = path / "filler"
    filler.write_bytes(b"x" * max(0, free.f_bavail * free.f_bsize - left))
    return filler


@fault("server-data-full", times=3)
def data_full(trial: Trial) -> None:
    """The disk of the server's tables is full, and later enlarged."""
    disk = trial.folder / "disk"
    small_disk(trial, disk, trial.random.randrange(16, 22))
    chown_to_server(disk)
    trial.own_server().start()
    trial.server.ask("postgres", f"create tablespace small location '{disk}'")
    trial.database = trial.new_database(tablespace="small")
    loaded = trial.load()
    # Even a query can need room, to write a page that a load has changed.
    enlarge(disk)
    # All of it may have fitted.
    trial.passes(loaded)
    trial.verify()


@fault("server-wal-full", times=2)
def wal_full(trial: Trial) -> None:
    """The disk of the WAL is full, and the server stops itself (PANIC)."""
    disk = trial.folder / "wal"
    small_disk(trial, disk, trial.random.randrange(13, 16))
    server = trial.own_server(max_wal_size="512MB", min_wal_size="2MB", checkpoint_timeout="1d")
    wal = server.data / "pg_wal"
    subprocess.run(f"mv '{wal}'/* '{disk}'/", shell=True, check=True)
    wal.rmdir()
    wal.symlink_to(disk)
    subprocess.run(["chown", "-hR", "--reference", str(server.data), str(disk), str(wal)], check=True)
    server.start()
    conninfo = server.conninfo(trial.database)
    # The WAL of the load must not fit.
    filler = fill(disk, 3_500_000)
    # A loader without an answer to its COMMIT asks the server for a minute.
    loaded = trial.load(conninfo=conninfo, bound=200)
    filler.unlink()
    enlarge(disk)
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
    disk = trial.folder / "small"
    small_disk(trial, disk, 1)
    fill(disk)
    trial.outcome(trial.load(report=str(disk / "report.json")), {74})
    trial.expect(not (disk / "report.json").exists(), "I4: a partial report was left")
