"""What a step of the model-based tester can run, and what is meant by it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field

from universe import File

# The named places at which a command can be stopped; a name that a build does not know does nothing.
POINTS = {
    "load": ("copy-begun", "batch-copied", "merged", "before-commit", "after-commit"),
    "replay": ("copy-begun", "merged", "before-commit", "after-commit"),
    "undo": ("before-commit", "after-commit"),
    "forget": ("before-commit", "after-commit"),
    "retention": ("before-commit", "after-commit"),
    "grant": (), "migrate": (),
}


@dataclass(frozen=True)
class Attempt:
    """A file that a load was given, by the path it was given as."""

    file: File
    path: str
    # Its archive is cut or spoiled.
    is_broken: bool = False


@dataclass
class Command:
    kind: str
    arguments: list[str]
    stdin: bytes | None = None
    is_dry: bool = False
    # A load: what it was given, the limit for refused lines, and what stands for its start.
    attempts: list[Attempt] = field(default_factory=list)
    max_rejects: str | None = None
    as_of: int | None = None
    # A forget-user: whom, in which application, and how many lines of its input are no id.
    users: list[str] = field(default_factory=list)
    app: str | None = None
    refused_count: int = 0
    # A retention.
    keep: int = 0
    streams: tuple[str, ...] = ()
    # An undo: the files that were asked for.
    targets: tuple[int, ...] = ()
    with_later: bool = False
    # A replay: only this stream.
    stream: str | None = None

    def __str__(self) -> str:
        shown = shlex.join(["gamebase-ingest", *self.arguments])
        if self.stdin is None:
            return shown
        escaped = self.stdin.decode("latin-1").encode("unicode_escape").decode()
        if len(escaped) > 300:
            escaped = escaped[:300] + "…"
        return f"{shown} < {escaped!r}"


def fits(limit: str | None, rejected: int, lines: int) -> bool:
    """Whether a file with so many refused lines is within --max-rejects."""
    if limit is None:
        return not (rejected > 100 and rejected * 100 > lines)
    if limit == "unlimited":
        return True
    if limit.endswith("%"):
        return rejected * 100 <= float(limit[:-1]) * lines
    return rejected <= int(limit)


def ids_of_input(content: bytes) -> tuple[list[str], int]:
    """The ids that standard input names, one a line, and how many lines are refused."""
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
