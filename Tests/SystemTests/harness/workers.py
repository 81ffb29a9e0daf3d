"""Work on several processes."""

from __future__ import annotations

import multiprocessing
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from cluster import new_server
from server import Server

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


def existing_program(name: str, *paths: Path | None) -> list[Path]:
    if not all(path and path.exists() for path in paths):
        print(f"{name}: --binary must name the program", file=sys.stderr)
        sys.exit(64)
    return [path.resolve() for path in paths if path]
