"""The commands of the random testers with their expected effects, and the steps that run them."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field

from data import File
from events import Choice
from loader import ProgramRun
from random_runs import Violated

# By the first words of a command: its kind, where that is another word.
KINDS = {
    "rejects": "replay", "forget-user": "forget", "settings": "setting", "reference": "rates", "failures": "dismiss",
    "conflicts accept": "accept", "conflicts undo": "undo-acceptance",
}
# The fault points at which a command can stop, unless they are the usual ones; a build ignores unknown names.
USUAL_POINTS = ("before-commit", "after-commit")
POINTS = {
    "load": ("copy-begun", "batch-copied", "merged", *USUAL_POINTS, "refreshed"),
    "replay": ("copy-begun", "merged", *USUAL_POINTS), "refresh": ("refreshed",), "grant": (), "migrate": (),
    "setting": (),
}
# The exit codes of an undisturbed command.
CODES = {
    "load": {0, 3, 4, 5}, "replay": {0, 3}, "undo": {0, 64}, "forget": {0, 3}, "retention": {0}, "accept": {0, 3},
    "undo-acceptance": {0, 64}, "grant": {0}, "migrate": {0}, "refresh": {0}, "setting": {0}, "rates": {0, 5, 78},
    "prune": {0}, "dismiss": {0, 64},
}
# The name of the steps of a fixed sequence, whose commands all succeed.
SCENE = "scene"
# Texts that no command may print, whatever disturbs it.
FORBIDDEN_TEXTS = ("23505", "XX000", "please report", "Fatal error", "unexpectedly found", "23503", "42P01", "42703")


@dataclass(frozen=True)
class Attempt:
    """A file of a load, with its path on the command line."""

    file: File
    path: str
    # The archive is cut or corrupt.
    is_broken: bool = False


@dataclass
class Command:
    arguments: list[str]
    stdin: bytes | None = None
    # An erasure: its users, and the number of lines on standard input that are no id of a user.
    users: list[str] = field(default_factory=list)
    refused_count: int = 0
    # A load: its files and its --as-of.
    attempts: list[Attempt] = field(default_factory=list)
    as_of: int | None = None
    # A prune: the percentage of rows of the ledger that become three months older before it.
    aged: int = 0
    # An undo: the number of its file or acceptance, or the negated number of its load.
    target: int = 0
    # An acceptance of conflicts: its choice.
    choice: Choice = Choice()

    @property
    def kind(self) -> str:
        first = self.arguments[0]
        if first == "retention" and "--ledger" in self.arguments:
            return "prune"
        return KINDS.get(first) or KINDS.get(" ".join(self.arguments[:2]), first)

    def option(self, name: str) -> str | None:
        return self.arguments[self.arguments.index(name) + 1] if name in self.arguments else None

    @property
    def is_dry(self) -> bool:
        return "--dry-run" in self.arguments

    @property
    def app(self) -> str | None:
        return self.option("--app-id")

    @property
    def rates(self) -> list[tuple[str, ...]]:
        """Currency, day and rate of each line of a load of exchange rates."""
        return [tuple(line.split(",")) for line in (self.stdin or b"").decode().splitlines()[1:]]

    def __str__(self) -> str:
        shown = shlex.join(["gamebase-ingest", *self.arguments])
        return shown if self.stdin is None else f"{shown} < {self.stdin[:300]!r}"


@dataclass
class Step:
    """Concurrent commands, a single command, or none for a crash of the server."""

    name: str
    commands: list[Command]
    # alone; killed, terminated or crashed; plain: started together; held: the first command is stopped while it holds
    # a lock, and again while the next one uses it.
    how: str = "alone"
    point: str | None = None
    delay: float = 0.0

    @property
    def is_alone(self) -> bool:
        return self.how == "alone"

    @property
    def is_disturbed(self) -> bool:
        return self.how in ("killed", "terminated", "crashed")

    def __str__(self) -> str:
        disturbance = f"[{self.how}{f' at {self.point}' if self.point else f' after {self.delay:.3f} s'}]"
        lines = " & ".join(map(str, self.commands)) or "the server crashes and starts again"
        return f"{self.name} {'' if self.is_alone else disturbance} {lines}"

    def check_words(self, command: Command, result: ProgramRun) -> None:
        """Checks the output and the exit code of one of the commands, without the database."""
        wrongs = [*result.wrongs(), *(f"the output contains {text}" for text in FORBIDDEN_TEXTS if text in result.text)]
        if not self.is_disturbed and result.code not in (codes := self.codes(command)):
            wrongs.append(f"exit code {result.code}, expected one of {sorted(codes)}")
        if wrongs:
            raise Violated(f"{wrongs[0]}: {command}\n    exit {result.code}: {result.text[-700:].strip()}")

    def codes(self, command: Command) -> set[int]:
        """The exit codes of one of the commands, unless it is disturbed."""
        if self.name == SCENE:
            return {0, 3}
        codes = CODES[command.kind]
        if command.kind == "load" and command.option("--max-rejects") == "unlimited":
            # Under another limit a file can end in the middle of a line.
            return codes - {4} - (set() if any(one.is_broken for one in command.attempts) else {5})
        if command.kind in ("undo", "undo-acceptance") and "--with-later" in command.arguments and self.is_alone:
            return {0}
        if command.kind == "forget" and not command.is_dry:
            return {3} if command.refused_count else {0}
        return codes
