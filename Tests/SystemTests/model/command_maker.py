"""Makes random steps of commands. Each kind of command in `WEIGHTS` has a method of the same name."""

from __future__ import annotations

import gzip
import random
import zlib
from collections.abc import Collection
from typing import TYPE_CHECKING

from commands import POINTS, USUAL_POINTS, Attempt, Command, Step, ids_of_input
from data import PRICES, STREAMS
from events import Choice
from merge import is_of_another
from months import DAY
from printing import timestamp
from snapshot import ZONES
from streams import Key
from universe import USERS, File

if TYPE_CHECKING:
    from model_run import Run

# The last two users are never erased in all applications, so some lines always remain.
ERASABLE = USERS[:4]
LIMITS = ("0", "1", "1%", "10%", "40%", "unlimited")


def _cut(archive: bytes, length: int) -> bytes:
    """The first bytes of an archive, or one byte fewer when these bytes are a valid archive of fewer members."""
    try:
        gzip.decompress(archive[:length])
    except (OSError, EOFError, zlib.error):
        return archive[:length]
    return archive[:length - 1]


class StepMaker:
    """Makes the steps of a run for its state. The run's name and the step's number determine its random choices."""

    def __init__(self, run: Run, months: tuple[int, ...]) -> None:
        self.random = random.Random()
        self.run = run
        self.months = months

    def command(self, name: str) -> Command:
        made: Command = getattr(self, name.replace("-", "_"))()
        return made

    def some(self, *names: str) -> Command:
        return self.command(self.random.choice(names))

    # Loads

    def new_file(self, **meant: float) -> File:
        file = self.run.writer.file(**meant)
        self.run.files.append(file)
        return file

    def stored(self, file: File) -> Attempt:
        suffix, content = self.run.writer.pack(file.content)
        return Attempt(file, self.run.store(file, content, suffix))

    def _known_file(self) -> File:
        if not self.run.files or self.random.random() < 0.1:
            return self.new_file()
        # Recent files have more keys in common with stored rows.
        recent = self.run.files[-12:] if self.random.random() < 0.7 else self.run.files
        return self.random.choice(recent)

    def load_of(self, attempts: list[Attempt], *more: str) -> Command:
        options = list(attempts[0].file.options)
        as_of = None
        if self.random.random() < 0.25:
            # A line within a day after the start is loaded, but moves no horizon.
            fast = [moment // 1000 * 1000 - DAY // 2 for moment in self.run.writer.moments[4:]]
            as_of = self.random.choice([*self.months[2:], *fast])
            options += ["--as-of", timestamp(as_of, "{}T{}Z")]
        if len(attempts) > 1 or self.random.random() < 0.1:
            options += ["--jobs", self.random.choice(["1", "2"])]
        if self.random.random() < 0.3:
            options.append("--no-refresh")
        return Command(
            "load", ["load", *(one.path for one in attempts), *options, *more], as_of=as_of, attempts=attempts)

    def load(self) -> Command:
        file = self.new_file()
        if self.random.random() < 0.12:
            attempt = Attempt(file, "-")
            command = self.load_of([attempt], "--stream", file.stream)
            command.stdin = self.run.writer.pack(file.content)[1]
            return command
        return self.load_of([self.stored(file)], *self._limit(0.15))

    def _limit(self, chance: float) -> tuple[str, ...]:
        return ("--max-rejects", "unlimited") if self.random.random() < chance else ()

    def load_again(self) -> Command:
        file = self._known_file()
        if file.paths and self.random.random() < 0.4:
            return self.load_of([Attempt(file, str(self.random.choice(file.paths)))])
        return self.load_of([self.stored(file)])

    def load_several(self) -> Command:
        first = self.new_file()
        files = [first, self.new_file(), self._known_file(), self._known_file()]
        alike = [file for file in files if file.options == first.options]
        return self.load_of([self.stored(file) for file in dict.fromkeys(alike)])

    def load_failing(self) -> Command:
        """A load with a broken archive or with too many refused lines; by chance it can be within its limit."""
        if self.random.random() < 0.3:
            file = self.new_file()
            packed = self.run.writer.pack(file.content)[1]
            while packed == file.content and file.content:
                packed = self.run.writer.pack(file.content)[1]
            whole = self.random.random() < 0.5
            spoiled = _cut(packed, self.random.randrange(3, len(packed))) if whole else (
                packed[:-6] + bytes([packed[-6] ^ 0x55]) + packed[-5:])
            suffix = ".zst" if packed[:2] == b"\x28\xb5" else ".gz"
            path = self.run.store(file, spoiled, f".broken{suffix}")
            attempts = [Attempt(file, path, is_broken=True)]
            if self.random.random() < 0.4:
                other = self.new_file()
                if other.options == file.options:
                    attempts.append(self.stored(other))
            return self.load_of(attempts)
        file = self._known_file()
        limit = self.random.choice(LIMITS)
        return self.load_of([self.stored(file)], "--max-rejects", limit)

    def load_dry(self) -> Command:
        command = self.some("load", "load-again", "load-several", "load-failing")
        command.arguments.append("--dry-run")
        return command

    # The others

    def _dry(self, command: Command, chance: float) -> Command:
        if self.random.random() < chance:
            command.arguments.append("--dry-run")
        return command

    def replay(self) -> Command:
        stream = self.random.choice([None, None, None, *STREAMS])
        options = ["--stream", stream] if stream else []
        return self._dry(Command("replay", ["rejects", "replay", *options]), 0.15)

    def undo(self) -> Command:
        active = sorted(self.run.model.files)
        if not active:
            return self.load()
        loads = sorted({entry.load for entry in self.run.seen.files.values() if not entry.is_undone})
        if self.random.random() < 0.12 and loads:
            load = self.random.choice(loads[-15:])
            command = Command("undo", ["undo", "--load", str(load)], target=-load)
        else:
            number = self.random.choice(active[-8:] if self.random.random() < 0.6 else active)
            file = self.run.seen.files[number]
            name = [str(number), file.path, file.sha256[:16]][self.random.randrange(3)]
            command = Command("undo", ["undo", str(number) if name == "-" else name], target=number)
        return self._with_later(command)

    def _with_later(self, command: Command) -> Command:
        if self.random.random() < 0.6:
            command.arguments.append("--with-later")
        return self._dry(command, 0.12)

    def _accepted_rows(self) -> dict[tuple[str, Key], list[int]]:
        """The acceptances of each row, oldest first."""
        rows: dict[tuple[str, Key], list[int]] = {}
        for one in self.run.model.accepted_values:
            rows.setdefault((one.stream, one.key), []).append(one.acceptance)
        return rows

    def accept(self) -> Command:
        model = self.run.model
        conflicts = [
            one for one in model.conflicts
            if one.place not in model.accepted_lines and one.key in model.rows[one.stream]
            and not is_of_another(model.rows[one.stream][one.key], one.given)]
        if not conflicts:
            return self.load_correction()
        # Several acceptances of one row are the most error-prone case.
        rows = self._accepted_rows()
        again = [one for one in conflicts if (one.stream, one.key) in rows]
        if again and self.random.random() < 0.6:
            conflicts = again
        one = self.random.choice(conflicts[-20:] if self.random.random() < 0.7 else conflicts)
        path, load, number = self.run.seen.files[one.file].path, self.run.seen.files[one.file].load, str(one.file)
        choice = self.random.choice([
            Choice(file=path), Choice(file=path.rpartition("/")[2]), Choice(file=number), Choice(load=load),
            Choice(stream=one.stream), Choice(key=one.natural_key), Choice(field=one.field),
            Choice(field=one.field, stream=one.stream), Choice(field=one.field, load=load),
            *[Choice(key=one.natural_key, file=number)] * 6])
        arguments = ["conflicts", "accept"]
        for name, value in vars(choice).items():
            if value is not None:
                arguments.append(f"--{name}={value}")
        return self._dry(Command("accept", arguments, choice=choice), 0.12)

    def load_correction(self) -> Command:
        """A load of a file with mostly contradicting lines."""
        return self.load_of([self.stored(self.new_file(contradicting=0.8))], *self._limit(0.5))

    def undo_acceptance(self) -> Command:
        made = sorted(self.run.seen.acceptances.items())
        if not made:
            return self.accept()
        # Those that are not undone, and the first one.
        numbers = [number for place, (number, one) in enumerate(made) if place == 0 or not one.is_undone]
        covered = sorted({rows[0] for rows in self._accepted_rows().values() if rows[0] != rows[-1]})
        number = self.random.choice(covered if covered and self.random.random() < 0.5 else numbers)
        return self._with_later(Command("undo-acceptance", ["conflicts", "undo", str(number)], target=number))

    def _user(self) -> str:
        erased = sorted(self.run.judge.erased_in_all)
        if len(erased) >= 2 and self.random.random() < 0.6:
            return self.random.choice(erased)
        return self.random.choice(ERASABLE)

    def _unerased(self, users: Collection[str]) -> tuple[str, ...]:
        return tuple(user for user in USERS if user in users and user not in self.run.judge.erased_in_all)

    def forget(self, users: tuple[str, ...] = USERS) -> Command:
        """An erasure of one of these users, if one of them may be erased."""
        app = self.random.choice([None, None, "game-a", "game-b"])
        erasable = [user for user in users if user in ERASABLE]
        user = self.random.choice(users) if app else (
            self.random.choice(erasable) if erasable and users != USERS else self._user())
        options = ["--app-id", app] if app else []
        return self._dry(Command("forget", ["forget-user", user, *options], users=[user]), 0.1)

    def forget_lines(self) -> Command:
        """An erasure of the ids on standard input; some lines are almost an id."""
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
        command = Command("forget", ["forget-user", "-"], stdin=content, users=users, refused_count=refused)
        return self._dry(command, 0.1)

    def retention(self) -> Command:
        keep = self.random.choice([1, 2, 3, 3, 4, 4])
        stream = self.random.choice([None, None, "level_up", "game_user", "item", "event"])
        options = ["--stream", stream] if stream else []
        return self._dry(Command("retention", ["retention", "--keep", str(keep), *options]), 0.1)

    def prune(self) -> Command:
        aged = self.random.randrange(50, 101)
        return self._dry(Command("prune", ["retention", "--keep", "1", "--ledger"], aged=aged), 0.1)

    def grant(self) -> Command:
        name = f"r{self.run.name.replace(' ', '_')}"
        return Command("grant", ["grant", "--create-roles", "--roles", name])

    def migrate(self) -> Command:
        return Command("migrate", ["migrate"])

    def refresh(self) -> Command:
        return Command("refresh", ["refresh", *(["--full"] if self.random.random() < 0.3 else [])])

    # Settings and reference data

    def zone(self) -> Command:
        return self._setting("time-zone", self.random.choice(ZONES))

    def base(self) -> Command:
        return self._setting("base-currency", self.random.choice(("USD", "KRW")))

    def _setting(self, name: str, value: str) -> Command:
        chosen = value if self.random.random() < 0.8 else None
        return Command("setting", ["settings", "set", name, chosen or "--default"], setting=(name, chosen))

    def rates(self) -> Command:
        """A load of exchange rates; some of their days have other rates already."""
        days = [timestamp(start, "{}") for start in self.months]
        places = self.random.sample([(one, day) for one in PRICES for day in days], 5)
        rates = tuple((currency, day, str(self.random.randrange(1, 4))) for currency, day in places)
        lines = ["currency,valid_on,rate", *map(",".join, rates)]
        return Command(
            "rates", ["reference", "load", "exchange-rates", "-"], rates=rates,
            stdin="".join(f"{line}\n" for line in lines).encode())

    # Steps

    def step(self, number: int) -> Step:
        self.random.seed(f"step {self.run.name} {number}")
        self.run.writer.random.seed(f"lines {self.run.name} {number}")
        [name] = self.random.choices(list(WEIGHTS), list(WEIGHTS.values()))
        if name == "crash":
            return Step(name, [], "crashed")
        if name == "disturbed":
            return self._disturbed()
        if name == "together":
            return self._together()
        if name == "race":
            return self._race()
        return Step(name, [self.command(name)])

    def _disturbed(self) -> Step:
        command = self.some(
            "load", "load", "load-several", "load-failing", "undo", "forget", "replay", "retention",
            "accept", "undo-acceptance", "grant", "migrate", "refresh", "zone", "rates", "prune")
        how = self.random.choice(["killed", "killed", "killed", "terminated", "terminated", "crashed"])
        step = Step("disturbed", [command], how, delay=self.random.uniform(0.005, 0.12))
        points = POINTS.get(command.kind, USUAL_POINTS)
        if points and self.random.random() < 0.5:
            step.point = self.random.choice(points)
        if how == "crashed" and command.kind == "load":
            command.arguments += ["--retries", "0"]
        return step

    def _together(self) -> Step:
        others = ["load", "load-again", "load-failing", "forget", "forget", "undo", "retention",
                  "replay", "accept", "accept", "undo-acceptance", "grant", "migrate", "refresh", "refresh",
                  "zone", "prune"]
        first = self.random.choice(
            ["load", "load-failing", "load-failing", "load-several", "load-again", "zone", "base"])
        if first == "base":
            others = ["rates", "rates", "base"]
        commands = [self.some(first), self.some(*others)]
        if self.random.random() < 0.15:
            commands.append(self.some(*others))
        elif self.random.random() < 0.1:
            # The same command twice at once.
            commands[1] = Command(**vars(commands[0]))
        if commands[1].kind == "forget" and self.random.random() < 0.8:
            # An erasure of a user of the load's refused lines finds more errors.
            named = self._unerased({user for one in commands[0].attempts for user in one.file.refused_users})
            if named:
                commands[1] = self.forget(named)
        step = Step("together", commands, delay=self.random.uniform(0, 0.04))
        # Only a load stops at a point.
        step.how = self.random.choice(["held", "held", "plain"]) if commands[0].kind == "load" else "plain"
        if step.how == "held":
            step.point = self.random.choice(["copy-begun", "merged", "before-commit", "before-commit"])
            if commands[0].option("--max-rejects") not in (None, "unlimited"):
                step.point = "copy-begun"
                commands[0].arguments[commands[0].arguments.index("--max-rejects") + 1] = "0%"
        return step

    def _race(self) -> Step:
        """An erasure of a refused line's user between the load's failure and its record in the ledger."""
        for _ in range(20):
            file = self.new_file()
            named = self._unerased(file.refused_users)
            if named:
                break
        else:
            return Step("race", [self.load()])
        load = self.load_of([self.stored(file)], "--max-rejects", "0%")
        return Step("race", [load, self.forget(named)], "held", "copy-begun")


# The kinds of steps, with their relative frequency.
WEIGHTS = {
    "load": 20, "load-again": 9, "load-several": 7, "load-failing": 8, "load-correction": 4, "load-dry": 2, "replay": 6,
    "undo": 9, "accept": 8, "undo-acceptance": 4, "forget": 3, "forget-lines": 2, "retention": 4, "grant": 1,
    "migrate": 1, "refresh": 4, "crash": 1, "disturbed": 8, "together": 14, "race": 3, "zone": 4, "base": 1, "rates": 2,
    "prune": 7,
}
