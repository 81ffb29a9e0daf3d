"""One run of a random tester: a fresh database, the maker of its steps, and their runner."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from command_maker import CommandMaker, Habits
from commands import Step
from data import Writer
from loader import Result
from random_runs import violation
from server import Server, ServerError
from session import Session
from step_runner import StepRunner


class RandomRun:
    def __init__(
        self, server: Server, program: Path, name: str, habits: Habits, writer: Writer, months: tuple[int, ...],
    ) -> None:
        self.database = f"run_{name.replace(' ', '_')}"
        server.drop(self.database)
        server.create(self.database)
        self.session = Session(server, self.database)
        self.temporary = tempfile.TemporaryDirectory(prefix="gi-run.")
        folder = Path(self.temporary.name)
        self.inbox = folder / "inbox"
        self.inbox.mkdir()
        self.maker = CommandMaker(name, habits, writer, self.inbox, self.session, months)
        self.runner = StepRunner(self.session, program, folder)
        # The commands so far, and the number of the last step.
        self.told: list[str] = []
        self.done = 0

    def take(self, step: Step) -> list[Result]:
        """Runs the commands of a prepared step, and checks their words."""
        self.told.append(f"{self.done:4}. {step}")
        results = self.runner.carry_out(step)
        self.runner.wait_for_backends()
        for command, result in zip(step.commands, results):
            step.check_words(command, result)
        return results

    def carry_out(self, step: Step) -> None:
        """Takes a step, and judges the database after it."""
        raise NotImplementedError

    def conclude(self) -> None:
        """The checks at the end."""
        raise NotImplementedError

    def violation(self, steps: Iterable[tuple[int, Step]], repeat: Callable[[], str]) -> str | None:
        """What these numbered steps violate; None when nothing. The run is over then."""

        def carry_out() -> None:
            for self.done, step in steps:
                self.carry_out(step)
            self.conclude()

        found = violation(self.told, carry_out, repeat)
        # After a violation the server may be down.
        with contextlib.suppress(ServerError):
            self.close()
        return found

    def close(self) -> None:
        self.session.close()
        self.temporary.cleanup()
        self.session.server.drop(self.database)
