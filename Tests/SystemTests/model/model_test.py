"""Runs random sequences of all commands, and compares the database with a model after each step.

Run by scripts/model-test, which explains the options.
"""

from __future__ import annotations

import argparse
import multiprocessing
import shutil
import signal
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass
from pathlib import Path

from cluster import new_server
from model_run import Run, World
from server import Server, ServerError
from steps import WEIGHTS
from universe import INGREDIENTS
from violated import Violated


@dataclass
class Verdict:
    run: int
    steps: int
    seconds: float
    # None means that database and model agreed.
    violation: str | None = None


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/model-test", description=__doc__, allow_abbrev=False)
    parser.add_argument("--seed", type=int, default=1, help="seed of all random choices")
    parser.add_argument("--runs", type=int, default=100, help="number of runs, each on a new database")
    parser.add_argument("--steps", type=int, default=120, help="number of steps of a run")
    parser.add_argument("--seconds", type=float, metavar="BUDGET",
                        help="start no further run after this time")
    parser.add_argument("--workers", type=int, default=1, help="number of parallel runs")
    parser.add_argument("--run", type=int, metavar="N", help="do only this run")
    parser.add_argument("--upto", type=int, metavar="STEP", help="end after this step")
    parser.add_argument("--skip", default="", metavar="STEPS",
                        help="leave these steps out, such as 3,5,9-20")
    parser.add_argument("--shrink", action="store_true",
                        help="after a violation, find the steps that are needed for it")
    parser.add_argument("--without", action="append", default=[],
                        choices=[*WEIGHTS, *INGREDIENTS],
                        help="leave out a kind of step or of data, such as one with a known violation")
    parser.add_argument("--cluster", type=int, metavar="SHARDS",
                        help="on a Citus cluster of three servers, whose programs must have the extension")
    parser.add_argument("--binary", type=Path, help="the program to test")
    parser.add_argument("--report", type=Path, help="write the violations to this file")
    parser.add_argument("--keep-going", action="store_true",
                        help="start further runs after a violation")
    return parser.parse_args()


def skipped(text: str) -> frozenset[int]:
    """The numbers of a list such as 3,5,9-20."""
    numbers: set[int] = set()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        numbers |= set(range(int(first), int(last or first) + 1))
    return frozenset(numbers)


def one_run(
    world: World, number: int, steps: int, skip: frozenset[int], chosen: argparse.Namespace
) -> Verdict:
    started = time.monotonic()
    run = Run(world, number)
    done = 0
    violation = None
    try:
        for step in range(1, steps + 1):
            if step in skip:
                continue
            done = step
            run.step(step)
        done = steps + 1
        run.conclude()
    except Violated as error:
        violation = str(error)
    except Exception as error:
        # An unchecked step must not count as passed.
        violation = f"the tester failed: {error!r}\n{traceback.format_exc()}"
    if violation is not None:
        where = "at the end" if done > steps else f"in step {done}"
        commands = "\n  ".join(run.commands)
        violation = (
            f"VIOLATED in run {number} of seed {world.seed}, {where}: {violation}\n  {commands}\n"
            f"  repeat with: scripts/model-test --seed {world.seed} --run {number} "
            f"--upto {min(done, steps)}" + (f" --skip {chosen.skip}" if chosen.skip else "")
            + (f" --cluster {chosen.cluster}" if chosen.cluster else "")
            + "".join(f" --without {name}" for name in chosen.without))
    try:
        run.close()
    except ServerError as error:
        violation = violation or f"the tester's cleanup failed: {error!r}"
    shutil.rmtree(run.folder, ignore_errors=True)
    return Verdict(number, min(done, steps) - len(skip), time.monotonic() - started, violation)


