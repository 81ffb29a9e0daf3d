"""Carries out a step: starts its commands, and kills, crashes or holds them."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from commands import Command, Step
from loader import Loader, NeverStopped, Result, Running
from random_runs import Violated
from server import LOADER_NAME
from snapshot import Session

# The time limit of a command, in seconds.
BOUND = 60.0


class StepRunner:
    def __init__(self, session: Session, loader: Loader, key_file: Path, counter: Iterator[int]) -> None:
        self.session = session
        self.server = session.server
        self.conninfo = session.server.conninfo(session.database)
        self.loader = loader
        self.key_file = key_file
        self.counter = counter

    def carry_out(self, step: Step) -> list[Result]:
        if not step.commands:
            self.server.stop("immediate")
            self._server_back()
            return []
        if any(command.kind == "replay" and not command.is_dry for command in step.commands):
            # A later as_of accepts times that were too late at the load, so that a replay has lines to load. Files
            # that this step loads keep theirs, because it identifies their command.
            self.session.connection.execute("update ingest.source_file set as_of = now() where as_of < now()")
        for command in step.commands:
            if command.kind == "prune":
                self.session.connection.execute(aging(command.aged))
        if step.how == "alone":
            return [self.start(step.commands[0]).wait()]
        if step.is_disturbed:
            return [self._disturb(step)]
        if step.how == "held":
            return self._hold(step)
        running = [self.start(command) for command in step.commands[:1]]
        running[0].run_for(step.delay)
        running += [self.start(command) for command in step.commands[1:]]
        return [one.wait() for one in running]

    def start(self, command: Command, point: str | None = None) -> Running:
        if command.kind == "grant":
            self.server.admit(f"{command.option('--roles')}_owner", self.session.database)
        is_load = command.kind == "load"
        stdin = self.loader.folder / f"stdin-{next(self.counter)}"
        stdin.write_bytes(command.stdin or b"")
        with stdin.open("rb") as content:
            return self.loader.command(
                [*command.arguments, "--database", self.conninfo,
                 *(["--observed-at", self.loader.observed_at] if is_load else [])],
                stop_at=point, stdin=content.fileno(), bound=BOUND, report="report.json" if is_load else None,
                variables={"GAMEBASE_INGEST_ERASURE_KEY_FILE": str(self.key_file)})

    def _server_back(self) -> None:
        self.session.close()
        self.server.start()
        self.server.wait_until_ready()
        self.session.open()

    def _disturb(self, step: Step) -> Result:
        running = self.start(step.commands[0], step.point)
        if step.point:
            with contextlib.suppress(NeverStopped):
                running.wait_until_stopped()
        else:
            running.run_for(step.delay)
        if step.how == "crashed":
            self.server.stop("immediate")
            running.resume()
            result = running.wait()
            self._server_back()
            return result
        running.send(signal.SIGKILL if step.how == "killed" else signal.SIGTERM)
        running.resume()
        return running.wait()

    def _hold(self, step: Step) -> list[Result]:
        """Stops the first command while it holds a lock, and again when the second command has got the lock."""
        first = self.start(step.commands[0], step.point)
        with contextlib.suppress(NeverStopped):
            first.wait_until_stopped(10)
        others = [self.start(command) for command in step.commands[1:]]
        self._poll(lambda: self._is_waiting() or _has_ended(others[0]), 0.4)
        first.resume()
        first.stopped_at = None
        # The fault point is still set, so the first command stops again when it reaches it.
        end = time.monotonic() + 3
        while time.monotonic() < end and not _has_ended(first) and self._is_waiting():
            if first.state() == "T":
                first.resume()
        first.send(signal.SIGSTOP)
        self._poll(lambda: _has_ended(others[0]) or self._is_waiting(), 2)
        first.resume()
        first.stopped_at = step.point
        return [one.wait() for one in (first, *others)]

    def _poll(self, is_true: Callable[[], bool], seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and not is_true():
            time.sleep(0.001)

    def _backends(self) -> list[str | None]:
        """What each backend of a command waits for."""
        return [one for (one,) in self.session.rows(
            f"""select wait_event_type from pg_stat_activity
            where datname = current_database() and application_name = '{LOADER_NAME}'""")]

    def _is_waiting(self) -> bool:
        return "Lock" in self._backends()

    def wait_for_backends(self) -> None:
        """Waits until no backend of a command is left."""
        self._poll(lambda: not self._backends(), 20)
        if self._backends():
            raise Violated("backends are left 20 s after the end of all commands")


# The times of the ledger by which a prune goes.
AGES = {
    "ingest.source_file": ("source_file_id", "loaded_at", "undone_at"),
    "ingest.acceptance": ("acceptance_id", "accepted_at", "undone_at"),
    "ingest.load": ("load_id", "started_at", "finished_at", "seen_at"),
}


def aging(percentage: int) -> str:
    """Statements that move the times of all replays, and of the oldest rows of the ledger, into an earlier month."""
    month = "date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'"
    replays = f"update ingest.reject set resolved_at = resolved_at - interval '3 months' where resolved_at >= {month}"
    return "; ".join([replays, *(
        f"update {table} set " + ", ".join(f"{one} = {one} - interval '3 months'" for one in times)
        + f" where {times[0]} >= {month} and {number} <= (select max({number}) from {table}) * {percentage} / 100"
        for table, (number, *times) in AGES.items())])


def _has_ended(running: Running) -> bool:
    return running.state() == "Z"
