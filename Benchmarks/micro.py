"""Counts the instructions and allocations of a line, from its bytes to its row; see scripts/bench micro.

Valgrind counts both, with the same numbers in every run on the same processor, whatever the load of
the machine. The program validates some lines and twice as many, so that the difference is the cost
of the lines without the program's start.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import tempfile
from pathlib import Path

import machine
from data import generate

# Without this variable Swift seeds its dictionaries differently in each process.
ENVIRONMENT = {"SWIFT_DETERMINISTIC_HASHING": "1", "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
SECONDS = 600


def valgrind(tool: str, program: list[str], pattern: str) -> list[int]:
    """The numbers that a valgrind tool prints of a run of the program."""
    output = "--callgrind-out-file=/dev/null" if tool == "callgrind" else "--dhat-out-file=/dev/null"
    answer = subprocess.run(
        ["valgrind", f"--tool={tool}", output, *program], stdin=subprocess.DEVNULL,
        capture_output=True, text=True, env=ENVIRONMENT, timeout=SECONDS)
    found = re.search(pattern, answer.stderr)
    if answer.returncode or not found:
        raise SystemExit(f"scripts/bench micro: {' '.join(program)}: {answer.stderr.strip()[-400:]}")
    return [int(number.replace(",", "")) for number in found.groups()]


def counts(binary: Path, stream: str, path: Path) -> list[int]:
    """Instructions, allocations and allocated bytes of a validation of a file without a bad line."""
    program = [str(binary), "validate", str(path), "--stream", stream]
    (instructions,) = valgrind("callgrind", program, r"Collected : (\d+)")
    size, blocks = valgrind("dhat", program, r"Total: +([\d,]+) bytes in ([\d,]+) blocks")
    return [instructions, blocks, size]


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench micro", allow_abbrev=False)
    parser.add_argument("--lines", type=int, default=4000, help="number of lines")
    parser.add_argument("--binary", type=Path, required=True, help="the built program")
    choice = parser.parse_args()
    version = subprocess.run(["valgrind", "--version"], capture_output=True, text=True).stdout.strip()
    print(f"Swift {machine.swift()}, {machine.processor()}, {version}; mean of {choice.lines:,} lines\n\n"
          "| stream | bytes | instructions | allocations | bytes allocated |\n| --- | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Valgrind of 2022 cannot read the debug information of current Swift versions.
        binary = folder / "gamebase-ingest"
        subprocess.run(["strip", "--strip-debug", "-o", str(binary), str(choice.binary)], check=True)
        for stream, files in generate(choice.binary, folder, 2 * choice.lines).items():
            lines = files.plain.read_bytes().splitlines(keepends=True)
            half = folder / f"half-{stream}.jsonl"
            half.write_bytes(b"".join(lines[:choice.lines]))
            once, twice = counts(binary, stream, half), counts(binary, stream, files.plain)
            instructions, allocations, size = ((b - a) / (len(lines) - choice.lines) for a, b in zip(once, twice))
            print(f"| {stream} | {files.plain.stat().st_size / len(lines):.0f} | {instructions:,.0f} | "
                  f"{allocations:.3f} | {size:,.0f} |", flush=True)


main()
