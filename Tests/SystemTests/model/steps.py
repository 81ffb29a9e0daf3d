"""The steps of a run: single or concurrent commands, undisturbed, killed, terminated or crashed."""

from __future__ import annotations

import random
from dataclasses import dataclass

from command_maker import CommandMaker, RunState
from commands import POINTS, Command
from universe import USERS


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


class Steps:
    """Makes the steps of a run. The run's name and the step's number determine its random choices."""

    def __init__(
        self, seed: str, run: RunState, months: tuple[int, ...], without: frozenset[str]
    ) -> None:
        self.seed = seed
        self.run = run
        self.without = without
        self.random = random.Random()
        self.make = CommandMaker(self.random, seed, run, months, without)

    def step(self, number: int) -> Step:
        self.random.seed(f"step {self.seed} {number}")
        self.run.writer.random.seed(f"lines {self.seed} {number}")
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
        return Step(name, [self.make.command(name)])

    def _disturbed(self) -> Step:
        command = self.make.some(
            "load", "load", "load-several", "load-failing", "undo", "forget", "replay", "retention",
            "accept", "undo-acceptance", "grant", "migrate", "refresh", "zone", "rates")
        how = self.random.choice(
            ["killed", "killed", "killed", "terminated", "terminated", "crashed"])
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
                  "zone"]
        first = self.random.choice(
            ["load", "load-failing", "load-failing", "load-several", "load-again", "zone", "base"])
        if first == "base":
            others = ["rates", "rates", "base"]
        commands = [self.make.some(first), self.make.some(*others)]
        if self.random.random() < 0.15:
            commands.append(self.make.some(*others))
        elif self.random.random() < 0.1:
            # The same command twice at once.
            commands[1] = Command(**vars(commands[0]))
        if commands[1].kind == "forget" and self.random.random() < 0.8:
            # An erasure of a user of the load's refused lines finds more errors.
            named = tuple(
                user for user in USERS if user not in self.run.erased_in_all
                and any(user in one.file.refused_users for one in commands[0].attempts))
            if named:
                commands[1] = self.make.forget(named)
        step = Step("together", commands, delay=self.random.uniform(0, 0.04))
        # Only a load stops at a point.
        step.how = self.random.choice(["held", "held", "plain"]) if commands[0].kind == "load" else "plain"
        if step.how == "held":
            step.point = self.random.choice(
                ["copy-begun", "merged", "before-commit", "before-commit"])
            if commands[0].max_rejects not in (None, "unlimited"):
                step.point = "copy-begun"
                at = commands[0].arguments.index("--max-rejects")
                commands[0].arguments[at + 1] = "0%"
                commands[0].max_rejects = "0%"
        return step

    def _race(self) -> Step:
        """An erasure of a refused line's user between the load's failure and its record in the ledger."""
        for _ in range(20):
            file = self.make.new_file()
            named = tuple(
                user for user in USERS
                if user in file.refused_users and user not in self.run.erased_in_all)
            if named:
                break
        else:
            return Step("race", [self.make.load()])
        load = self.make.load_of([self.make.stored(file)], "--max-rejects", "0%")
        return Step("race", [load, self.make.forget(named)], "held", "copy-begun")


# The kinds of steps, with their relative frequency.
WEIGHTS = {
    "load": 20, "load-again": 9, "load-several": 7, "load-failing": 8, "load-correction": 4,
    "load-dry": 2, "replay": 6, "undo": 9, "accept": 8, "undo-acceptance": 4, "forget": 3,
    "forget-lines": 2, "retention": 4, "grant": 1, "migrate": 1, "refresh": 4, "crash": 1, "disturbed": 8,
    "together": 14, "race": 3, "zone": 4, "base": 1, "rates": 2,
}
