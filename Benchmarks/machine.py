"""The hardware and software of a run."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path

from server import ROOT, Server, output

SETTINGS = ("fsync", "synchronous_commit", "wal_level", "max_wal_size", "shared_buffers")


def facts(server: Server) -> dict[str, str]:
    cores, memory = len(os.sched_getaffinity(0)), os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 30
    processor = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    swift = re.search(r"Swift version ([0-9.]+)", output("swift", "--version"))
    settings = ", ".join(f"{name} = {server.ask('postgres', f'show {name}')}" for name in SETTINGS)
    built = ""
    if ROOT in server.program.parents:
        built = f", commit {output('git', '-C', ROOT, 'describe', '--always', '--dirty')}"
    return {
        "machine": f"{cores} cores ({processor[1] if processor else platform.machine()}), {memory} GiB of memory, "
        f"Linux {platform.release()}",
        "PostgreSQL": f"{server.ask('postgres', 'show server_version').split()[0]} with default settings ({settings})",
        "gamebase-ingest": output(server.program, "--version") + built,
        "Swift": swift[1] if swift else "unknown", "Python": platform.python_version()}
