"""Quiet nights of three games, which must not alarm; a third of a file, and prices in another unit, which must.

The games load one after another, each with clients whose clocks are hours fast and a weekly rhythm. The first one grows
by 2 % a night and has a push campaign, the second one sells in twelve currencies, the third one has a feed of snapshots
that comes once a week. What a night with a fault ends with, and what ends the fault, is in Cases/nights.test.
"""

from __future__ import annotations

import datetime
import json
import random
import subprocess
from pathlib import Path

import pytest

from conftest import Database

# The hour at which a game's files are loaded, on the day after theirs.
HOURS = {"grows": 1, "sells": 3, "weekly": 6}
# The price of the usual purchase, in the major unit. The other games sell in the first four currencies.
PRICES = {"USD": 5, "KRW": 6600, "JPY": 730, "EUR": 5, "TWD": 150, "THB": 170, "BRL": 28, "GBP": 4, "CAD": 7, "AUD": 8,
          "IDR": 79000, "VND": 120000}
SETTINGS = {"max-age": 240000, "min-usual-lines": 10, "min-usual-lines.event": 1000}
BACKFILL = 80
# A Friday, so that a sample of four nights has a weekend, a weekly file and the campaign.
FIRST = datetime.date(2025, 9, 5)
CAMPAIGN = 2
DAY = datetime.timedelta(days=1)
Line = dict[str, object]


class Nights:
    def __init__(self, program: Path, database: Database, folder: Path) -> None:
        self.program, self.database, self.folder = program, database, folder
        self.random = random.Random(7)
        (folder / "in").mkdir()
        for name, value in SETTINGS.items():
            self.run("settings", "set", name, str(value))

    def run(self, *arguments: str) -> int:
        done = subprocess.run([self.program, *arguments], env=self.database.environment, cwd=self.folder, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True)
        assert done.returncode in (0, 7), f"{arguments}: {done.returncode} {done.stderr}"
        return done.returncode

    # The data of a day, which counts from the first night

    def times(self, game: str, place: int, usual: int) -> list[int]:
        """The times of a day's lines: more at the weekend, with noise, and growing in the first game."""
        day = FIRST + place * DAY
        rhythm = 1.4 if day.weekday() >= 5 else 1.0
        growth = 1.02 ** place if game == "grows" else 1.0
        count = max(1, round(usual * rhythm * growth * self.random.gauss(1, 0.05)))
        start = int(datetime.datetime.combine(day, datetime.time(), datetime.timezone.utc).timestamp()) * 1000
        fast = (self.random.randrange(1, 8 * 3_600_000) if self.random.random() < 0.02 else 0 for _ in range(count))
        return [start + self.random.randrange(86_400_000) + ahead for ahead in fast]

    def price(self, game: str) -> Line:
        currencies = list(PRICES)[:12 if game == "sells" else 4]
        [currency] = self.random.choices(currencies, [1 / (rank + 2) for rank in range(len(currencies))])
        # Some pay much at once.
        times = 20 if self.random.random() < 0.01 else self.random.choice([1, 1, 1, 2, 4])
        return {"currency": currency, "price": PRICES[currency] * times}

    def files(self, game: str, place: int) -> dict[str, list[Line]]:
        """The lines of a day, by stream."""
        key = f"{game}-{place}"
        players = ({"appId": game, "userId": f"u{self.random.randrange(5000)}"} for _ in iter(int, 1))
        events = 400 if game == "grows" and place == CAMPAIGN else 40
        files: dict[str, list[Line]] = {
            "receipt": [next(players) | self.price(game) | {"paymentSeq": f"{key}-{number}", "purchaseTime": time}
                        for number, time in enumerate(self.times(game, place, 240))],
            "level_up": [next(players) | {"userLevel": self.random.randrange(1, 60), "levelUpTime": time}
                         for time in self.times(game, place, 150)],
            "event": [next(players) | {"eventId": f"{key}-{number}", "category": "loggedOut", "eventTime": time}
                      for number, time in enumerate(self.times(game, place, events))]}
        if game != "weekly" or (FIRST + place * DAY).weekday() == 0:
            files["game_user"] = [next(players) | {"userLevel": 3, "eventTime": time}
                                  for time in self.times(game, place, 80)]
        return files

    def write(self, files: dict[str, list[Line]], name: object, mode: str = "w") -> None:
        for stream, lines in files.items():
            with (self.folder / "in" / f"{stream}-{name}.jsonl").open(mode) as file:
                file.writelines(json.dumps(line) + "\n" for line in lines)

    # The nights

    def night(self, game: str, day: datetime.date, *causes: str) -> None:
        """Loads a day in its night, which must end with these causes, and show the day of the receipts alone."""
        code = self.run(
            "run", f"in/*-{game}-%Y-%m-%d.jsonl", "--app-id", game, "--report", "report.json", "--quiet",
            "--date", str(day), "--as-of", f"{day + DAY}T{HOURS[game]:02}:00:00Z")
        report = json.loads((self.folder / "report.json").read_text())
        shown = [row[0] for row in self.database.ask("select path from report.open_failure")]
        expected = (7, [*causes], [f"{game}/receipt/{day}"]) if causes else (0, [], [])
        assert (code, report["night"]["causes"], shown) == expected, f"{game}, {day}"

    def fault(self, game: str, day: datetime.date, receipts: list[Line]) -> None:
        """A wrong file alarms, and is taken back."""
        self.write({"receipt": receipts}, f"{game}-{day}")
        self.night(game, day, "implausible")
        if day == FIRST:
            with pytest.raises(AssertionError):
                self.night(game, day)
        self.run("undo", f"in/receipt-{game}-{day}.jsonl")

    def all(self, count: int) -> None:
        # The days before are one file of each stream, which is quicker.
        for game in HOURS:
            for place in range(-BACKFILL, 0):
                self.write(self.files(game, place), f"{game}-before", "a")
        self.run("load", "in", "--quiet")
        for place in range(count):
            day = FIRST + place * DAY
            for game in HOURS:
                files = self.files(game, place)
                self.write(files, f"{game}-{day}")
                receipts = files["receipt"]
                self.fault(game, day, receipts[:len(receipts) // 3])
                self.fault(game, day, [line | {"price": 100 * line["price"]} for line in receipts])  # type: ignore
                self.write(files, f"{game}-{day}")
                self.night(game, day)
            print(f"{day}: {len(HOURS)} quiet nights, {2 * len(HOURS)} planted faults", flush=True)


def test_a_quiet_night_never_alarms_and_a_planted_fault_always_does(
    program: Path, database: Database, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    Nights(program, database, tmp_path).all(request.config.getoption("--nights"))