def shrunk(world: World, verdict: Verdict, chosen: argparse.Namespace) -> frozenset[int]:
    """The steps that a violation does not need, by a search that leaves out halves, then smaller parts."""
    # Each run drops its database, so the same run can start again.
    steps = verdict.steps + len(skipped(chosen.skip))
    skip = set(skipped(chosen.skip))
    size = max(1, steps // 2)
    while True:
        for first in range(1, steps, size):
            part = set(range(first, min(first + size, steps))) - skip
            if part and one_run(
                    world, verdict.run, steps, frozenset(skip | part), chosen).violation:
                skip |= part
        if size == 1:
            return frozenset(skip)
        size = max(1, size // 2)


def build_golden(folder: Path, chosen: argparse.Namespace) -> Server:
    golden = new_server(folder / "golden", chosen.cluster)
    golden.make()
    golden.start()
    golden.prepare(chosen.binary)
    golden.stop()
    return golden


def work(
    worker: int, chosen: argparse.Namespace, golden: Server, deadline: float | None,
    verdicts: multiprocessing.Queue[Verdict | None], enough: object,
) -> None:
    """One of n workers: does every n-th run, on its own server."""
    folder = golden.folder.parent / f"worker-{worker}"
    server = golden.copy(folder / "server")
    # The log is read only if the server does not start.
    server.configure(log_statement="none", log_min_messages="fatal")
    try:
        server.start()
        world = World(
            chosen.seed, folder, server, chosen.binary, int(time.time() * 1000),
            frozenset(chosen.without))
        world.key_file.write_bytes(b"k" * 32)
        world.key_file.chmod(0o600)
        numbers = [chosen.run] if chosen.run is not None else range(chosen.runs)
        for number in list(numbers)[worker::chosen.workers]:
            is_late = deadline is not None and time.monotonic() > deadline
            if enough.is_set() or is_late:  # type: ignore[attr-defined]
                break
            verdict = one_run(
                world, number, chosen.upto or chosen.steps, skipped(chosen.skip), chosen)
            if verdict.violation and chosen.shrink:
                skip = shrunk(world, verdict, chosen)
                verdict = one_run(
                    world, number, verdict.steps + len(skipped(chosen.skip)), skip,
                    argparse.Namespace(**vars(chosen) | {
                        "skip": ",".join(map(str, sorted(skip)))})) if skip else verdict
            verdicts.put(verdict)
            if verdict.violation and not chosen.keep_going:
                enough.set()  # type: ignore[attr-defined]
    finally:
        server.destroy()
        verdicts.put(None)


def main() -> int:
    chosen = options()
    if not chosen.binary or not chosen.binary.exists():
        print("model-test: --binary must name the program", file=sys.stderr)
        return 64
    chosen.binary = chosen.binary.resolve()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(130))
    deadline = time.monotonic() + chosen.seconds if chosen.seconds else None
    folder = Path(tempfile.mkdtemp(prefix="gi-model."))
    folder.chmod(0o755)
    finished: list[Verdict] = []
    workers: list[multiprocessing.Process] = []
    try:
        golden = build_golden(folder, chosen)
        verdicts: multiprocessing.Queue[Verdict | None] = multiprocessing.Queue()
        enough = multiprocessing.Event()
        workers = [
            multiprocessing.Process(
                target=work, args=(worker, chosen, golden, deadline, verdicts, enough))
            for worker in range(chosen.workers)]
        for worker in workers:
            worker.start()
        left = len(workers)
        while left:
            verdict = verdicts.get()
            if verdict is None:
                left -= 1
                continue
            finished.append(verdict)
            print(f"run {verdict.run:3}  {verdict.steps:4} steps  {verdict.seconds:6.1f} s  "
                  f"{1000 * verdict.seconds / max(1, verdict.steps):4.0f} ms a step  "
                  f"{'VIOLATED' if verdict.violation else 'agrees with the model'}", flush=True)
            if verdict.violation:
                print(verdict.violation, flush=True)
        for worker in workers:
            worker.join()
    finally:
        for worker in workers:
            if worker.is_alive():
                worker.terminate()
                worker.join(20)
        shutil.rmtree(folder, ignore_errors=True)
    return conclude(finished, chosen)


def conclude(finished: list[Verdict], chosen: argparse.Namespace) -> int:
    """Prints the totals and returns the exit status."""
    failed = [verdict for verdict in finished if verdict.violation]
    if chosen.report:
        chosen.report.write_text("\n\n".join(verdict.violation or "" for verdict in failed))
    steps = sum(verdict.steps for verdict in finished)
    print(f"== seed {chosen.seed}: {len(finished)} runs, {steps} steps")
    # CI counts tests by this line.
    print(f"model: {len(finished) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not finished else 0


if __name__ == "__main__":
    sys.exit(main())
