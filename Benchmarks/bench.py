"""Measures loading against the server's own limit and against other tools; see scripts/bench."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import machine
import peers
import report
from cluster import Cluster, ClusterError
from data import DataError, make, make_rows
from growth import Growth
from measuring import CommandFailed, measure
from results import Results, Sample
from sizes import Sizes
from small import SmallFiles
from ways import Way, Ways, WrongRows, loaded, prepare

ROOT = Path(__file__).parent.parent
GROWN_ROWS = 20_000_000
SMALL_FILES = 10_000
SIZES = [100_000, 300_000, 1_000_000]
# Parts of a run with their own options; --only can select one of them.
PARTS = ("growth", "small", "sizes")


def say(text: str) -> None:
    print(f"== {text}", file=sys.stderr, flush=True)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/bench", allow_abbrev=False)
    parser.add_argument("--lines", type=int, default=1_000_000, help="lines of each file")
    parser.add_argument("--rounds", type=int, default=5, help="number of measurements of each way")
    parser.add_argument(
        "--only", action="append", default=[], metavar="WAY",
        help="prefix of the ways to measure, such as receipt/ or peer/dlt; may be repeated")
    parser.add_argument("--binary", type=Path, required=True, help="program to measure")
    parser.add_argument(
        "--data", type=Path, default=Path(tempfile.gettempdir()), help="folder for files and server")
    parser.add_argument(
        "--peers", action=argparse.BooleanOptionalAction, default=True, help="measure other tools too")
    parser.add_argument(
        "--growth", type=int, nargs="?", const=GROWN_ROWS, metavar="ROWS",
        help=f"also load into a table that has grown to this many rows (default {GROWN_ROWS})")
    parser.add_argument(
        "--small", type=int, nargs="?", const=SMALL_FILES, metavar="FILES",
        help=f"also load this many files of ten lines (default {SMALL_FILES})")
    parser.add_argument(
        "--sizes", type=int, nargs="*", metavar="LINES",
        help=f"also load files with these numbers of lines (default {' '.join(map(str, SIZES))})")
    return parser.parse_args()


class Bench:
    """One run of the benchmark."""

    def __init__(self, choice: argparse.Namespace, work: Path, cluster: Cluster) -> None:
        self.choice = choice
        self.work = work
        self.cluster = cluster
        self.environment = peers.Environment(ROOT / ".build" / "bench-python")
        self.results = Results(command(), choice.lines, choice.rounds)

    def run(self) -> None:
        self._collect_facts()
        if self._wants("growth") and self.choice.growth:
            self._measure_growth()
        if self._wants("small") and self.choice.small:
            self._measure_small()
        if self._wants("sizes") and self.choice.sizes:
            self._measure_sizes()
        if self.choice.only and all(name in PARTS for name in self.choice.only):
            return
        say(f"making {self.choice.lines} lines of each stream")
        streams = make(self.choice.binary, self.work / "data", self.choice.lines)
        sizes = ", ".join(f"{files.mebibytes:.0f} MiB of {name}" for name, files in streams.items())
        self.results.facts["data"] = f"{self.choice.lines:,} lines of each stream: {sizes}"
        ways = Ways(self.choice.binary, self.cluster, streams)
        say("creating the template databases, and the rows of the limit")
        prepare(ways, self.cluster)
        for files in streams.values():
            make_rows(self.cluster, files, loaded(files.stream))
        chosen = self._chosen(ways)
        self.results.labels |= {way.name: way.label for way in chosen}
        for number in range(self.choice.rounds):
            say(f"round {number + 1} of {self.choice.rounds}: {sum(w.times for w in chosen)} loads")
            for way in in_turn(chosen, number, self.choice.rounds):
                self.cluster.fresh(way.template)
                self.measure(way, number)
        if "receipt/again" in self.results.labels:
            # Otherwise its check would have ended the run.
            self.results.repeats["receipt/fresh"] = "yes"

    def measure(self, way: Way, number: int = 0) -> None:
        """Measures a way on the current database, and checks the loaded rows."""
        taken = measure(way.commands, way.together)
        way.check(self.cluster)
        self.results.labels.setdefault(way.name, way.label)
        self.results.add(Sample(way.name, number, taken.seconds, taken.peak_kib))
        print(f"{way.name:28} {taken.seconds:8.2f} s {taken.peak_kib // 1024:6} MiB", file=sys.stderr)

    def _measure_growth(self) -> None:
        growth = Growth(
            self.choice.binary, self.cluster, self.work / "growth", self.choice.lines,
            self.measure, say)
        self.results.grown_rows = growth.run(self.choice.growth, max(3, self.choice.rounds))

    def _measure_small(self) -> None:
        say(f"making {self.choice.small} files of ten lines")
        small = SmallFiles(
            self.choice.binary, self.cluster, self.work / "small", self.choice.small, self.measure)
        self.results.small_files = self.choice.small
        self.results.statements_a_file = small.run(self.choice.rounds)

    def _measure_sizes(self) -> None:
        Sizes(
            self.choice.binary, self.cluster, self.work / "sizes", self.choice.sizes, self.measure,
            say).run(self.choice.rounds)

    def _chosen(self, ways: Ways) -> list[Way]:
        found = [way for way in ways.all() if self._wants(way.name)]
        others = [way for way in ways.by_psql() if self._wants(way.name)]
        if self.choice.peers and self._wants("peer/"):
            others += self._peers(ways)
        if others:
            say("loading a few lines twice with each of the other tools")
            check = peers.RepeatCheck(self.cluster, ways)
            for way in others:
                self.results.repeats[way.name] = check.outcome(way)
        # Every way is compared with the limit.
        groups = {"receipt" if way.group == "peer" else way.group for way in found + others}
        limits = [way for way in ways.all() if way.name.endswith("/limit") and way.group in groups]
        return [*limits, *(way for way in found if way not in limits), *others]

    def _peers(self, ways: Ways) -> list[Way]:
        say("installing the packages of the other tools, if missing")
        try:
            self.environment.make()
        except peers.NoPeers as problem:
            self.results.skipped.append(str(problem))
            say(f"SKIPPED: psycopg, ADBC, dlt and DuckDB: {problem}")
            return []
        self.results.facts["peers"] = peers.versions(self.environment)
        found = peers.ways_of_peers(self.environment, ways, self.cluster)
        return [way for way in found if self._wants(way.name)]

    def _wants(self, name: str) -> bool:
        return not self.choice.only or any(
            name.startswith(only) or only.startswith(name) for only in self.choice.only)

    def _collect_facts(self) -> None:
        changed = self.cluster.changed_settings()
        self.results.facts |= {
            "PostgreSQL": self.cluster.version(),
            "settings": "defaults" + (f" except {', '.join(changed)}" if changed else "") + " ("
            + ", ".join(f"{name} = {self.cluster.setting(name)}" for name in (
                "fsync", "synchronous_commit", "wal_level", "max_wal_size", "shared_buffers")) + ")",
            "gamebase-ingest": machine.version(self.choice.binary, ROOT), "Swift": machine.swift(),
            "Python": sys.version.split()[0], "machine": machine.machine(),
        }


def command() -> str:
    """The command line, without the paths of this machine."""
    words = iter(sys.argv[1:])
    kept = []
    for word in words:
        if word in ("--binary", "--data"):
            next(words, None)
        elif not word.startswith(("--binary=", "--data=")):
            kept.append(word)
    return shlex.join(["scripts/bench", *kept])


def in_turn(ways: list[Way], number: int, rounds: int) -> list[Way]:
    """All ways of a round, each as often as it is measured, in a different order for each round.

    A way measured twice comes once in each half of a round. The order rotates from round to round,
    so that no way profits from its position.
    """
    often = [way for way in ways if way.times > 1]
    half = len(ways) // 2
    order = ways[:half] + often + ways[half:]
    start = number * len(order) // max(1, rounds)
    return order[start:] + order[:start]


def main() -> None:
    choice = options()
    # After SIGTERM the server and the files are still removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if "growth" in choice.only and not choice.growth:
        choice.growth = GROWN_ROWS
    if "small" in choice.only and not choice.small:
        choice.small = SMALL_FILES
    if "sizes" in choice.only or choice.sizes is not None:
        choice.sizes = choice.sizes or SIZES
    work = Path(tempfile.mkdtemp(prefix="gamebase-ingest-bench.", dir=choice.data))
    os.chmod(work, 0o755)
    started = time.monotonic()
    cluster = None
    try:
        cluster = Cluster(choice.binary, work / "server")
        bench = Bench(choice, work, cluster)
        bench.run()
        results = bench.results
    except (ClusterError, CommandFailed, DataError, WrongRows) as problem:
        raise SystemExit(f"scripts/bench: {problem}") from None
    finally:
        if cluster:
            cluster.destroy()
        shutil.rmtree(work, ignore_errors=True)
    if not results.samples:
        raise SystemExit(f"scripts/bench: no way's name begins with {' or '.join(choice.only)}")
    results.facts["minutes"] = f"{(time.monotonic() - started) / 60:.0f}"
    (ROOT / ".build").mkdir(exist_ok=True)
    results.write(ROOT / ".build" / "bench.json")
    print(report.everything(results))


main()
