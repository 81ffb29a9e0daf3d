"""The commands of the model-based tester with their expected effects, and the steps that run them."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field

from events import Choice
from universe import File

# The fault points at which a command can stop; a build ignores unknown names.
POINTS = {
    "load": ("copy-begun", "batch-copied", "merged", "before-commit", "after-commit", "refreshed"),
    "replay": ("copy-begun", "merged", "before-commit", "after-commit"), "undo": ("before-commit", "after-commit"),
    "forget": ("before-commit", "after-commit"), "retention": ("before-commit", "after-commit"),
    "accept": ("before-commit", "after-commit"), "undo-acceptance": ("before-commit", "after-commit"),
    "prune": ("before-commit", "after-commit"), "rates": ("before-commit", "after-commit"),
    "refresh": ("refreshed",), "grant": (), "migrate": (), "setting": (),
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
    is_dry: bool = False
    # A load: its files, its limit for refused lines, and its --as-of.
    attempts: list[Attempt] = field(default_factory=list)
    max_rejects: str | None = None
    as_of: int | None = None
    # A forget-user: its users, its application, and the number of input lines that are no id.
    users: list[str] = field(default_factory=list)
    app: str | None = None
    refused_count: int = 0
    # A retention: the months that it keeps, and its streams.
    keep: int = 0
    streams: tuple[str, ...] = ()
    # A prune: the percentage of files and acceptances that become three months older before it.
    aged: int = 0
    # An undo: the numbers of its files, or the negated number of its load.
    targets: tuple[int, ...] = ()
    with_later: bool = False
    # An acceptance of conflicts: its choice; an undo of an acceptance: the number.
    choice: Choice = Choice()
    acceptance: int = 0
    # A settings set: the name, and the value or None for the default; a reference load: its exchange rates.
    setting: tuple[str, str | None] | None = None
    rates: tuple[tuple[str, str, str], ...] = ()
    # A replay: its stream; None means all.
    stream: str | None = None

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
        line = line.removesuffix(b"\r")
        if not line:
            continue
        try:
            user = line.decode()
        except UnicodeDecodeError:
            user = ""
        if not user or user != user.strip() or "\0" in user or user == "0":
            refused += 1
        else:
            users.append(user)
    return users, refused
