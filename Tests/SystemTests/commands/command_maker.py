"""Makes random steps of commands. Each kind of command in the weights of a tester has a method of the same name.

What a command is about, such as the file of an undo, comes from the ledger of the run's database.
"""

from __future__ import annotations

import gzip
import itertools
import json
import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commands import POINTS, USUAL_POINTS, Attempt, Command, Step
from data import PRICES, STREAMS, File, Writer
from events import Choice
from months import MONTHLY
from printing import timestamp
from server import Session

ZONES = ("UTC", "Asia/Seoul", "America/New_York", "Asia/Kathmandu")
LIMITS = ("0", "1", "1%", "10%", "40%", "unlimited")
# The times of the ledger by which a prune goes.
AGES = {
    "ingest.source_file": ("loaded_at", "undone_at"), "ingest.acceptance": ("accepted_at", "undone_at"),
    "ingest.load": ("started_at", "finished_at", "seen_at"), "ingest.reject": ("resolved_at",),
    "ingest.failed_file": ("failed_at", "first_failed_at"), "ingest.failure_dismissal": ("dismissed_at",),
}

# Files in the order of their paths, because loads that run at once draw numbers by chance.
ACTIVE_FILES = """select source_file_id, path, encode(sha256, 'hex'), load_id from ingest.source_file
    where undone_at is null order by path, source_file_id"""
OPEN_CONFLICTS = """select c.stream, c.natural_key::text, c.field, f.path, f.source_file_id, f.load_id, exists (
      select from ingest.conflict o where (o.stream, o.natural_key) = (c.stream, c.natural_key)
      and o.acceptance_id is not null) as is_again
    from ingest.conflict c join ingest.source_file f using (source_file_id)
    where c.acceptance_id is null and f.undone_at is null
      and c.field not in ('user_id', 'app_id') order by f.path, f.source_file_id, c.conflict_id"""
# Each with true when a later one covers values of it.
ACCEPTANCES = """select a.acceptance_id, exists (select from ingest.conflict c join ingest.conflict o
      on (o.stream, o.natural_key) = (c.stream, c.natural_key) and o.acceptance_id > c.acceptance_id
      where c.acceptance_id = a.acceptance_id) from ingest.acceptance a
    where a.undone_at is null or a.acceptance_id = 1 order by 1"""


@dataclass(frozen=True)
class Habits:
    """What differs between the steps of the testers."""

    # The kinds of steps, with their relative frequency.
    weights: dict[str, int]
    # Of concurrent commands: the kinds of the first one and of the others, and how they can run.
    first: Sequence[str]
    others: Sequence[str]
    ways: Sequence[str]
    # The fraction of loads that accept any number of refused lines.
    unlimited: float
    # By table: the least and the greatest percentage of rows that age before a prune.
    aged: dict[str, tuple[int, int]]
    # The times of --as-of and --observed-at.
    starts: Sequence[int]
    observed: Sequence[int | None]


def _cut(archive: bytes, length: int) -> bytes:
    """The first bytes of an archive, or one byte fewer when these bytes are a valid archive of fewer members."""
    try:
        gzip.decompress(archive[:length])
    except (OSError, EOFError, zlib.error):
        return archive[:length]
    return archive[:length - 1]


