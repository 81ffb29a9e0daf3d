"""Work on several processes, and numbered runs of a random tester, each worker with a server of its own."""

from __future__ import annotations

import argparse
import multiprocessing
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from cluster import new_server
from server import Server, ServerError


class Violated(Exception):
    """The database or the output of a command contradicts the model or the oracle."""


Work = Callable[[int, Callable[[Any], None]], None]


@dataclass
class _Failed:
    """The exception that ended a worker."""

    text: str


def results_of(count: int, work: Work) -> Iterator[Any]:
    """What the workers hand over, until each has ended. A worker gets its number and the function that hands over."""
    queue: multiprocessing.Queue[Any] = multiprocessing.Queue()
    workers = [multiprocessing.Process(target=_work, args=(work, number, queue)) for number in range(count)]
    try:
        for worker in workers:
            worker.start()
        left = count
        while left:
            result = queue.get()
            if isinstance(result, _Failed):
                raise SystemExit(f"a worker failed: {result.text}")
            if result is None:
                left -= 1
            else:
                yield result
        for worker in workers:
            worker.join()
    finally:
        for worker in workers:
            if worker.is_alive():
                worker.terminate()
                worker.join(20)


def _work(work: Work, number: int, queue: multiprocessing.Queue[Any]) -> None:
    try:
        work(number, queue.put)
    except BaseException as error:
        queue.put(_Failed(str(error) if isinstance(error, SystemExit) else traceback.format_exc()))
    finally:
        queue.put(None)


Task = TypeVar("Task")


class Tasks(Iterator[Task]):
    """Tasks that workers share: each goes to the worker that asks next."""

    def __init__(self, tasks: list[Task]) -> None:
        self.tasks = tasks
        self.place = multiprocessing.Value("i", 0)

    def __next__(self) -> Task:
        with self.place.get_lock():
            if self.place.value == len(self.tasks):
                raise StopIteration
            self.place.value += 1
            taken: Task = self.tasks[self.place.value - 1]
        return taken


def end_on_signals() -> None:
    """Lets a signal end the program by an exception, so that it removes its servers and files."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(130))


@contextmanager
def temporary_folder(name: str, parent: Path | None = None) -> Iterator[Path]:
    """A folder that the server's user can enter, too."""
    folder = Path(tempfile.mkdtemp(prefix=f"gi-{name}.", dir=parent))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def build_golden(folder: Path, binary: Path, shards: int | None = None) -> Server:
    """A stopped server (with a number of shards a cluster) with the migrated database `empty`, for copies."""
    golden = new_server(folder / "golden", shards)
    golden.make()
    golden.start()
    golden.prepare(binary)
    golden.stop()
    return golden


# Numbered runs

class Run(Protocol):
    folder: Path
    # The commands so far.
    told: list[str]

    def close(self) -> None: ...


@dataclass
class Verdict:
    run: int
    steps: int
    seconds: float
    # None means that the run found nothing.
    violation: str | None = None


def verdict_of(
    run: Run, number: int, carry_out: Callable[[], None], where: Callable[[], str], repeat: Callable[[], str]
) -> Verdict:
    """Carries out a run, ends it, and tells its commands with what was violated."""
    started = time.monotonic()
    violation = None
    try:
        carry_out()
    except Violated as error:
        violation = str(error)
    except Exception as error:
        # An unchecked step must not count as passed.
        violation = f"the tester failed: {error!r}\n{traceback.format_exc()}"
    if violation is not None:
        violation = "\n  ".join([f"VIOLATED in {where()}: {violation}", *run.told, f"repeat with: {repeat()}"])
    try:
        run.close()
    except ServerError as error:
        violation = violation or f"the tester's cleanup failed: {error!r}"
    shutil.rmtree(run.folder, ignore_errors=True)
    return Verdict(number, len(run.told), time.monotonic() - started, violation)


def runs_parser(name: str, doc: str | None, runs: int) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"scripts/{name}", description=doc, allow_abbrev=False)
    parser.add_argument("--seed", type=int, default=1, help="seed of all random choices")
    parser.add_argument("--runs", type=int, default=runs, help="number of runs, each on a new database")
    parser.add_argument("--seconds", type=float, metavar="BUDGET", help="start no further run after this time")
    parser.add_argument("--workers", type=int, default=1, help="number of parallel runs")
    parser.add_argument("--cluster", type=int, metavar="SHARDS",
                        help="on a Citus cluster of three servers, whose programs must have the extension")
    parser.add_argument("--binary", type=Path, help="the program to test")
    parser.add_argument("--report", type=Path, help="write the violations to this file")
    parser.add_argument("--keep-going", action="store_true", help="start further runs after a violation")
    return parser


def existing_program(name: str, *paths: Path | None) -> list[Path]:
    if not all(path and path.exists() for path in paths):
        print(f"{name}: --binary must name the program", file=sys.stderr)
        sys.exit(64)
    return [path.resolve() for path in paths if path]


def do_runs(
    name: str, chosen: argparse.Namespace, numbers: list[int], one_run: Callable[[Server, Path, int], Verdict]
) -> int:
    """Gives each of n workers every n-th run, prints the verdicts, and returns the exit status."""
    [chosen.binary] = existing_program(name, chosen.binary)
    end_on_signals()
    deadline = time.monotonic() + chosen.seconds if chosen.seconds else float("inf")
    enough = multiprocessing.Event()
    finished: list[Verdict] = []
    with temporary_folder(name) as folder:
        golden = build_golden(folder, chosen.binary, chosen.cluster)

        def work(worker: int, hand_over: Callable[[Verdict], None]) -> None:
            server = golden.copy(folder / f"worker-{worker}" / "server")
            # The log is read only if the server does not start.
            server.configure(log_statement="none", log_min_messages="fatal")
            try:
                server.start()
                for number in numbers[worker::chosen.workers]:
                    if enough.is_set() or time.monotonic() > deadline:
                        break
                    verdict = one_run(server, server.folder.parent, number)
                    if verdict.violation and chosen.cluster:
                        verdict.violation += f" --cluster {chosen.cluster}"
                    hand_over(verdict)
                    if verdict.violation and not chosen.keep_going:
                        enough.set()
            finally:
                server.destroy()

        for verdict in results_of(chosen.workers, work):
            finished.append(verdict)
            print(f"run {verdict.run:3}  {verdict.steps:4} steps  {verdict.seconds:6.1f} s  "
                  f"{'VIOLATED' if verdict.violation else 'agrees with the oracle'}", flush=True)
            if verdict.violation:
                print(verdict.violation, flush=True)
    failed = [verdict.violation for verdict in finished if verdict.violation]
    if chosen.report:
        chosen.report.write_text("\n\n".join(failed))
    print(f"== seed {chosen.seed}: {len(finished)} runs, {sum(verdict.steps for verdict in finished)} steps")
    # CI counts tests by this line.
    print(f"{name.removesuffix('-test')}: {len(finished) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not finished else 0
