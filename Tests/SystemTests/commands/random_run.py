"""One run of a random tester: a fresh database, and steps that run, kill, crash or hold commands on it."""

from __future__ import annotations

import contextlib
import signal
import tempfile
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from command_maker import CommandMaker, Habits
from commands import Command, Step
from data import Profile, Writer
from loader import Loader, NeverStopped, ProgramRun
from random_runs import Violated
from server import LOADER_NAME, Server, ServerError, Session, within

# The time limit of a command, in seconds.
BOUND = 120.0
ERASURE_KEY = b"k" * 32
# The times of the ledger by which a prune goes, and the begin of the present month.
AGES = {
    "source_file": ("loaded_at", "undone_at"), "acceptance": ("accepted_at", "undone_at"),
    "load": ("started_at", "finished_at", "seen_at"), "reject": ("resolved_at",),
    "failed_file": ("failed_at", "first_failed_at"), "failure_dismissal": ("dismissed_at",),
}
MONTH = "date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'"


class RandomRun:
    # The script that starts the runs.
    script: str

    def __init__(
        self, server: Server, program: Path, name: str, habits: Habits, profile: Profile, moments: Sequence[int],
        months: tuple[int, ...],
    ) -> None:
        """The name is that of the seed and the number of the run."""
        self.server = server
        self.name = name
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
        writer = Writer(f"{self.script} {name}", profile, moments)
        self.maker = CommandMaker(name, habits, writer, self.inbox, self.session, months)
        # The commands so far, and the number of the last step.
        self.told: list[str] = []
        self.done = 0

    def judge(self, step: Step, results: list[ProgramRun]) -> None:
        """Checks the database after a step."""
        raise NotImplementedError

    def conclude(self) -> None:
        """The checks at the end."""
        raise NotImplementedError

    def test_random_steps(self, count: int) -> None:
        seed, number = self.name.split()
        self.test(map(self.maker.step, range(1, count + 1)), f"--seed {seed} --run {number} --steps {count}")

    def test(self, steps: Iterable[Step], repeat: str) -> None:
        """Takes and judges these steps. A failure has all commands, and the options that repeat them."""
        try:
            for self.done, step in enumerate(steps, 1):
                self.carry_out(step)
            self.conclude()
        except Exception as error:
            # An unchecked step must not count as passed.
            what = error if isinstance(error, Violated) else f"the tester failed: {traceback.format_exc()}"
            pytest.fail("\n  ".join([
                f"VIOLATED: {what}", *self.told, f"repeat with: {self.script} {repeat}"]), pytrace=False)
        finally:
            # After a violation the server may be down.
            with contextlib.suppress(ServerError):
                self.close()

    def close(self) -> None:
        self.session.close()
        self.temporary.cleanup()
        self.server.drop(self.database)

    def has_rows(self, tables: Iterable[str]) -> bool:
        """True when each of the tables has rows to damage."""
        return all(self.session.rows(f"select from {table} limit 1") for table in tables)

    # Steps

    def carry_out(self, step: Step) -> None:
        """Takes a step, and judges the database after it."""
        self.prepare(step)
        self.judge(step, self.take(step))

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
            for table, (first, *others) in AGES.items() if command.aged else ():
                # The model has no time at which a refused line was resolved.
                share = 1 if table == "reject" else command.aged / 100
                values = ", ".join(f"{time} = {time} - interval '3 months'" for time in (first, *others))
                # The oldest ones of the present month.
                self.session.execute(f"""update ingest.{table} set {values} where {first} >= {MONTH} and {first} <= (
                    select percentile_disc({share}) within group (order by {first}) from ingest.{table}
                    where {first} >= {MONTH})""")

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
