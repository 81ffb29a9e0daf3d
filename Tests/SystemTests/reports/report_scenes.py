"""The scenes of the report test; scenes.txt explains its own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

from command_maker import ACTIVE_FILES, CommandMaker
from commands import SCENE, Command, Step
from data import STREAMS, Record

# What a line has unless it says otherwise, and its time, by the beginning of the names of its stream's files.
USUAL: dict[str, Record] = {
    "receipt": {"price": "1", "currency": "USD", "sandboxPayment": False}, "levelup": {"userLevel": 5},
    "gameuser": {"userLevel": 3}, "event": {"category": "loggedOut"},
}
TIMES = {"receipt": "purchaseTime", "levelup": "levelUpTime", "gameuser": "eventTime", "event": "eventTime"}


def command(*words: str) -> Step:
    return Step(SCENE, [Command(list(words), users=[words[1]] if words[0] == "forget-user" else [])])


class SceneMaker:
    """Makes the steps of a scene, and writes their files, with times in days before the present one."""

    def __init__(self, maker: CommandMaker, now: int) -> None:
        self.maker = maker
        self.today = datetime.fromtimestamp(now / 1e6, timezone.utc)
        self.count = 0

    def step(self, line: str) -> Step:
        """The step of a line of scenes.txt."""
        stream, *words = line.split()
        if stream not in USUAL:
            return command(stream, *words)
        options = [word for word in words if word.startswith("--")]
        records = " ".join(word for word in words if word not in options).split("|")
        self.count += 1
        path = self.maker.inbox / f"{stream}-{self.count}.jsonl"
        path.write_text("".join(f"{json.dumps(self._record(stream, record.split()))}\n" for record in records))
        return command("load", str(path), *options)

    def _record(self, stream: str, words: list[str]) -> Record:
        """A member with an empty value is left out."""
        record: Record = {"userId": "u", "appId": "a"} | USUAL[stream]
        for name, value in (word.split("=") for word in words):
            if name == "at":
                record[TIMES[stream]] = self._time(float(value))
            elif name == "until":
                record |= {"expiryTime": self._time(float(value)), "productType": "AUTO_RENEWABLE"}
            else:
                record[name] = int(value) if name == "userLevel" else value
        return {name: value for name, value in record.items() if value != ""}

    def _time(self, days_ago: float) -> int:
        return int((self.today - timedelta(days=days_ago)).timestamp() * 1000)


def clocks_that_are_fast(make: SceneMaker) -> Iterator[Step]:
    """Rows that no horizon has come to: first alone, then between events, then as the newest ones."""
    for first, second, as_of in ((59.9, 59.1, 60), (40, 39, 0), (29.1, 30, 30)):
        start = (make.today - timedelta(days=as_of)).isoformat(timespec="milliseconds")
        for stream in ("event", "levelup", "gameuser", "receipt"):
            lines = " | ".join(f"paymentSeq={at} at={at} sandboxPayment=" for at in (first, second))
            yield make.step(f"{stream} --as-of={start} {lines}")


def changes_of_a_rich_history(make: SceneMaker) -> Iterator[Step]:
    """Random files, late ones, fills, accepted conflicts, undo, erasure, retention and another zone, on many rows."""
    maker = make.maker
    maker.random.seed("a rich history")
    yield command("settings", "set", "base-currency", "USD")
    yield Step("rates", [maker.rates()])
    for _ in range(8):
        yield maker.loads(*STREAMS)
    changes = ("accept accept accept undo-acceptance undo loads undo-acceptance undo accept refresh forget forget "
               "retention zone loads rates undo forget-lines").split()
    for name in changes:
        if name == "accept":
            yield Step("load-correction", [maker.load_correction()])
        yield maker.loads(*STREAMS) if name == "loads" else Step(name, [maker.command(name)])
    # Nothing is left at the end.
    while files := maker.session.rows(ACTIVE_FILES):
        yield command("undo", str(files[0][0]), "--with-later")


# By name: a function, or the lines of scenes.txt. The longest is the first, so that no process waits for it at the end.
SCENES: dict[str, str | Callable[[SceneMaker], Iterator[Step]]] = {
    one.__name__: one for one in (changes_of_a_rich_history, clocks_that_are_fast)}
SCENES |= dict(re.findall(
    r"^(\w+)\n((?:  .*\n)+)", Path(__file__).with_name("scenes.txt").read_text(), re.MULTILINE))


def steps_of(scene: str, make: SceneMaker) -> Iterable[Step]:
    """The steps of a scene by its name."""
    made = SCENES[scene]
    return made(make) if callable(made) else [
        make.step(line) for line in made.replace("|\n", "| ").splitlines()]
