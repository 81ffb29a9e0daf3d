"""The steps of a run: which commands are started, alone or together, and what befalls them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Protocol

from commands import POINTS, Attempt, Command, ids_of_input
from oracle import timestamp
from universe import STREAMS, USERS, File, UniverseWriter

# The last two are never erased in all applications, so that there is always somebody left.
ERASABLE = USERS[:4]
LIMITS = ("0", "1", "1%", "10%", "40%", "unlimited")


@dataclass
class Step:
    """Commands that run at once, or one alone."""

    name: str
    commands: list[Command]
    # How it is disturbed: killed, terminated, crashed; held: whoever hands a lock over has to wait.
    how: str = "alone"
    point: str | None = None
    delay: float = 0.0

    @property
    def is_disturbed(self) -> bool:
        return self.how in ("killed", "terminated", "crashed")

    def __str__(self) -> str:
        told = f"[{self.how}{f' at {self.point}' if self.point else f' after {self.delay:.3f} s'}]"
        lines = " & ".join(map(str, self.commands)) or "the server crashes and starts again"
        return f"{self.name} {told if self.how != 'alone' else ''} {lines}"


class Place(Protocol):
    """What steps are made from: the run so far."""

    writer: UniverseWriter
    files: list[File]
    load_ids: list[int]
    erased_in_all: set[str]
    has_tombstones: bool

    def active_files(self) -> list[int]: ...
    def path_of(self, number: int) -> str: ...
    def sha256_of(self, number: int) -> str: ...
    def store(self, file: File, content: bytes, suffix: str) -> str: ...


class Steps:
    """Makes the step of a number; everything random follows from the run's name and that number."""

    def __init__(self, seed: str, place: Place, months: tuple[int, ...], without: frozenset[str]) -> None:
        self.seed = seed
        self.place = place
        self.months = months
        self.without = without
        self.random = random.Random()

    def step(self, number: int) -> Step:
        self.random.seed(f"step {self.seed} {number}")
        self.place.writer.random.seed(f"lines {self.seed} {number}")
        names = [name for name in WEIGHTS if name not in self.without]
        name = self.random.choices(names, [WEIGHTS[one] for one in names])[0]
        if name == "crash":
            return Step(name, [], "crashed")
        if name == "disturbed":
            return self._disturbed()
        if name == "together":
            return self._together()
        if name == "race":
            return self._race()
        return Step(name, [self.command(name)])

    def command(self, name: str) -> Command:
        made: Command = getattr(self, "_" + name.replace("-", "_"))()
        return made

    def _some(self, *names: str) -> Command:
        names = tuple(name for name in names if name not in self.without) or ("load",)
        return self.command(self.random.choice(names))

    # What befalls them

    def _disturbed(self) -> Step:
        command = self._some(
            "load", "load", "load-several", "load-failing", "undo", "forget", "replay", "retention",
            "grant", "migrate")
        how = self.random.choice(["killed", "killed", "killed", "terminated", "terminated", "crashed"])
        if how == "crashed" and "crash" in self.without:
            how = "killed"
        step = Step("disturbed", [command], how, delay=self.random.uniform(0.005, 0.12))
        if POINTS[command.kind] and self.random.random() < 0.5:
            step.point = self.random.choice(POINTS[command.kind])
        if how == "crashed" and command.kind == "load":
            command.arguments += ["--retries", "0"]
        return step

    def _together(self) -> Step:
        others = ["load", "load-again", "load-failing", "forget", "forget", "undo", "retention",
                  "replay", "grant", "migrate"]
        first = self.random.choice(["load", "load-failing", "load-failing", "load-several", "load-again"])
        commands = [self._some(first), self._some(*others)]
        if self.random.random() < 0.15:
            commands.append(self._some(*others))
        elif self.random.random() < 0.1:
            # The same at once.
            commands[1] = Command(**vars(commands[0]))
        if commands[1].kind == "forget" and self.random.random() < 0.8:
            # Rather somebody who is meant by a line that is refused meanwhile.
            named = tuple(
                user for user in USERS if user not in self.place.erased_in_all
                and any(user in one.file.refused_users for one in commands[0].attempts))
            if named:
                commands[1] = self._forget(named)
        step = Step("together", commands, delay=self.random.uniform(0, 0.04))
        step.how = self.random.choice(["held", "held", "plain"])
        if step.how == "held":
            step.point = self.random.choice(["copy-begun", "merged", "before-commit", "before-commit"])
            if commands[0].max_rejects not in (None, "unlimited"):
                step.point = "copy-begun"
                at = commands[0].arguments.index("--max-rejects")
                commands[0].arguments[at + 1] = "0%"
                commands[0].max_rejects = "0%"
        return step

    def _race(self) -> Step:
        """A file fails by its refused lines, and the user of one is erased before that is told."""
        for _ in range(20):
            file = self._new_file()
            named = tuple(
                user for user in USERS
                if user in file.refused_users and user not in self.place.erased_in_all)
            if named:
                break
        else:
            return Step("race", [self._load()])
        load = self._load_of([self._stored(file)], "--max-rejects", "0%", max_rejects="0%")
        return Step("race", [load, self._forget(named)], "held", "copy-begun")

    # Loads

    def _new_file(self) -> File:
        file = self.place.writer.file()
        self.place.files.append(file)
        return file

    def _stored(self, file: File) -> Attempt:
        suffix, content = self.place.writer.pack(file.content)
        return Attempt(file, self.place.store(file, content, suffix))

    def _known_file(self) -> File:
        if not self.place.files or self.random.random() < 0.1:
            return self._new_file()
        # Rather a late one.
        recent = self.place.files[-12:] if self.random.random() < 0.7 else self.place.files
        return self.random.choice(recent)

    def _load_of(self, attempts: list[Attempt], *more: str, **meant: object) -> Command:
        options = list(attempts[0].file.options)
        as_of = None
        if self.random.random() < 0.25:
            as_of = self.random.choice(self.months[2:])
            options += ["--as-of", timestamp(as_of, "{}T{}Z")]
        if len(attempts) > 1 or self.random.random() < 0.1:
            options += ["--jobs", self.random.choice(["1", "2"])]
        return Command(
            "load", ["load", *(one.path for one in attempts), *options, *more], as_of=as_of,
            attempts=attempts, **meant)  # type: ignore[arg-type]

    def _load(self) -> Command:
        file = self._new_file()
        if self.random.random() < 0.12:
            attempt = Attempt(file, "-")
            command = self._load_of([attempt], "--stream", file.stream)
            command.stdin = self.place.writer.pack(file.content)[1]
            return command
        return self._load_of([self._stored(file)], *self._limit(0.15))

    def _limit(self, chance: float) -> tuple[str, ...]:
        return ("--max-rejects", "unlimited") if self.random.random() < chance else ()

    def _load_again(self) -> Command:
        file = self._known_file()
        if file.paths and self.random.random() < 0.4:
            return self._load_of([Attempt(file, str(self.random.choice(file.paths)))])
        return self._load_of([self._stored(file)])

    def _load_several(self) -> Command:
        first = self._new_file()
        files = [first, self._new_file(), self._known_file(), self._known_file()]
        alike = [file for file in files if file.options == first.options]
        return self._load_of([self._stored(file) for file in dict.fromkeys(alike)])

    def _load_failing(self) -> Command:
        """By its archive, or by its refused lines; now and then it does not fail after all."""
        if self.random.random() < 0.3:
            file = self._new_file()
            packed = self.place.writer.pack(file.content)[1]
            while packed == file.content and file.content:
                packed = self.place.writer.pack(file.content)[1]
            whole = self.random.random() < 0.5
            spoiled = packed[:self.random.randrange(3, len(packed))] if whole else (
                packed[:-6] + bytes([packed[-6] ^ 0x55]) + packed[-5:])
            suffix = ".zst" if packed[:2] == b"\x28\xb5" else ".gz"
            path = self.place.store(file, spoiled, f".broken{suffix}")
            attempts = [Attempt(file, path, is_broken=True)]
            if self.random.random() < 0.4:
                other = self._new_file()
                if other.options == file.options:
                    attempts.append(self._stored(other))
            return self._load_of(attempts)
        file = self._known_file()
        limit = self.random.choice(LIMITS)
        return self._load_of([self._stored(file)], "--max-rejects", limit, max_rejects=limit)

    def _load_dry(self) -> Command:
        command = self._some("load", "load-again", "load-several", "load-failing")
        command.arguments.append("--dry-run")
        command.is_dry = True
        return command

    # The others

    def _dry(self, command: Command, chance: float) -> Command:
        if self.random.random() < chance:
            command.arguments.append("--dry-run")
            command.is_dry = True
        return command

    def _replay(self) -> Command:
        stream = self.random.choice([None, None, None, *STREAMS])
        options = ["--stream", stream] if stream else []
        return self._dry(Command("replay", ["rejects", "replay", *options], stream=stream), 0.15)

    def _undo(self) -> Command:
        active = self.place.active_files()
        if not active:
            return self._load()
        if self.random.random() < 0.12 and self.place.load_ids:
            load = self.random.choice(self.place.load_ids[-15:])
            command = Command("undo", ["undo", "--load", str(load)], targets=(-load,))
        else:
            number = self.random.choice(active[-8:] if self.random.random() < 0.6 else active)
            way = self.random.randrange(3)
            name = [str(number), self.place.path_of(number), self.place.sha256_of(number)[:16]][way]
            if name == "-":
                name = str(number)
            command = Command("undo", ["undo", name], targets=(number,))
        if self.random.random() < 0.6:
            command.with_later = True
            command.arguments.append("--with-later")
        return self._dry(command, 0.12)

    def _user(self) -> str:
        erased = sorted(self.place.erased_in_all)
        if len(erased) >= 2 and self.random.random() < 0.6:
            return self.random.choice(erased)
        return self.random.choice(ERASABLE)

    def _app(self) -> str | None:
        if "app-erasures" in self.without:
            return None
        return self.random.choice([None, None, "game-a", "game-b"])

    def _forget(self, users: tuple[str, ...] = USERS) -> Command:
        """Of these users, if possible."""
        app = self._app()
        erasable = [user for user in users if user in ERASABLE]
        user = self.random.choice(users) if app else (
            self.random.choice(erasable) if erasable and users != USERS else self._user())
        command = Command("forget", ["forget-user", user], users=[user], app=app)
        if app is not None:
            command.arguments += ["--app-id", app]
        return self._dry(command, 0.1)

    def _forget_lines(self) -> Command:
        """From standard input: some lines are ids, some are near misses."""
        lines = []
        for _ in range(self.random.randrange(1, 4)):
            user = self._user().encode()
            lines.append(self.random.choice([
                user, user, user, user + b" ", b" " + user, user + b"\0", user + b"\xff", b"0", b""]))
        if not any(lines):
            lines.append(self._user().encode())
        content = self.random.choice([b"\n", b"\n", b"\r\n"]).join(lines)
        if self.random.random() < 0.7:
            content += b"\n"
        if self.random.random() < 0.3:
            content = b"\xef\xbb\xbf" + content
        users, refused = ids_of_input(content)
        command = Command(
            "forget", ["forget-user", "-"], stdin=content, users=users, refused_count=refused)
        return self._dry(command, 0.1)

    def _retention(self) -> Command:
        keep = self.random.choice([1, 2, 3, 3, 4, 4])
        stream = self.random.choice([None, None, "level_up", "game_user"])
        options = ["--stream", stream] if stream else []
        return self._dry(Command(
            "retention", ["retention", "--keep", str(keep), *options], keep=keep,
            streams=(stream,) if stream else ("level_up", "game_user")), 0.1)

    def _grant(self) -> Command:
        name = f"r{self.seed.replace(' ', '_')}"
        roles = [part for role in ("owner", "loader", "analyst", "eraser")
                 for part in (f"--{role}", f"{name}_{role}")]
        return Command("grant", ["grant", "--create-roles", *roles])

    def _migrate(self) -> Command:
        return Command("migrate", ["migrate"])


# How often each comes, and so which there are.
WEIGHTS = {
    "load": 20, "load-again": 9, "load-several": 7, "load-failing": 8, "load-dry": 2, "replay": 6,
    "undo": 9, "forget": 3, "forget-lines": 2, "retention": 4, "grant": 1, "migrate": 1, "crash": 1,
    "disturbed": 8, "together": 14, "race": 3,
}

