"""Carries out a step: starts its commands, and kills, crashes or holds them."""

from __future__ import annotations

import contextlib
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from command_maker import AGES
from commands import Command, Step
from loader import Loader, NeverStopped, Result, Running
from random_runs import Violated
from server import LOADER_NAME
from session import Session

# The time limit of a command, in seconds.
BOUND = 120.0
ERASURE_KEY = b"k" * 32


class StepRunner:
    def __init__(self, session: Session, program: Path, folder: Path) -> None:
        self.session = session
        self.server = session.server
        self.conninfo = session.server.conninfo(session.database)
        self.loader = Loader(program, folder, "")
        self.key_file = folder / "erasure.key"
        self.key_file.write_bytes(ERASURE_KEY)
        self.key_file.chmod(0o600)

    def prepare(self, step: Step) -> None:
        """Changes times in the ledger, so that the commands find something to do."""
        if any(command.kind == "replay" and not command.is_dry for command in step.commands):
            # A later as_of accepts times that were too late at the load, so that a replay has lines to load. Files
            # that this step loads keep theirs, because it identifies their command.
            self.session.execute("update ingest.source_file set as_of = now() where as_of < now()")
        for command in step.commands:
            for table, share in command.aged.items():
                self.session.execute(aging(table, share))

    def carry_out(self, step: Step) -> list[Result]:
        if not step.commands:
            self.server.stop("immediate")
            self._server_back()
            return []
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
        with tempfile.TemporaryFile(dir=self.loader.folder) as content:
            content.write(command.stdin or b"")
            content.seek(0)
            return self.loader.command(
                [*command.arguments, "--database", self.conninfo], stop_at=point, stdin=content.fileno(), bound=BOUND,
                report="report.json" if command.kind == "load" else None,
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


def aging(table: str, percentage: int) -> str:
    """A statement that moves the times of the oldest of the present month's rows into an earlier month."""
    first, *others = AGES[table]
    month = "date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'"
    values = ", ".join(f"{one} = {one} - interval '3 months'" for one in (first, *others))
    return f"""update {table} set {values} where {first} >= {month} and {first} <= (
        select percentile_disc({percentage / 100}) within group (order by {first}) from {table}
        where {first} >= {month})"""


def _has_ended(running: Running) -> bool:
    return running.state() == "Z"