class CommandMaker:
    """Makes the steps of a run for its state. The run's name and the step's number determine its random choices."""

    def __init__(
        self, name: str, habits: Habits, writer: Writer, inbox: Path, session: Session, months: tuple[int, ...],
    ) -> None:
        self.name = name
        self.habits = habits
        self.writer = writer
        self.inbox = inbox
        self.session = session
        # The beginnings of the months of the times.
        self.months = months
        self.random = random.Random(name)
        self.files: list[File] = []
        self.path_numbers = itertools.count(1)
        # The users whose erasure in all applications was made.
        self.erased: set[str] = set()

    def command(self, name: str) -> Command:
        made: Command = getattr(self, name.replace("-", "_"))()
        return made

    def some(self, names: Sequence[str]) -> Command:
        return self.command(self.random.choice(names))

    def is_so(self, chance: float) -> bool:
        return self.random.random() < chance

    def recent(self, found: list[Any], count: int, chance: float) -> Any:
        return self.random.choice(found[-count:] if self.is_so(chance) else found)

    # Loads

    def new_file(self, stream: str | None = None, contradicting: float | None = None) -> File:
        observed = self.random.choice(self.habits.observed)
        file = self.writer.file(
            stream, contradicting, None if observed is None else timestamp(observed, "{}T{}Z"))
        self.files.append(file)
        return file

    def stored(self, file: File) -> Attempt:
        """Writes the bytes under a new name, in a random compression."""
        suffix, content = self.writer.pack(file.content)
        attempt = self._attempt(file, content, suffix)
        file.paths.append(Path(attempt.path))
        return attempt

    def _attempt(self, file: File, content: bytes, suffix: str, is_broken: bool = False) -> Attempt:
        path = self.inbox / f"{file.name.removesuffix('.jsonl')}-{next(self.path_numbers)}.jsonl{suffix}"
        path.write_bytes(content)
        return Attempt(file, str(path), is_broken)

    def _known_file(self) -> File:
        # Recent files have more keys in common with stored rows.
        known: File = self.recent(self.files, 12, 0.7) if self.files and not self.is_so(0.1) else self.new_file()
        return known

    def _again(self, file: File) -> Attempt:
        if file.paths and self.is_so(0.4):
            return Attempt(file, str(self.random.choice(file.paths)))
        return self.stored(file)

    def load_of(self, attempts: list[Attempt], *more: str) -> Command:
        options = [*attempts[0].file.options, *more]
        as_of = None
        if self.is_so(0.2):
            as_of = self.random.choice(self.habits.starts)
            options += ["--as-of", timestamp(as_of, "{}T{}Z")]
        if len(attempts) > 1 or self.is_so(0.1):
            options += ["--jobs", self.random.choice(["1", "2"])]
        if self.is_so(0.25):
            options.append("--no-refresh")
        if "--max-rejects" not in more and self.is_so(self.habits.unlimited):
            options += ["--max-rejects", "unlimited"]
        return Command(["load", *(one.path for one in attempts), *options], as_of=as_of, attempts=attempts)

    def load(self) -> Command:
        file = self.new_file()
        if not self.is_so(0.12):
            return self.load_of([self.stored(file)])
        command = self.load_of([Attempt(file, "-")], "--stream", file.stream)
        command.stdin = self.writer.pack(file.content)[1]
        return command

    def load_again(self) -> Command:
        return self.load_of([self._again(self._known_file())])

    def load_several(self) -> Command:
        first = self.new_file()
        files = [first, self.new_file(), self._known_file(), self._known_file()]
        alike = [file for file in files if file.options == first.options]
        return self.load_of([self.stored(file) for file in dict.fromkeys(alike)])

    def load_failing(self) -> Command:
        """A load with a broken archive or with too many refused lines; by chance it can be within its limit."""
        if not self.is_so(0.3):
            return self.load_of([self._again(self._known_file())], "--max-rejects", self.random.choice(LIMITS))
        file = self.new_file()
        suffix, packed = "", file.content
        while not suffix:
            suffix, packed = self.writer.pack(file.content or b"\n")
        spoiled = packed[:-6] + bytes([packed[-6] ^ 0x55]) + packed[-5:]
        if self.is_so(0.5):
            spoiled = _cut(packed, self.random.randrange(3, len(packed)))
        attempts = [self._attempt(file, spoiled, f".broken{suffix}", is_broken=True)]
        if self.is_so(0.4):
            other = self.new_file()
            attempts += [self.stored(other)] if other.options == file.options else []
        return self.load_of(attempts)

    def load_correction(self) -> Command:
        """A load of a file with mostly contradicting lines."""
        return self.load_of([self.stored(self.new_file(contradicting=0.8))], *(
            ["--max-rejects", "unlimited"] if self.is_so(0.5) else []))

    def load_dry(self) -> Command:
        command = self.some(["load", "load-again", "load-several", "load-failing"])
        command.arguments.append("--dry-run")
        return command

    def load_empty(self) -> Command:
        """A load of a file without a record, of an application or of none."""
        stream = self.random.choice(STREAMS)
        file = File(f"{stream.replace('_', '')}-empty.jsonl", stream, self.random.choice([b"", b"\n"]),
                    self.random.choice(["", "game-a", "game-b"]))
        return self.load_of([self._attempt(file, file.content, "")])

    # The others

    def _maybe(self, command: Command, *options: tuple[str, float]) -> Command:
        """The command with each of the options by its chance."""
        command.arguments += [name for name, chance in options if self.is_so(chance)]
        return command

    def _stream(self, nothing: int, *streams: str) -> list[str]:
        """The option of one of the streams, or as often as given nothing."""
        stream = self.random.choice([*[""] * nothing, *streams])
        return ["--stream", stream] if stream else []

    def replay(self) -> Command:
        return self._maybe(Command(["rejects", "replay", *self._stream(3, *STREAMS)]), ("--dry-run", 0.15))

    def undo(self) -> Command:
        files = self.session.rows(ACTIVE_FILES)
        if not files:
            return self.load()
        number, path, sha256, load = self.recent(files, 8, 0.4)
        if self.is_so(0.12):
            command = Command(["undo", "--load", str(load)], target=-load)
        else:
            name = self.random.choice([str(number), path, sha256[:16]])
            command = Command(["undo", str(number) if name == "-" else name], target=number)
        return self._maybe(command, ("--with-later", 0.6), ("--dry-run", 0.12))

    def accept(self) -> Command:
        conflicts = self.session.rows(OPEN_CONFLICTS)
        if not conflicts:
            return self.load_correction()
        # Several acceptances of one row are the most error-prone case.
        again = [one for one in conflicts if one[-1]]
        if again and self.is_so(0.6):
            conflicts = again
        stream, written, field, path, number, load, _ = self.recent(conflicts, 20, 0.7)
        key, file = json.dumps(json.loads(written)), str(number)
        choice = self.random.choice([
            Choice(file=path), Choice(file=path.rpartition("/")[2]), Choice(file=file), Choice(load=load),
            Choice(stream=stream), Choice(key=key), Choice(field=field), Choice(field=field, stream=stream),
            Choice(field=field, load=load), *[Choice(key=key, file=file)] * 6])
        options = [f"--{name}={value}" for name, value in vars(choice).items() if value is not None]
        return self._maybe(Command(["conflicts", "accept", *options], choice=choice), ("--dry-run", 0.12))

    def undo_acceptance(self) -> Command:
        made = self.session.rows(ACCEPTANCES)
        if not made:
            return self.accept()
        covered = [one for one in made if one[1]]
        number, _ = self.random.choice(covered if covered and self.is_so(0.5) else made)
        command = Command(["conflicts", "undo", str(number)], target=number)
        return self._maybe(command, ("--with-later", 0.6), ("--dry-run", 0.12))

    def _user(self) -> str:
        # The last two users are never erased in all applications, so some lines always remain.
        return self.random.choice(sorted(self.erased) if self.is_so(0.6) and len(self.erased) > 1
                                  else self.writer.profile.users[:-2])

    def _erasure(self, command: Command) -> Command:
        self._maybe(command, ("--dry-run", 0.1))
        if not command.is_dry and command.app is None:
            self.erased.update(command.users)
        return command

    def forget(self, named: Sequence[str] = ()) -> Command:
        """An erasure of a user, of these ones if there are any."""
        app = self.random.choice([None, None, "game-a", "game-b"])
        erasable = [user for user in named if user in self.writer.profile.users[:-2]]
        user = self.random.choice(named or self.writer.profile.users) if app else (
            self.random.choice(erasable) if erasable else self._user())
        return self._erasure(Command(["forget-user", user, *(["--app-id", app] if app else [])]))

    def forget_lines(self) -> Command:
        """An erasure of the ids on standard input; some lines are almost an id."""
        lines = [self._user().encode()]
        for _ in range(self.random.randrange(3)):
            user = self._user().encode()
            lines.append(self.random.choice([
                user, user, user, user + b" ", b" " + user, user + b"\0", user + b"\xff", b"0", b""]))
        self.random.shuffle(lines)
        content = self.random.choice([b"\n", b"\n", b"\r\n"]).join(lines) + self.random.choice([b"\n", b"\n", b""])
        return self._erasure(Command(
            ["forget-user", "-"], stdin=self.random.choice([b"", b"", b"\xef\xbb\xbf"]) + content))

    def retention(self) -> Command:
        """Drops some of the first months, mostly one."""
        keep = max(1, len(self.months) - self.random.choice([0, 0, 0, 1, 1, 2]))
        return self._maybe(
            Command(["retention", "--keep", str(keep), *self._stream(2, *MONTHLY)]), ("--dry-run", 0.1))

    def prune(self) -> Command:
        aged = {table: self.random.randint(*share) for table, share in self.habits.aged.items()}
        return self._maybe(Command(["retention", "--keep", "1", "--ledger"], aged=aged), ("--dry-run", 0.1))

    def dismiss(self) -> Command:
        failures = self.session.rows("select path from report.open_failure order by path")
        return Command(["failures", "dismiss", *self.random.choice(failures)]) if failures else self.load_failing()

    def grant(self) -> Command:
        return Command(["grant", "--create-roles", "--roles", f"r{self.name.replace(' ', '_')}"])

    def migrate(self) -> Command:
        return Command(["migrate"])

    def refresh(self) -> Command:
        return self._maybe(Command(["refresh"]), ("--full", 0.3))

    # Settings and reference data

    def _setting(self, name: str, *values: str) -> Command:
        value = self.random.choice(values)
        return Command(["settings", "set", name, value if self.is_so(0.8) else "--default"])

    def zone(self) -> Command:
        return self._setting("time-zone", *ZONES)

    def base(self) -> Command:
        return self._setting("base-currency", "USD", "KRW")

    def feed(self) -> Command:
        name = self.random.choice(["receipt-feed", "receipt-feed", "receipt-feed.game-a", "receipt-feed.game-b"])
        return self._setting(name, "auto", "files", "events")

    def limit(self) -> Command:
        """The limits beyond which the reports are not to be trusted."""
        name = self.random.choice(["max-age", "min-daily-lines", "min-usual-lines"])
        stream = self.random.choice(["", ".receipt", ".level_up", ".event", ".item"])
        return self._setting(f"{name}{stream}", *(["1", "100", "5000"] if name == "max-age" else ["1", "2", "10"]))

    def rates(self) -> Command:
        """A load of exchange rates; some of their days have other rates already, and the base currency has one of 1."""
        base = dict(self.session.rows("select name, value from ingest.setting")).get("base-currency")
        if base is None and self.is_so(0.7):
            # Without one, no rate is accepted.
            return self.base()
        days = sorted({timestamp(moment, "{}") for moment in (*self.months, *self.writer.moments)})
        places = self.random.sample([(one, day) for one in PRICES for day in days], 12)
        lines = [f"{one},{day},{1 if one == base and self.is_so(0.9) else self.random.choice([1, 2, 0.125, 1350.5])}"
                 for one, day in places]
        content = "".join(f"{line}\n" for line in ["currency,valid_on,rate", *lines])
        return Command(["reference", "load", "exchange-rates", "-"], stdin=content.encode())

    # Steps

    def step(self, number: int) -> Step:
        self.random.seed(f"step {self.name} {number}")
        self.writer.random.seed(f"lines {self.name} {number}")
        weights = self.habits.weights
        [name] = self.random.choices(list(weights), list(weights.values()))
        if name == "crash":
            return Step(name, [], "crashed")
        steps = {"disturbed": self._disturbed, "together": self._together, "race": self._race, "loads": self.loads}
        return steps[name]() if name in steps else Step(name, [self.command(name)])

    def loads(self, *streams: str) -> Step:
        """Loads of these streams at once, or of some."""
        streams = streams or self.random.choice([
            ("receipt", "level_up", "game_user"), ("receipt", "receipt", "level_up"), ("game_user", "level_up"),
            ("item", "receipt"), ("event", "item"), ("item", "item", "game_user")])
        return Step("loads", [self.load_of([self.stored(self.new_file(stream))]) for stream in streams], "plain")

    def _disturbed(self) -> Step:
        command = self.some([
            "load", "load", "load-several", "load-failing", "undo", "forget", "replay", "retention",
            "accept", "undo-acceptance", "grant", "migrate", "refresh", "zone", "rates", "prune"])
        how = self.random.choice(["killed", "killed", "killed", "terminated", "terminated", "crashed"])
        step = Step("disturbed", [command], how, delay=self.random.uniform(0.005, 0.12))
        points = POINTS.get(command.kind, USUAL_POINTS)
        if points and self.is_so(0.5):
            step.point = self.random.choice(points)
        if how == "crashed" and command.kind == "load":
            command.arguments += ["--retries", "0"]
        return step

    def _together(self) -> Step:
        first = self.random.choice(self.habits.first)
        others = ["rates", "rates", "base"] if first == "base" else self.habits.others
        commands = [self.command(first), self.some(others)]
        if self.is_so(0.15):
            commands.append(self.some(others))
        elif self.is_so(0.1):
            # The same command twice at once.
            commands[1] = Command(**vars(commands[0]))
        if commands[1].kind == "forget" and self.is_so(0.8):
            # An erasure of a user of the load's refused lines finds more errors.
            named = self._unerased([user for one in commands[0].attempts for user in one.file.refused_users])
            if named:
                commands[1] = self.forget(named)
        step = Step("together", commands, delay=self.random.uniform(0, 0.04))
        # Only a load stops at a point.
        step.how = self.random.choice(self.habits.ways) if commands[0].kind == "load" else "plain"
        if step.how == "held":
            step.point = self.random.choice(["copy-begun", "merged", "before-commit", "before-commit"])
            if commands[0].option("--max-rejects") not in (None, "unlimited"):
                step.point = "copy-begun"
                commands[0].arguments[commands[0].arguments.index("--max-rejects") + 1] = "0%"
        return step

    def _unerased(self, users: Sequence[str]) -> list[str]:
        return sorted({*users} - self.erased)

    def _race(self) -> Step:
        """An erasure of a refused line's user between the load's failure and its record in the ledger."""
        for _ in range(20):
            file = self.new_file()
            if named := self._unerased([*file.refused_users]):
                load = self.load_of([self.stored(file)], "--max-rejects", "0%")
                return Step("race", [load, self.forget(named)], "held", "copy-begun")
        return Step("race", [self.load()])
