"""Faults of full disks: the server's data, the server's WAL, and the loader's own outputs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from server import chown_to_server
from trial import Skip, Trial, fault


def small_disk(trial: Trial, path: Path, megabytes: int) -> None:
    """Mounts a small file system; this needs root."""
    if os.geteuid() != 0 or not shutil.which("mount"):
        raise Skip("needs root, to mount a small disk")
    path.mkdir(parents=True, exist_ok=True)
    answer = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(path)],
        capture_output=True, text=True)
    if answer.returncode:
        raise Skip(f"a small disk cannot be mounted: {answer.stderr.strip()}")

    def unmount() -> None:
        for server in trial.own_servers:
            if server.is_running():
                server.stop("immediate", check=False)
        subprocess.run(["umount", "-l", str(path)], check=True)

    trial.cleanups.append(unmount)


def enlarge(path: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=512m", str(path)], check=True)


@fault("server-data-full", "the disk of the server's tables is full, and later enlarged", times=3)
def data_full(trial: Trial) -> None:
    disk = trial.folder / "disk"
    trial.own_server()
    small_disk(trial, disk, trial.random.randrange(13, 19))
    chown_to_server(disk)
    trial.server.start()
    trial.server.ask("postgres", f"create tablespace small location '{disk}'")
    trial.database = trial.world.new_database(trial.server, tablespace="small")
    result = trial.load()
    # Even a query can need room, to write a page that a load has changed.
    enlarge(disk)
    if result.code in (0, 3):
        trial.note("all of it fitted")
    else:
        trial.outcome(result, {69, 75})
        trial.check_failed_files(result)
        trial.verify()


@fault("server-wal-full", "the disk of the WAL is full, and the server stops itself (PANIC)", times=2)
def wal_full(trial: Trial) -> None:
    disk = trial.folder / "wal"
    server = trial.own_server(max_wal_size="512MB", min_wal_size="2MB", checkpoint_timeout="1d")
    small_disk(trial, disk, trial.random.randrange(13, 16))
    wal = server.data / "pg_wal"
    subprocess.run(f"mv '{wal}'/* '{disk}'/", shell=True, check=True)
    wal.rmdir()
    wal.symlink_to(disk)
    subprocess.run(["chown", "-hR", "--reference", str(server.data), str(disk), str(wal)], check=True)
    server.start()
    trial.database = trial.world.new_database(server)
    # The WAL of the load must not fit.
    filler = disk / "filler"
    free = os.statvfs(disk)
    filler.write_bytes(b"x" * max(0, free.f_bavail * free.f_bsize - 3_500_000))
    # A loader without an answer to its COMMIT asks the server for a minute.
    result = trial.load(bound=200)
    filler.unlink()
    enlarge(disk)
    if result.code in (0, 3):
        trial.note("all of it fitted")
    else:
        trial.outcome(result, {69, 75})
    if not server.is_running():
        trial.note("the server had stopped")
        server.start()
    server.wait_until_ready()
    trial.check_failed_files(result)


def reported(trial: Trial, allowed: set[int], **more: object) -> None:
    """Runs a load that succeeds but cannot write its report."""
    result = trial.load(**more)
    trial.outcome(result, allowed)


@fault("report-full-device", "the report goes to /dev/full")
def report_full_device(trial: Trial) -> None:
    reported(trial, {74}, report="/dev/full")


@fault("report-full-disk", "the report goes to a full disk")
def report_full_disk(trial: Trial) -> None:
    disk = trial.folder / "small"
    small_disk(trial, disk, 1)
    free = os.statvfs(disk)
    (disk / "filler").write_bytes(b"x" * (free.f_bavail * free.f_bsize))
    reported(trial, {74}, report=str(disk / "report.json"))
    if (disk / "report.json").exists():
        trial.fail("I4", "a partial report was left")


@fault("stdout-full-device", "the summary goes to /dev/full")
def stdout_full_device(trial: Trial) -> None:
    reported(trial, {74}, stdout="/dev/full")


@fault("file-size-limit", "ulimit -f 0: no file can be written")
def file_size_limit(trial: Trial) -> None:
    reported(trial, {74}, wrapper=["bash", "-c", 'ulimit -f 0; exec "$@"', "limited"])
