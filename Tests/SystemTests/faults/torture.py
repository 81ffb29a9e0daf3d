"""Runs loads under each listed fault, and checks all invariants after each.

Run by scripts/torture, which explains the options.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import itertools
import subprocess
import sys
import time
import traceback
from collections.abc import Iterable
from pathlib import Path

import data
from invariants import Violation
from line_rules import Settings
from loader import Loader, NeverStopped
from report import Tally, write_report
from selftest import blind_spots
from server import ServerError
from trial import FAULTS, Fault, Skip, Trial, World
from workers import Tasks, build_golden, end_on_signals, existing_program, results_of, temporary_folder

OBSERVED_AT = "2025-07-01T00:00:00Z"
OBSERVED_AT_MS = 1_751_328_000_000

# A fault and the number of its repetition.
Task = tuple[Fault, int]

for _module in sorted(Path(__file__).parent.glob("faults_*.py")):
    importlib.import_module(_module.stem)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/torture", description=__doc__, allow_abbrev=False)
    parser.add_argument("--seed", type=int, default=1, help="seed of all random choices")
    parser.add_argument("--rounds", type=int, default=1, help="number of passes over the list of faults")
    parser.add_argument("--only", action="append", default=[], metavar="NAME",
                        help="a fault, or the beginning of its name; repeatable")
    parser.add_argument("--number", type=int, metavar="N",
                        help="only this repetition of a fault; a violation prints its number")
    parser.add_argument("--quick", action="store_true", help="a short run of 15 minutes instead of a night")
    parser.add_argument("--sample", type=int, metavar="N", help="only N repetitions, the same for the same seed")
    parser.add_argument("--binary", type=Path, help="the program to test")
    parser.add_argument("--report", type=Path, help="write the table of faults to this document")
    parser.add_argument("--workers", type=int, default=1, metavar="N",
                        help="number of faults at the same time, each with its own server")
    parser.add_argument("--list", action="store_true", help="only print the faults")
    return parser.parse_args()


def build_world(seed: int, folder: Path, binary: Path, scale: float, is_first: bool) -> World:
    """Creates the servers and the data, and checks undisturbed runs line by line; for the first worker also the checks."""
    loader = Loader(binary, folder / "references", OBSERVED_AT)
    golden = build_golden(folder, binary)
    server = golden.copy(folder / "server")
    server.start()
    paths = data.make(folder / "data", seed, scale)
    settings = Settings(OBSERVED_AT_MS, int(time.time() * 1000))
    world = World(seed, folder, golden, server, loader, paths, settings)
    for path in paths:
        world.register(path)
    for refreshes in (True, False):
        world.seconds[refreshes] = undisturbed(world, refreshes, is_first and not refreshes)
    return world


def undisturbed(world: World, refreshes: bool, is_self_test: bool) -> float:
    """Checks a run without a fault, then perhaps the checks themselves; returns the seconds of the run."""
    trial = Trial(world, "undisturbed", 0)
    trial.refreshes = refreshes
    try:
        result = trial.load()
        trial.verify()
        trial.conclude()
        missed = blind_spots(trial) if is_self_test else []
    finally:
        trial.close()
    if missed:
        raise SystemExit(f"torture: the checks do not detect {', '.join(missed)}")
    if result.code != 3 or trial.violations:
        raise SystemExit(
            f"torture: the undisturbed run failed: exit {result.code} {result.text}\n"
            + "\n".join(map(str, trial.violations)))
    return result.seconds


def run_fault(world: World, chosen: Fault, number: int, tally: Tally) -> list[Violation]:
    """Runs one repetition of a fault."""
    trial = Trial(world, chosen.name, number)
    started = time.monotonic()
    try:
        chosen.run(trial)
        trial.verify()
        trial.conclude()
    except Skip as reason:
        tally.skip(chosen, str(reason))
        return []
    except (ServerError, NeverStopped, RuntimeError, OSError) as error:
        # The suite itself failed; an unchecked fault must not count as passed.
        traceback.print_exc()
        trial.fail("I5", f"the suite failed: {error!r}")
    finally:
        try:
            trial.close()
        except (ServerError, OSError) as error:
            trial.fail("I7", f"the suite's cleanup failed: {error!r}")
    tally.add(chosen, trial.notes, trial.violations, time.monotonic() - started)
    return trial.violations


def main() -> int:
    chosen = options()
    faults = [
        one for one in FAULTS.values() if not chosen.only or any(one.name.startswith(name) for name in chosen.only)]
    if not faults:
        print("torture: --only matches no fault; --list prints their names", file=sys.stderr)
        return 64
    if chosen.list:
        for one in faults:
            print(f"{one.name:34} {one.what}")
        return 0
    [chosen.binary] = existing_program("torture", chosen.binary)
    end_on_signals()
    tasks = [
        (one, number) for one in faults
        for number in (range((one.quick if chosen.quick else one.times) * chosen.rounds)
                       if chosen.number is None else [chosen.number])]
    if chosen.sample is not None:
        # The order of digests: a new fault moves only itself into or out of the sample.
        drawn = sorted(tasks, key=lambda task: hashlib.sha256(f"{chosen.seed} {task[0].name} {task[1]}".encode()).digest())
        tasks = [task for task in tasks if task in drawn[:chosen.sample]]
    tally = inject(chosen, tasks) if chosen.workers < 2 else inject_in_parallel(chosen, tasks)
    return conclude(tally, chosen)


def inject(chosen: argparse.Namespace, tasks: Iterable[Task], is_first: bool = True) -> Tally:
    """Runs these repetitions of faults one after another, in servers of their own."""
    world = None
    kind = "--quick " if chosen.quick else ""
    tally = Tally(f"{kind}--seed {chosen.seed} --rounds {chosen.rounds}")
    with temporary_folder("torture") as folder:
        try:
            world = build_world(chosen.seed, folder, chosen.binary, 0.3 if chosen.quick else 1.0, is_first)
            world.orders = 1 if chosen.quick else 4
            print(f"== seed {chosen.seed}; an undisturbed run takes {world.seconds[False]:.2f} s, and "
                  f"{world.seconds[True]:.2f} s with a refresh", flush=True)
            for one, its_tasks in itertools.groupby(tasks, lambda task: task[0]):
                for _, number in its_tasks:
                    for violation in run_fault(world, one, number, tally):
                        print(f"VIOLATED by {one.name}: {violation}\n  repeat with: scripts/torture "
                              f"--seed {chosen.seed} --only {one.name} --number {number}", flush=True)
                print(tally.line(one), flush=True)
            tally.versions = versions(world)
        finally:
            if world:
                world.server.destroy()
                world.golden.destroy()
    return tally


def inject_in_parallel(chosen: argparse.Namespace, tasks: list[Task]) -> Tally:
    """Gives each task to the next free worker, and adds up what the workers counted."""
    shared = Tasks(tasks)
    return Tally.sum(list(results_of(
        chosen.workers, lambda worker, hand_over: hand_over(inject(chosen, shared, is_first=worker == 0)))))


def versions(world: World) -> str:
    server = world.server.value("postgres", "show server_version")
    program = subprocess.run([str(world.loader.binary), "--version"], capture_output=True, text=True).stdout.strip()
    return f"gamebase-ingest {program}, PostgreSQL {server}"


def conclude(tally: Tally, chosen: argparse.Namespace) -> int:
    """Prints the totals and returns the exit status."""
    print(tally.summary())
    if chosen.report:
        write_report(chosen.report, tally)
    # CI counts tests by this line.
    failed = sum(1 for line in tally.lines.values() if line.violations)
    print(f"torture: {len(tally.lines) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
