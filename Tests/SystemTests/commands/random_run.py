"""One run of a random tester: a fresh database, and steps that run, kill, crash or hold commands on it."""

from __future__ import annotations

import contextlib
import signal
import tempfile
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path

from command_maker import AGES, CommandMaker, Habits
from commands import Command, Step
from data import Writer
from loader import Loader, NeverStopped, ProgramRun
from random_runs import Violated
from server import LOADER_NAME, Server, ServerError, Session, within

# The time limit of a command, in seconds.
BOUND = 120.0
ERASURE_KEY = b"k" * 32


class RandomRun:
    def __init__(
        self, server: Server, program: Path, name: str, habits: Habits, writer: Writer, months: tuple[int, ...],
    ) -> None:
        self.server = server
        self.database = f"run_{name.replace(' ', '_')}"
        server.drop(self.database)
        server.create(self.database)
        self.session = Session(server, self.database)
        self.temporary = tempfile.TemporaryDirectory(prefix="gi-run.")
        folder = Path(self.temporary.name)
        self.inbox = folder / "inbox"
        self.inbox.mkdir()
        self.key_file = folder / "erasure.key"
        self.key_file.write_bytes(ERASURE_KEY)
        self.key_file.chmod(0o600)
        self.loader = Loader(program, folder)
        self.maker = CommandMaker(name, habits, writer, self.inbox, self.session, months)
        # The commands so far, and the number of the last step.
        self.told: list[str] = []
        self.done = 0

    def carry_out(self, step: Step) -> None:
        """Takes a step, and judges the database after it."""
        raise NotImplementedError

    def conclude(self) -> None:
        """The checks at the end."""
        raise NotImplementedError

    def violation(self, steps: Iterable[tuple[int, Step]], repeat: Callable[[], str]) -> str | None:
        """What these numbered steps violate, with all commands; None when nothing. The run is over then."""
        found = None
        try:
            for self.done, step in steps:
                self.carry_out(step)
            self.conclude()
        except Exception as error:
            # An unchecked step must not count as passed.
            what = error if isinstance(error, Violated) else f"the tester failed: {traceback.format_exc()}"
            found = "\n  ".join([f"VIOLATED: {what}", *self.told, f"repeat with: {repeat()}"])
        # After a violation the server may be down.
        with contextlib.suppress(ServerError):
            self.close()
        return found

    def close(self) -> None:
        self.session.close()
        self.temporary.cleanup()
        self.server.drop(self.database)

    # Steps

    def take(self, step: Step) -> list[ProgramRun]:
        """Runs the commands of a prepared step, and checks their words."""
        self.told.append(f"{self.done:4}. {step}")
        results = self._run(step)
        for left in self.server.left_backends(self.database):
            raise Violated(left)
        for command, result in zip(step.commands, results):
            step.check_words(command, result)
        return results

    def prepare(self, step: Step) -> None:
        """Changes times in the ledger, so that the commands find something to do."""
        if any(command.kind == "replay" and not command.is_dry for command in step.commands):
            # A later as_of accepts times that were too late at the load, so that a replay has lines to load. Files
            # that this step loads keep theirs, because it identifies their command.
            self.session.execute("update ingest.source_file set as_of = now() where as_of < now()")
        for command in step.commands:
            for table, share in command.aged.items():
                self.session.execute(aging(table, share))

    def _run(self, step: Step) -> list[ProgramRun]:
        if step.is_disturbed:
            return self._disturb(step)
        if step.how == "held":
            return self._hold(step)
        running = [self.start(step.commands[0])]
        running[0].run_for(step.delay)
        running += [self.start(command) for command in step.commands[1:]]
        return [one.wait() for one in running]

    def start(self, command: Command, point: str | None = None) -> ProgramRun:
        if command.kind == "grant":
            self.server.admit(f"{command.option('--roles')}_owner", self.database)
        with tempfile.TemporaryFile(dir=self.loader.folder) as content:
            content.write(command.stdin or b"")
            content.seek(0)
            return self.loader.command(
                [*command.arguments, "--database", self.server.conninfo(self.database)], stop_at=point,
                stdin=content.fileno(), bound=BOUND, report="report.json" if command.kind == "load" else None,
                variables={"GAMEBASE_INGEST_ERASURE_KEY_FILE": str(self.key_file)})

    def _disturb(self, step: Step) -> list[ProgramRun]:
        running = [self.start(command, step.point) for command in step.commands]
        for one in running:
            if step.point:
                with contextlib.suppress(NeverStopped):
                    one.wait_until_stopped()
            else:
                one.run_for(step.delay)
            if step.how != "crashed":
                one.send(signal.SIGKILL if step.how == "killed" else signal.SIGTERM)
        if step.how == "crashed":
            self.server.stop("immediate")
        for one in running:
            one.resume()
            one.wait()
        if step.how == "crashed":
            self.session.close()
            self.server.start()
            self.server.wait_until_ready()
            self.session.open()
        return running

    def _hold(self, step: Step) -> list[ProgramRun]:
        """Stops the first command while it holds a lock, and again when the second command has got the lock."""
        first = self.start(step.commands[0], step.point)
        with contextlib.suppress(NeverStopped):
            first.wait_until_stopped(10)
        others = [self.start(command) for command in step.commands[1:]]
        within(0.4, lambda: self._is_waiting() or others[0].has_ended(), 0.001)
        first.resume()

        def is_past() -> bool:
            # The fault point is still set, so the first command stops again when it reaches it.
            if first.state() == "T":
                first.resume()
            return first.has_ended() or not self._is_waiting()

        within(3, is_past, 0.001)
        first.send(signal.SIGSTOP)
        within(2, lambda: others[0].has_ended() or self._is_waiting(), 0.001)
        first.resume()
        return [one.wait() for one in (first, *others)]

    def _is_waiting(self) -> bool:
        """True when a command waits for a lock."""
        return bool(self.session.rows(
            f"""select pid from pg_stat_activity where datname = current_database()
            and application_name = '{LOADER_NAME}' and wait_event_type = 'Lock'"""))


def aging(table: str, percentage: int) -> str:
    """A statement that moves the times of the oldest of the present month's rows into an earlier month."""
    first, *others = AGES[table]
    month = "date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'"
    values = ", ".join(f"{one} = {one} - interval '3 months'" for one in (first, *others))
    return f"""update {table} set {values} where {first} >= {month} and {first} <= (
        select percentile_disc({percentage / 100}) within group (order by {first}) from {table}
        where {first} >= {month})"""
