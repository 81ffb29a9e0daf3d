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
import time
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path

from dump import copied, relations
from server import Server, folder_of_servers
from steps import CHECKED, STEPS, make_input

ROOT = Path(__file__).resolve().parents[3]
DATABASE = "games"
SHOWN_ROWS = 5
WRONG_USE = 64
TICKS = os.sysconf("SC_CLK_TCK")
# Texts of an output that differ between two runs of one program.
OF_THE_RUN = (
    (r"{today}[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z|\+00(:00)?)?", "{time}"), (r"{today}", "{day}"),
    (r"\b\d+(\.\d+)? m?s\b", "{seconds}"), (r"(?<=seconds[ \"])[^\n,]*", "{seconds}"),
    (r"\d+\.\d+ hours", "{hours}"), (r'(hours_[a-z_]+(?:"|\{[^}]*\}):? ?)[\d.]+', r"\1{hours}"), (r" {2,}", "  "))
# By place: the lines that differ, - old, + new.
Differences = dict[str, list[str]]


class Side:
    """One of the two programs, with a server of its own."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.folder = folder
        # By step: seconds, and processor seconds of the program and of the server, of each round.
        self.costs: dict[str, list[tuple[float, float, float]]] = {}
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "gamebase-ingest").symlink_to(program)
        self.server = Server(folder / "server")
        self.server.make()
        self.server.configure(
            log_statement="none", shared_buffers="512MB", max_wal_size="4GB", autovacuum="on",
            log_min_messages="warning")
        self.server.start()

    def run(self, step: str, spellings: list[str], data: Path) -> list[str]:
        """Runs a step, notes its cost, and returns the lines of its exit code, outputs and messages."""
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("PG", "GAMEBASE_INGEST_"))} | {
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "PGHOST": str(self.server.folder), "LC_ALL": "C.UTF-8",
            "PGPORT": str(self.server.port), "PGUSER": "torture", "PGDATABASE": DATABASE, "HOME": str(self.folder)}
        out = data / "out"
        out.mkdir()
        before, start = self.server_seconds(), time.monotonic()
        for command in spellings:
            with open(self.folder / "stdout", "wb") as stdout, open(self.folder / "stderr", "wb") as stderr:
                process = subprocess.Popen(["bash", "-c", command], cwd=data, env=environment,
                                           stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr)
                _, status, usage = os.wait4(process.pid, 0)
            # The process has been waited for.
            code = process.returncode = os.waitstatus_to_exitcode(status)
            if code != WRONG_USE:
                break
        self.costs.setdefault(step, []).append((
            time.monotonic() - start, usage.ru_utime + usage.ru_stime, self.server_seconds() - before))
        result = [f"exit {code}"]
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


def without_the_run(text: str) -> str:
    # Of the server, and of the reports, whose zone is Asia/Seoul.
    now = datetime.now(timezone.utc)
    today = "|".join(f"{day:%Y-%m-%d}" for day in (now, now + timedelta(hours=9)))
    for pattern, stands_for in OF_THE_RUN:
        text = re.sub(pattern.replace("{today}", f"(?:{today})"), stands_for, text)
    return text


def compare_databases(step: str, old: Side, new: Side, start: str) -> Differences:
    differences: Differences = {}
    first, second = (relations(side.server, DATABASE) for side in (old, new))
    for relation in sorted({*first, *second}):
        if relation in first and relation in second:
            one, other = first[relation], second[relation]
            lines = [f"{'-' if column in one else '+'} the column {column}" for column in sorted({*one} ^ {*other})]
            common = {column: text for column, text in one.items() if column in other}
            lines += rows_that_differ(copied(relation, common, start), "\t".join(common), old.server, new.server)
        else:
            lines = ["- the relation" if relation in first else "+ the relation"]
        if lines:
            differences[f"{step}: {relation}"] = lines
    return differences


def rows_that_differ(copy: str, header: str, old: Server, new: Server) -> list[str]:
    """The rows that one server has more often than the other."""
    before, after = (Counter(row for [row] in server.ask(DATABASE, "set timezone = 'UTC'", copy))
                     for server in (old, new))
    gone, added = sorted((before - after).elements()), sorted((after - before).elements())
    found = [*(f"- {row}" for row in gone), *(f"+ {row}" for row in added)]
    return [f"  {header}", *found] if found else []


def one_round(old: Side, new: Side, data: Path, number: int) -> Differences:
    differences: Differences = {}
    for side in (old, new):
        side.server.drop(DATABASE)
        side.server.ask("postgres", f"create database {DATABASE}")
    start = datetime.now(timezone.utc).isoformat()
    for at, (step, *spellings) in enumerate(STEPS):
        # The two take turns in being the first, since the second one finds the input in the page cache.
        order = (old, new) if (at + number) % 2 == 0 else (new, old)
        results = {side: side.run(step, spellings, data) for side in order}
        if step == "migrate":
            # The digests of rows have the same secret in both.
            for side in order:
                side.server.ask(
                    DATABASE, r"update ingest.row_digest_key set points = '\x000102030405060708090a0b0c0d0e0f'")
        if number == 0:
            found: Differences = {}
            lines = [line for line in difflib.unified_diff(results[old], results[new], "", "", "", "", 0)
                     if not line.startswith(("@@", "---", "+++"))]
            if lines:
                found[f"{step}: output"] = lines
            if step in CHECKED:
                found |= compare_databases(step, old, new, start)
            print(f"{step}: {results[old][0]}, {len(found)} differences", file=sys.stderr)
            differences |= found
    return differences


def print_differences(differences: Differences) -> None:
    for place, lines in differences.items():
        shown = [line for sign in " -+" for line in [one for one in lines if one[0] == sign][:SHOWN_ROWS]]
        count = sum(line[0] != " " for line in lines)
        print(f"\n{place}: {count} lines differ", *(line[:400] for line in shown), sep="\n")


def print_costs(old: Side, new: Side) -> None:
    print("\nseconds, and processor seconds of program and server; medians, old and new")
    print(f"{'step':<22}{'s':>16}{'program':>16}{'server':>16}{'all, new/old':>14}")
    for step in [step for step in old.costs if step in new.costs]:
        # The three figures of both sides, each over the rounds.
        pairs = zip(zip(*old.costs[step]), zip(*new.costs[step]))
        cells = "".join(f"{statistics.median(one):>9.2f}{statistics.median(two):>7.2f}" for one, two in pairs)
        ratios = [two[0] / one[0] for one, two in zip(old.costs[step], new.costs[step])]
        print(f"{step:<22}{cells}{statistics.median(ratios):>7.2f} ({min(ratios):.2f}-{max(ratios):.2f})")


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/compare", description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--lines", type=int, default=20000, help="generated lines of each stream")
    parser.add_argument("--days", type=int, default=30, help="the days of the generated data")
    parser.add_argument("--rounds", type=int, default=1, help="measure this often; only the first round compares")
    chosen = parser.parse_args()
    begun = time.monotonic()
    differences: Differences = {}
    with folder_of_servers("compare") as folder:
        data = folder / "data"
        data.mkdir()
        make_input(data, chosen.new.resolve(), ROOT / "Tests" / "Fixtures", chosen.lines, chosen.days)
        old, new = Side(chosen.old.resolve(), folder / "old"), Side(chosen.new.resolve(), folder / "new")
        for number in range(chosen.rounds):
            differences |= one_round(old, new, data, number)
    print_differences(differences)
    print_costs(old, new)
    print(f"\n{len(differences)} differences; {time.monotonic() - begun:.0f} s")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
