"""The hardware and software of a run."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from pathlib import Path


def processor() -> str:
    found = re.search(r"model name\s*: (.*)", _read("/proc/cpuinfo"))
    return found[1].strip() if found else platform.machine()


def memory() -> str:
    found = re.search(r"MemTotal:\s+(\d+) kB", _read("/proc/meminfo"))
    return f"{int(found[1]) / (1 << 20):.0f} GiB of memory" if found else "memory unknown"


def machine() -> str:
    cores = len(os.sched_getaffinity(0))
    return f"{cores} cores ({processor()}), {memory()}, Linux {platform.release()}"


def swift() -> str:
    answer = _output(["swift", "--version"])
    found = re.search(r"Swift version ([0-9.]+)", answer)
    return found[1] if found else "unknown"


def version(binary: Path, root: Path) -> str:
    """The program's version, and the commit if it was built in this repository."""
    name = _output([str(binary), "--version"])
    if root not in binary.resolve().parents:
        return name
    commit = _output(["git", "-C", str(root), "rev-parse", "--short=10", "HEAD"])
    changed = _output(["git", "-C", str(root), "status", "--porcelain", "--", "Sources", "sql"])
    return f"{name}, commit {commit or 'unknown'}" + (" and changes" if changed else "")


def _output(command: list[str]) -> str:
    try:
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
