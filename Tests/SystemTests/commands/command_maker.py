"""Makes random steps of commands. Each kind of command in the weights of a tester has a method of the same name.

What a command is about, such as the file of an undo, comes from the ledger of the run's database.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from commands import POINTS, USUAL_POINTS, Attempt, Command, Step
from data import PRICES, STREAMS, File, Writer
from events import Choice
from months import MONTHLY
from printing import timestamp
from server import Session

LIMITS = ("0", "1", "1%", "10%", "40%", "unlimited")
# Of concurrent commands: the kinds of the first one, and how a load can run beside the others.
FIRST = ("load", "load-failing", "load-failing", "load-several", "load-again", "zone", "base")
WAYS = ("held", "held", "plain")
# The first bytes of each member of an archive.
GZIP = b"\x1f\x8b\x08"
# By kind of command that changes a setting: the names and the values. Beyond the limits reports are not to be trusted.
STREAM_ENDS = ("", ".receipt", ".level_up", ".event", ".item")
SETTINGS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "zone": (("time-zone",), ("UTC", "Asia/Seoul", "America/New_York", "Asia/Kathmandu")),
    "base": (("base-currency",), ("USD", "KRW")),
    "feed": ([f"receipt-feed{end}" for end in ("", "", ".game-a", ".game-b")], ("auto", "files", "events")),
    "age-limit": ([f"max-age{end}" for end in STREAM_ENDS], ("1", "100", "5000")),
    "line-limit": ([f"{name}{end}" for name in ("min-daily-lines", "min-usual-lines") for end in STREAM_ENDS],
                   ("1", "2", "10")),
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
    # The kinds of commands that run beside another one.
    others: Sequence[str]
    # The fraction of loads that accept any number of refused lines.
    unlimited: float
    # The times of --as-of and --observed-at.
    starts: Sequence[int]
    observed: Sequence[int | None]


@dataclass
class CommandMaker:
    """Makes the steps of a run for its state. The run's name and the step's number determine its random choices."""

    name: str
    habits: Habits
    writer: Writer
    inbox: Path
    session: Session
    # The beginnings of the months of the times.
    months: tuple[int, ...]
    random: Random = field(default_factory=Random)
    files: list[File] = field(default_factory=list)
    path_numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    # The users whose erasure in all applications was made.
    erased: set[str] = field(default_factory=set)

    def command(self, name: str) -> Command:
        if name in SETTINGS:
            setting, value = map(self.random.choice, SETTINGS[name])
            return Command(["settings", "set", setting, value if self.is_so(0.8) else "--default"])
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
        attempt = self.attempt(file, *self.writer.pack(file.content))
        file.paths.append(Path(attempt.path))
        return attempt

    def attempt(self, file: File, suffix: str, content: bytes, is_broken: bool = False) -> Attempt:
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
            # Not between two members, where the archive of the first ones is whole.
            spoiled = packed[:self.random.randrange(max(0, packed.rfind(GZIP)) + 3, len(packed))]
        attempts = [self.attempt(file, f".broken{suffix}", spoiled, is_broken=True)]
        if self.is_so(0.4):
            other = self.new_file()
            attempts += [self.stored(other)] if other.options == file.options else []
        return self.load_of(attempts)

    def load_correction(self) -> Command:
        """A load of a file with mostly contradicting lines."""
        return self.load_of([self.stored(self.new_file(contradicting=0.8))])

    def load_dry(self) -> Command:
        command = self.some(["load", "load-again", "load-several", "load-failing"])
        command.arguments.append("--dry-run")
        return command

    def load_empty(self) -> Command:
        """A load of a file without a record, of an application or of none."""
        stream = self.random.choice(STREAMS)
        file = File(f"{stream.replace('_', '')}-empty.jsonl", stream, self.random.choice([b"", b"\n"]),
                    self.random.choice(["", "game-a", "game-b"]))
        return self.load_of([self.attempt(file, "", file.content)])

    # The others

    def _maybe(self, command: Command, *options: tuple[str, float]) -> Command:
        """The command with each of the options by its chance."""
        command.arguments += [name for name, chance in options if self.is_so(chance)]
        return command

    def replay(self) -> Command:
        stream = self.random.choice([[], [], [], *(["--stream", one] for one in STREAMS)])
        return self._maybe(Command(["rejects", "replay", *stream]), ("--dry-run", 0.15))

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
        return self._erasure(Command(["forget-user", user, *(["--app-id", app] if app else [])], users=[user]))

    def forget_lines(self) -> Command:
        """An erasure of the ids on standard input, perhaps beside lines that are almost an id."""
        users = [self._user() for _ in range(self.random.randrange(1, 4))]
        other = self._user().encode()
        wrong = self.random.sample([other + b" ", b" " + other, other + b"\0", other + b"\xff", b"0"],
                                   self.random.choice([0, 0, 1, 2]))
        lines = [b"", *(user.encode() for user in users), *wrong]
        self.random.shuffle(lines)
        content = self.random.choice([b"\n", b"\r\n"]).join(lines) + self.random.choice([b"\n", b""])
        return self._erasure(Command(
            ["forget-user", "-"], self.random.choice([b"", b"\xef\xbb\xbf"]) + content, users=users,
            refused_count=len(wrong)))

    def retention(self) -> Command:
        """Drops some of the first months, mostly one."""
        keep = max(1, len(self.months) - self.random.choice([0, 0, 0, 1, 1, 2]))
        stream = self.random.choice([[], [], *(["--stream", one] for one in MONTHLY)])
        return self._maybe(Command(["retention", "--keep", str(keep), *stream]), ("--dry-run", 0.1))

    def prune(self) -> Command:
        aged = self.random.randint(10, 100)
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

    def rates(self) -> Command:
        """A load of exchange rates; some of their days have other rates already, and the base currency has one of 1."""
        base = dict(self.session.rows("select name, value from ingest.setting")).get("base-currency")
        if base is None and self.is_so(0.7):
            # Without one, no rate is accepted.
            return self.command("base")
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
        if number == 1:
            return self.loads(*STREAMS)
        weights = self.habits.weights
        [name] = self.random.choices(list(weights), list(weights.values()))
        if name == "crash":
            return Step(name, [], "crashed")
        steps = {"disturbed": self._disturbed, "together": self._together, "race": self._race, "loads": self.loads}
        return steps[name]() if name in steps else Step(name, [self.command(name)])

    def loads(self, *streams: str) -> Step:
        """Loads of these streams at once, or of some."""
        streams = streams or tuple(self.random.choices(STREAMS, k=self.random.choice([2, 3])))
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
        first = self.random.choice(FIRST)
        others = ["rates", "rates", "base"] if first == "base" else self.habits.others
        commands = [self.command(first), self.some(others)]
        if self.is_so(0.15):
            commands.append(self.some(others))
        elif self.is_so(0.1):
            # The same command twice at once.
            commands[1] = Command(**vars(commands[0]))
        if commands[1].kind == "forget" and self.is_so(0.8):
            # An erasure of a user of the load's refused lines finds more errors.
            if named := self._unerased(commands[0].attempts):
                commands[1] = self.forget(named)
        step = Step("together", commands, delay=self.random.uniform(0, 0.04))
        # Only a load stops at a point.
        step.how = self.random.choice(WAYS) if commands[0].kind == "load" else "plain"
        if step.how == "held":
            step.point = self.random.choice(["copy-begun", "merged", "before-commit", "before-commit"])
            if commands[0].option("--max-rejects") not in (None, "unlimited"):
                step.point = "copy-begun"
                commands[0].arguments[commands[0].arguments.index("--max-rejects") + 1] = "0%"
        return step

    def _unerased(self, attempts: list[Attempt]) -> list[str]:
        """The users whom refused lines of the files name, and who are not erased in all applications."""
        return sorted({user for one in attempts for user in one.file.refused_users} - self.erased)

    def _race(self) -> Step:
        """An erasure of a refused line's user between the load's failure and its record in the ledger."""
        for _ in range(20):
            load = self.load_of([self.stored(self.new_file())], "--max-rejects", "0%")
            if named := self._unerased(load.attempts):
                return Step("race", [load, self.forget(named)], "held", "copy-begun")
        return Step("race", [self.load()])
