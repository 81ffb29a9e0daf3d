"""Runs random commands, and compares every report view with a slow recomputation, and every rollup with a rebuild.

Run by scripts/report-test, which explains the options.
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

import report_selftest
from cluster import new_server
from report_calendar import DAY
from report_compare import VIEWS
from report_run import ReportRun
from report_scenes import SCENES
from server import Server, ServerError
from violated import Violated


@dataclass
class Verdict:
    run: int
    steps: int
    seconds: float
    # None means that all views and rollups agreed.
    violation: str | None = None


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/report-test", description=__doc__, allow_abbrev=False)
    parser.add_argument("--seed", type=int, default=1, help="seed of all random choices")
    parser.add_argument("--runs", type=int, default=60, help="number of runs, each on a new database")
    parser.add_argument("--seconds", type=float, metavar="BUDGET",
                        help="start no further run after this time")
    parser.add_argument("--workers", type=int, default=1, help="number of parallel runs")
    parser.add_argument("--views", default=",".join(VIEWS), metavar="NAMES",
                        help="compare only these views, such as player,purchase")
    parser.add_argument("--run", type=int, metavar="N",
                        help="do only this run; a negative number is a scene of report_scenes.py")
    parser.add_argument("--cluster", type=int, metavar="SHARDS",
                        help="on a Citus cluster of three servers, whose programs must have the extension")
    parser.add_argument("--binary", type=Path, help="the program to test")
    parser.add_argument("--keep-going", action="store_true",
                        help="start further runs after a difference")
    return parser.parse_args()


def one_run(number: int, server: Server, folder: Path, chosen: argparse.Namespace) -> Verdict:
    """A random run, or for a negative number a scene."""
    started = time.monotonic()
    # The day, because a run draws its times from the year before it.
    now = int(time.time() * 1_000_000) // DAY * DAY
    run = ReportRun(chosen.seed, number, server, chosen.binary, folder, now,
                    frozenset(chosen.views.split(",")))
    violation = None
    try:
        run.run(SCENES[-number - 1] if number < 0 else None)
    except Violated as error:
        violation = str(error)
    except Exception as error:
        # An unchecked command must not count as passed.
        violation = f"the tester failed: {error!r}\n{traceback.format_exc()}"
    if violation is not None:
        commands = "\n  ".join(run.told)
        name = f"scene {SCENES[-number - 1].__name__}, " if number < 0 else ""
        violation = (
            f"DIFFERENT in {name}run {number} of seed {chosen.seed}: {violation}\n  {commands}\n"
            f"  repeat with: scripts/report-test --seed {chosen.seed} --run {number}"
            + (f" --cluster {chosen.cluster}" if chosen.cluster else ""))
    try:
        run.close()
    except ServerError as error:
        violation = violation or f"the tester's cleanup failed: {error!r}"
    shutil.rmtree(run.folder, ignore_errors=True)
    return Verdict(number, len(run.told), time.monotonic() - started, violation)


def work(
    worker: int, chosen: argparse.Namespace, folder: Path, deadline: float | None,
    verdicts: multiprocessing.Queue[Verdict | None], enough: object,
) -> None:
    """One of n workers: does every n-th run, on its own server."""
    server = new_server(folder / f"worker-{worker}" / "server", chosen.cluster)
    try:
        server.make()
        # No check here reads the server's log.
        server.configure(log_statement="none")
        server.start()
        server.prepare(chosen.binary)
        numbers = [chosen.run] if chosen.run is not None else [
            *(-1 - place for place in range(len(SCENES))), *range(chosen.runs)]
        for number in list(numbers)[worker::chosen.workers]:
            is_late = deadline is not None and time.monotonic() > deadline
            if enough.is_set() or is_late:  # type: ignore[attr-defined]
                break
            verdict = one_run(number, server, server.folder.parent, chosen)
            verdicts.put(verdict)
            if verdict.violation and not chosen.keep_going:
                enough.set()  # type: ignore[attr-defined]
    finally:
        server.destroy()
        verdicts.put(None)


def main() -> int:
    chosen = options()
    if not chosen.binary or not chosen.binary.exists():
        print("report-test: --binary must name the program", file=sys.stderr)
        return 64
    chosen.binary = chosen.binary.resolve()
    wrong = report_selftest.failures()
    for name in wrong:
        print(f"report-test: the oracle fails its own case: {name}", file=sys.stderr)
    if wrong:
        return 1
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(130))
    deadline = time.monotonic() + chosen.seconds if chosen.seconds else None
    folder = Path(tempfile.mkdtemp(prefix="gi-report."))
    folder.chmod(0o755)
    finished: list[Verdict] = []
    workers: list[multiprocessing.Process] = []
    try:
        verdicts: multiprocessing.Queue[Verdict | None] = multiprocessing.Queue()
        enough = multiprocessing.Event()
        workers = [
            multiprocessing.Process(
                target=work, args=(worker, chosen, folder, deadline, verdicts, enough))
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
            print(f"run {verdict.run:3}  {verdict.steps:3} steps  {verdict.seconds:6.1f} s  "
                  f"{'DIFFERENT' if verdict.violation else 'agrees with the oracle'}", flush=True)
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
    failed = [verdict for verdict in finished if verdict.violation]
    print(f"== seed {chosen.seed}: {len(finished)} runs")
    # CI counts tests by this line.
    print(f"reports: {len(finished) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not finished else 0


if __name__ == "__main__":
    sys.exit(main())
