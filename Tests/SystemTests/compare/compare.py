"""Two programs over the same input: all tables, views, exit codes and outputs are compared, and times are measured.

Run by scripts/compare, which explains the options.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

from dump import relations, start_dump
from server import Server
from steps import STEPS, Spellings, Step, make_input

ROOT = Path(__file__).resolve().parents[3]
DATABASE = "games"
SHOWN_ROWS = 5
TICKS = os.sysconf("SC_CLK_TCK")
# Texts of an output that differ between two runs of one program.
OF_THE_RUN = [(re.compile(pattern), text) for pattern, text in (
    (r"{today}[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z|\+00(:00)?)?", "{time}"), (r"{today}", "{day}"),
    (r"\b\d+(\.\d+)? m?s\b", "{seconds}"), (r"(?<=seconds[ \"])[^\n,]*", "{seconds}"),
    (r"\d+\.\d+ hours", "{hours}"), (r'(hours_[a-z_]+(?:"|\{[^}]*\}):? ?)[\d.]+', r"\1{hours}"), (r" {2,}", "  "))]


@dataclass
class Difference:
    """A place where the two programs differ, with its first lines: - old, + new."""

    place: str
    lines: list[str]
    count: int


@dataclass
class Cost:
    seconds: float
    program: float
    server: float


@dataclass
class Side:
    """One of the two programs, with a server of its own."""

    name: str
    program: Path
    folder: Path
    server: Server = field(init=False)
    spellings: Spellings = field(init=False)
    costs: dict[str, list[Cost]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.spellings = Spellings(self.program)
        (self.folder / "bin").mkdir(parents=True)
        (self.folder / "bin" / "gamebase-ingest").symlink_to(self.program)
        self.server = Server(self.folder / "server")
        self.server.make()
        self.server.configure(
            log_statement="none", shared_buffers="512MB", max_wal_size="4GB", autovacuum="on", log_min_messages="warning")
        self.server.start()

    def run(self, step: Step, data: Path) -> list[str]:
        """Runs a step, notes its cost, and returns the lines of its exit code, outputs and messages."""
        command = self.spellings.of(step.spellings)
        if command is None:
            return ["no such command"]
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("PG", "GAMEBASE_INGEST_"))} | {
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "PGHOST": str(self.server.folder), "LC_ALL": "C.UTF-8",
            "PGPORT": str(self.server.port), "PGUSER": "torture", "PGDATABASE": DATABASE, "HOME": str(self.folder)}
        out = data / "out"
        out.mkdir()
        before, start = self.server_seconds(), time.monotonic()
        with open(self.folder / "stdout", "wb") as stdout, open(self.folder / "stderr", "wb") as stderr:
            process = subprocess.Popen(["bash", "-c", command], cwd=data, env=environment, stdin=subprocess.DEVNULL,
                                       stdout=stdout, stderr=stderr)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        self.costs.setdefault(step.name, []).append(
            Cost(seconds, usage.ru_utime + usage.ru_stime, self.server_seconds() - before))
        result = [f"exit {process.returncode}"]
        for path in (self.folder / "stdout", self.folder / "stderr", *sorted(out.iterdir())):
            text = path.read_text(errors="backslashreplace")
            for own in (str(self.server.folder), f'"{self.server.port}"'):
                text = text.replace(own, "{server}")
            result += [f"{path.name}: {line}" for line in without_the_run(text).splitlines()]
        shutil.rmtree(out)
        return result

    def server_seconds(self) -> float:
        """The processor time of the server so far: of its running processes and of those that have ended."""
        postmaster = self.server.postmaster()
        children = subprocess.run(["pgrep", "-P", str(postmaster)], capture_output=True, text=True).stdout.split()
        ticks = 0
        for pid in [str(postmaster), *children]:
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            ticks += sum(map(int, fields[11:15 if pid == str(postmaster) else 13]))
        return ticks / TICKS

    def begin(self) -> None:
        """Makes the database; the digests of rows have the same secret in both."""
        self.server.drop(DATABASE)
        self.server.ask("postgres", f"create database {DATABASE}")

    def fix_digests(self) -> None:
        self.server.ask(DATABASE, r"update ingest.row_digest_key set points = '\x000102030405060708090a0b0c0d0e0f'")


def without_the_run(text: str) -> str:
    # Of the server, and of the reports, whose zone is Asia/Seoul.
    now = datetime.now(timezone.utc)
    today = "|".join(f"{day:%Y-%m-%d}" for day in (now, now + timedelta(hours=9)))
    today = f"(?:{today})"
    for pattern, stands_for in OF_THE_RUN:
        text = re.sub(pattern.pattern.replace("{today}", today), stands_for, text)
    return text


def compare_outputs(step: Step, old: list[str], new: list[str]) -> list[Difference]:
    if old == new:
        return []
    lines = [line for line in difflib.unified_diff(old, new, "", "", "", "", 0) if not line.startswith(("@@", "---", "+++"))]
    return [Difference(f"{step.name}: output", lines[:2 * SHOWN_ROWS], len(lines))]


def compare_databases(step: Step, old: Side, new: Side, start: str, folder: Path) -> list[Difference]:
    differences = []
    first, second = (relations(side.server, DATABASE) for side in (old, new))
    for relation in sorted(set(first) | set(second)):
        names = [set(side[relation]) if relation in side else None for side in (first, second)]
        if None in names:
            lines = ["- the relation" if names[1] is None else "+ the relation"]
        else:
            lines = [f"{'-' if column in names[0] else '+'} the column {column}" for column in sorted(names[0] ^ names[1])]
        if lines:
            differences.append(Difference(f"{step.name}: {relation}", lines, len(lines)))
    common = {relation: {column: text for column, text in columns.items() if column in second[relation]}
              for relation, columns in first.items() if relation in second}
    dumps = [start_dump(side.server, DATABASE, common, start, folder / f"{side.name}-rows") for side in (old, new)]
    if any([dump.wait() for dump in dumps]):
        raise RuntimeError("the rows cannot be read")
    for relation, columns in common.items():
        found = rows_that_differ(*(folder / f"{side.name}-rows" / relation for side in (old, new)))
        if found.count:
            differences.append(Difference(f"{step.name}: {relation}", ["  " + "\t".join(columns), *found.lines], found.count))
    return differences


def rows_that_differ(old: Path, new: Path) -> Difference:
    """The rows that stand in one of two sorted files."""
    found = Difference("", [], 0)
    shown = {"-": 0, "+": 0}
    with subprocess.Popen(["comm", "-3", "--output-delimiter=\x1f", old, new], stdout=subprocess.PIPE,
                          env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}) as process:
        assert process.stdout
        for row in process.stdout:
            sign = "+" if row.startswith(b"\x1f") else "-"
            found.count += 1
            shown[sign] += 1
            if shown[sign] <= SHOWN_ROWS:
                found.lines.append(f"{sign} {row.decode(errors='backslashreplace').strip(chr(31) + chr(10))[:400]}")
    return found


def one_round(old: Side, new: Side, data: Path, number: int, folder: Path) -> list[Difference]:
    differences: list[Difference] = []
    for side in (old, new):
        side.begin()
    start = datetime.now(timezone.utc).isoformat()
    for at, step in enumerate(STEPS):
        # The two take turns in being the first, since the second one finds the input in the page cache.
        order = (old, new) if (at + number) % 2 == 0 else (new, old)
        results = {side.name: side.run(step, data) for side in order}
        if step.name == "migrate":
            for side in order:
                side.fix_digests()
        if number == 0:
            differences += compare_outputs(step, results["old"], results["new"])
            if step.is_checked:
                differences += compare_databases(step, old, new, start, folder)
            print(f"{step.name}: {results['old'][0]}, {sum(d.place.startswith(step.name + ':') for d in differences)} "
                  "differences", file=sys.stderr)
    return differences


def print_costs(old: Side, new: Side) -> None:
    print("\nseconds, and processor seconds of program and server; medians, old and new")
    print(f"{'step':<22}{'s':>16}{'program':>16}{'server':>16}{'all, new/old':>14}")
    for name in old.costs:
        if name not in new.costs:
            continue
        cells = ""
        for part in ("seconds", "program", "server"):
            pair = [statistics.median(getattr(cost, part) for cost in side.costs[name]) for side in (old, new)]
            cells += f"{pair[0]:>9.2f}{pair[1]:>7.2f}"
        ratios = [b.seconds / a.seconds for a, b in zip(old.costs[name], new.costs[name])]
        print(f"{name:<22}{cells}{statistics.median(ratios):>7.2f} ({min(ratios):.2f}-{max(ratios):.2f})")


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/compare", description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--lines", type=int, default=20000, help="generated lines of each stream")
    parser.add_argument("--days", type=int, default=30, help="the days of the generated data")
    parser.add_argument("--data", type=Path, help="a folder of generated data, in place of generating it")
    parser.add_argument("--rounds", type=int, default=1, help="measure this often; only the first round compares")
    parser.add_argument("--keep", action="store_true", help="keep both servers' folders")
    chosen = parser.parse_args()
    begun = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="gamebase-ingest-compare."))
    folder.chmod(0o755)
    data = folder / "data"
    data.mkdir()
    sides: list[Side] = []
    try:
        make_input(data, chosen.old.resolve(), ROOT / "Tests" / "Fixtures", chosen.lines, chosen.days, chosen.data)
        for name, program in (("old", chosen.old), ("new", chosen.new)):
            sides.append(Side(name, program.resolve(), folder / name))
        differences: list[Difference] = []
        for number in range(chosen.rounds):
            differences += one_round(*sides, data, number, folder)
        for difference in differences:
            print(f"\n{difference.place}: {difference.count} lines differ", *difference.lines, sep="\n")
        print_costs(*sides)
        print(f"\n{len(differences)} differences; {time.monotonic() - begun:.0f} s")
        return 1 if differences else 0
    finally:
        for side in sides:
            side.server.stop(check=False)
        if not chosen.keep:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
