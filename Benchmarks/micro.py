"""Counts the instructions and allocations of a line, from its bytes to its row.

Valgrind counts both, with the same numbers in every run on the same processor, whatever the load of the machine. The
program validates some lines and twice as many, so that the difference is the cost of the lines without the program's
start.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
from pathlib import Path

import machine
from data import first_lines, generate
from server import BenchError, Server, output

# Without the first variable Swift seeds its dictionaries differently in each process.
ENVIRONMENT = {"SWIFT_DETERMINISTIC_HASHING": "1", "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lines", type=int, default=4000, help="number of lines")


def run(choice: argparse.Namespace, server: Server, work: Path) -> None:
    found = machine.facts(server)
    print(f"Swift {found['Swift']}, {found['machine']}, {output('valgrind', '--version')}; mean of {choice.lines:,} lines\n"
          "\n| stream | bytes a line | instructions | allocations | bytes allocated |\n| --- | ---: | ---: | ---: | ---: |")
    # Valgrind of 2022 cannot read the debug information of current Swift versions.
    output("strip", "--strip-debug", "-o", work / "stripped", server.program)
    for stream, files in generate(server.program, work, 2 * choice.lines).items():
        half = first_lines(files, choice.lines, work / stream)
        once, twice = (counts(work / "stripped", stream, path) for path in (half.plain, files.plain))
        instructions, size, allocations = ((b - a) / choice.lines for a, b in zip(once, twice))
        print(f"| {stream} | {files.plain.stat().st_size / files.lines:.0f} | {instructions:,.0f} | {allocations:.3f} | "
              f"{size:,.0f} |", flush=True)


def counts(program: Path, stream: str, path: Path) -> list[int]:
    """Instructions, allocated bytes and allocations of a validation of a file without a bad line."""
    found: list[int] = []
    for tool, pattern in (("callgrind", r"Collected : (\d+)"), ("dhat", r"Total: +([\d,]+) bytes in ([\d,]+) blocks")):
        answer = subprocess.run(
            ["valgrind", f"--tool={tool}", f"--{tool}-out-file=/dev/null", program, "validate", path, "--stream", stream],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, env=ENVIRONMENT)
        numbers = re.search(pattern, answer.stderr)
        if answer.returncode or not numbers:
            raise BenchError(f"valgrind of {path.name}: {answer.stderr.strip()[-400:]}")
        found += [int(number.replace(",", "")) for number in numbers.groups()]
    return found
