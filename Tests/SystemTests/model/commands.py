"""The commands of the model-based tester with their expected effects, and the steps that run them."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field

from events import Choice
from months import MONTHLY
from universe import File

# The fault points at which a command can stop, unless they are the usual ones; a build ignores unknown names.
USUAL_POINTS = ("before-commit", "after-commit")
POINTS = {
    "load": ("copy-begun", "batch-copied", "merged", *USUAL_POINTS, "refreshed"),
    "replay": ("copy-begun", "merged", *USUAL_POINTS), "refresh": ("refreshed",), "grant": (), "migrate": (), "setting": (),
}


@dataclass(frozen=True)
class Attempt:
    """A file of a load, with its path on the command line."""

    file: File
    path: str
    # The archive is cut or corrupt.
    is_broken: bool = False


@dataclass
class Command:
    kind: str
    arguments: list[str]
    stdin: bytes | None = None
    # A load: its files and its --as-of.
    attempts: list[Attempt] = field(default_factory=list)
    as_of: int | None = None
    # A forget-user: its users, and the number of input lines that are no id.
    users: list[str] = field(default_factory=list)
    refused_count: int = 0
    # A prune: the percentage of files and acceptances that become three months older before it.
    aged: int = 0
    # An undo: the number of its file or acceptance, or the negated number of its load.
    target: int = 0
    # An acceptance of conflicts: its choice.
    choice: Choice = Choice()
    # A settings set: the name, and the value or None for the default; a reference load: its exchange rates.
    setting: tuple[str, str | None] | None = None
    rates: tuple[tuple[str, str, str], ...] = ()

    def option(self, name: str) -> str | None:
        return self.arguments[self.arguments.index(name) + 1] if name in self.arguments else None

    @property
    def is_dry(self) -> bool:
        return "--dry-run" in self.arguments

    @property
    def app(self) -> str | None:
        return self.option("--app-id")

    @property
    def streams(self) -> tuple[str, ...]:
        """The streams of a retention."""
        stream = self.option("--stream")
        return (stream,) if stream else MONTHLY

    def __str__(self) -> str:
        shown = shlex.join(["gamebase-ingest", *self.arguments])
        if self.stdin is None:
            return shown
        escaped = self.stdin.decode("latin-1").encode("unicode_escape").decode()
        if len(escaped) > 300:
            escaped = escaped[:300] + "…"
        return f"{shown} < {escaped!r}"


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
    def is_disturbed(self) -> bool:
        return self.how in ("killed", "terminated", "crashed")

    def __str__(self) -> str:
        disturbance = f"[{self.how}{f' at {self.point}' if self.point else f' after {self.delay:.3f} s'}]"
        lines = " & ".join(map(str, self.commands)) or "the server crashes and starts again"
        return f"{self.name} {disturbance if self.how != 'alone' else ''} {lines}"


def fits(limit: str | None, rejected: int, lines: int, blank: int) -> bool:
    """True when a file with this number of refused lines is within --max-rejects."""
    if limit == "unlimited":
        return True
    if rejected and rejected + blank == lines:
        # The file has no good line.
        return False
    if limit is None:
        return not (rejected > 100 and rejected * 100 > lines)
    if limit.endswith("%"):
        return rejected * 100 <= float(limit[:-1]) * lines
    return rejected <= int(limit)


def ids_of_input(content: bytes) -> tuple[list[str], int]:
    """The ids on standard input, one per line, and the number of refused lines."""
    users, refused = [], 0
    for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        # Bytes that are not UTF-8 become U+FFFD, which no user has.
        user = line.removesuffix(b"\r").decode(errors="replace")
        if user != user.strip() or "\0" in user or "\ufffd" in user or user == "0":
            refused += 1
        elif user:
            users.append(user)
    return users, refused
