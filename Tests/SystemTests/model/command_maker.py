"""Makes random steps of commands. Each kind of command in `WEIGHTS` has a method of the same name."""

from __future__ import annotations

import gzip
import random
import zlib
from typing import TYPE_CHECKING

from commands import POINTS, Attempt, Command, Step, ids_of_input
from data import PRICES, STREAMS
from events import Choice
from months import DAY
from printing import timestamp
from snapshot import ZONES
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

    def __init__(self, run: Run, months: tuple[int, ...], without: frozenset[str]) -> None:
        self.random = random.Random()
        self.run = run
        self.months = months
        self.without = without

    def command(self, name: str) -> Command:
        made: Command = getattr(self, name.replace("-", "_"))()
        return made

    def some(self, *names: str) -> Command:
        names = tuple(name for name in names if name not in self.without) or ("load",)
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

    def load_of(self, attempts: list[Attempt], *more: str, **meant: object) -> Command:
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
        if "--max-rejects" in more:
            meant["max_rejects"] = more[more.index("--max-rejects") + 1]
        return Command(
            "load", ["load", *(one.path for one in attempts), *options, *more], as_of=as_of,
            attempts=attempts, **meant)  # type: ignore[arg-type]

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
        command.is_dry = True
        return command

    # The others

    def _dry(self, command: Command, chance: float) -> Command:
        if self.random.random() < chance:
            command.arguments.append("--dry-run")
            command.is_dry = True
        return command

    def replay(self) -> Command:
        stream = self.random.choice([None, None, None, *STREAMS])
        options = ["--stream", stream] if stream else []
        return self._dry(Command("replay", ["rejects", "replay", *options], stream=stream), 0.15)

    def undo(self) -> Command:
        active = self.run.active_files()
        if not active:
            return self.load()
        if self.random.random() < 0.12 and self.run.load_ids:
            load = self.random.choice(self.run.load_ids[-15:])
            command = Command("undo", ["undo", "--load", str(load)], targets=(-load,))
        else:
            number = self.random.choice(active[-8:] if self.random.random() < 0.6 else active)
            way = self.random.randrange(3)
            name = [str(number), self.run.path_of(number), self.run.sha256_of(number)[:16]][way]
            if name == "-":
                name = str(number)
            command = Command("undo", ["undo", name], targets=(number,))
        if self.random.random() < 0.6:
            command.with_later = True
            command.arguments.append("--with-later")
        return self._dry(command, 0.12)

    def accept(self) -> Command:
        conflicts = self.run.open_conflicts()
        if not conflicts:
            return self.load_correction()
        # Several acceptances of one row are the most error-prone case.
        rows = self.run.accepted_rows()
        again = [one for one in conflicts if (one.stream, one.key) in rows]
        if again and self.random.random() < 0.6:
            conflicts = again
        one = self.random.choice(conflicts[-20:] if self.random.random() < 0.7 else conflicts)
        path = self.run.path_of(one.file)
        number, load = str(one.file), self.run.load_of(one.file)
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
        acceptances = self.run.acceptances()
        if not acceptances:
            return self.accept()
        covered = sorted({numbers[0] for numbers in self.run.accepted_rows().values() if numbers[0] != numbers[-1]})
        number = self.random.choice(covered if covered and self.random.random() < 0.5 else acceptances)
        command = Command("undo-acceptance", ["conflicts", "undo", str(number)], acceptance=number)
        if self.random.random() < 0.6:
            command.with_later = True
            command.arguments.append("--with-later")
        return self._dry(command, 0.12)

    def _user(self) -> str:
        erased = sorted(self.run.erased_in_all)
        if len(erased) >= 2 and self.random.random() < 0.6:
            return self.random.choice(erased)
        return self.random.choice(ERASABLE)

    def _app(self) -> str | None:
        if "app-erasures" in self.without:
            return None
        return self.random.choice([None, None, "game-a", "game-b"])

    def forget(self, users: tuple[str, ...] = USERS) -> Command:
        """An erasure of one of these users, if one of them may be erased."""
        app = self._app()
        erasable = [user for user in users if user in ERASABLE]
        user = self.random.choice(users) if app else (
            self.random.choice(erasable) if erasable and users != USERS else self._user())
        command = Command("forget", ["forget-user", user], users=[user], app=app)
        if app is not None:
            command.arguments += ["--app-id", app]
        return self._dry(command, 0.1)

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
        return self._dry(Command(
            "retention", ["retention", "--keep", str(keep), *options], keep=keep,
            streams=(stream,) if stream else ("level_up", "game_user", "item", "event")), 0.1)

    def prune(self) -> Command:
        return self._dry(Command("prune", ["retention", "--keep", "1", "--ledger"], aged=self.random.randrange(50, 101)), 0.1)

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

    def _disturbed(self) -> Step:
        command = self.some(
            "load", "load", "load-several", "load-failing", "undo", "forget", "replay", "retention",
            "accept", "undo-acceptance", "grant", "migrate", "refresh", "zone", "rates", "prune")
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
            named = tuple(
                user for user in USERS if user not in self.run.erased_in_all
                and any(user in one.file.refused_users for one in commands[0].attempts))
            if named:
                commands[1] = self.forget(named)
        step = Step("together", commands, delay=self.random.uniform(0, 0.04))
        # Only a load stops at a point.
        step.how = self.random.choice(["held", "held", "plain"]) if commands[0].kind == "load" else "plain"
        if step.how == "held":
            step.point = self.random.choice(["copy-begun", "merged", "before-commit", "before-commit"])
            if commands[0].max_rejects not in (None, "unlimited"):
                step.point = "copy-begun"
                at = commands[0].arguments.index("--max-rejects")
                commands[0].arguments[at + 1] = "0%"
                commands[0].max_rejects = "0%"
        return step

    def _race(self) -> Step:
        """An erasure of a refused line's user between the load's failure and its record in the ledger."""
        for _ in range(20):
            file = self.new_file()
            named = tuple(user for user in USERS if user in file.refused_users and user not in self.run.erased_in_all)
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
