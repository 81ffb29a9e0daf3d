"""Counts the instructions and allocations of a line, from its bytes to its row; see scripts/bench micro.

Valgrind counts both, with the same numbers in every run on the same processor, whatever the load of
the machine. Each step runs with some lines and with twice as many, so that the difference is the cost
of the lines without the program's start.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import machine
from data import generate

STEPS = {
    "read": "find the line", "decode": "+ decode", "normalize": "+ normalize, write the values",
    "encode": "+ the whole row"}
# Without this variable Swift seeds its dictionaries differently in each process.
ENVIRONMENT = {"SWIFT_DETERMINISTIC_HASHING": "1", "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
SECONDS = 600


class CountFailed(Exception):
    """The program or valgrind failed, or gave an unexpected output."""


@dataclass(frozen=True)
class Counts:
    instructions: float
    allocations: float
    bytes: float

    def minus(self, other: Counts, lines: int) -> Counts:
        return Counts(
            (self.instructions - other.instructions) / lines,
            (self.allocations - other.allocations) / lines, (self.bytes - other.bytes) / lines)


def valgrind(tool: str, program: list[str], pattern: str) -> list[int]:
    """The numbers that a valgrind tool prints."""
    output = "--callgrind-out-file=/dev/null" if tool == "callgrind" else "--dhat-out-file=/dev/null"
    answer = subprocess.run(
        ["valgrind", f"--tool={tool}", output, *program], stdin=subprocess.DEVNULL,
        capture_output=True, text=True, env=ENVIRONMENT, timeout=SECONDS)
    found = re.search(pattern, answer.stderr)
    if answer.returncode or not found:
        last = answer.stderr.strip().splitlines()[-3:]
        raise CountFailed(f"{' '.join(program)}: exit status {answer.returncode}: {last}")
    if answer.stdout.strip() != program[3]:
        raise CountFailed(f"{' '.join(program)}: took {answer.stdout.strip()} lines")
    return [int(number.replace(",", "")) for number in found.groups()]


def count(binary: Path, stream: str, step: str, lines: int, path: Path) -> Counts:
    program = [str(binary), stream, step, str(lines), str(path)]
    (instructions,) = valgrind("callgrind", program, r"Collected : (\d+)")
    size, blocks = valgrind("dhat", program, r"Total: +([\d,]+) bytes in ([\d,]+) blocks")
    return Counts(instructions, blocks, size)


def of_a_line(binary: Path, stream: str, step: str, lines: int, path: Path) -> Counts:
    once = count(binary, stream, step, lines, path)
    twice = count(binary, stream, step, 2 * lines, path)
    return twice.minus(once, lines)


def report(rows: list[tuple[str, str, Counts]], sizes: dict[str, int], lines: int) -> str:
    text = [
        f"`scripts/bench micro --lines {lines}`: Swift {machine.swift()}, release build, "
        f"{machine.processor()}, {version()}; mean of {lines:,} lines; "
        + ", ".join(f"{stream} {size} bytes a line" for stream, size in sizes.items()), "",
        "| stream | a line is taken as far as | instructions | allocations | bytes allocated |",
        "| --- | --- | ---: | ---: | ---: |"]
    for stream, step, counts in rows:
        text.append(
            f"| {stream} | {STEPS[step]} | {counts.instructions:,.0f} | "
            f"{counts.allocations:.3f} | {counts.bytes:,.0f} |")
    return "\n".join(text)


def version() -> str:
    return subprocess.run(
        ["valgrind", "--version"], capture_output=True, text=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench micro", allow_abbrev=False)
    parser.add_argument("--lines", type=int, default=4000, help="number of lines")
    parser.add_argument("--binary", type=Path, required=True, help="the built MicroBenchmark")
    parser.add_argument("--generator", type=Path, required=True, help="the built gamebase-ingest")
    choice = parser.parse_args()
    rows: list[tuple[str, str, Counts]] = []
    sizes: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Valgrind of 2022 cannot read the debug information of current Swift versions.
        binary = folder / "MicroBenchmark"
        subprocess.run(["strip", "--strip-debug", "-o", str(binary), str(choice.binary)], check=True)
        for stream, files in generate(choice.generator, folder, 2 * choice.lines).items():
            path = files.plain
            sizes[stream] = round(path.stat().st_size / (2 * choice.lines))
            for step in STEPS:
                counts = of_a_line(binary, stream, step, choice.lines, path)
                rows.append((stream, step, counts))
                print(
                    f"{stream:10} {step:10} {counts.instructions:8.0f} instructions "
                    f"{counts.allocations:7.3f} allocations", file=sys.stderr)
    print(report(rows, sizes, choice.lines))


try:
    main()
except CountFailed as problem:
    raise SystemExit(f"scripts/bench micro: {problem}") from None
