"""Thirty quiet nights of three games: nothing alarms; a third of a file, and prices in another unit, alarm each night.

See scripts/simulate-nights. The games load one after another, each with clients whose clocks are hours fast and a weekly
rhythm; the first one grows by 2 % a night and has a push campaign, the second one sells in twelve currencies, the third
one has a feed of snapshots that comes once a week.
"""

from __future__ import annotations

import datetime
import json
import random
from collections.abc import Iterator
from pathlib import Path

from server import Server
from simulation import Simulation, expect, main

GAMES = ("grows", "sells", "weekly")
BACKFILL, NIGHTS = 80, 30
CURRENCIES = ("USD", "KRW", "JPY", "EUR", "TWD", "THB", "BRL", "GBP", "CAD", "AUD", "IDR", "VND")
# The price of the usual purchase, in the major unit.
PRICES = {"USD": 5, "KRW": 6600, "JPY": 730, "EUR": 5, "TWD": 150, "THB": 170, "BRL": 28, "GBP": 4, "CAD": 7, "AUD": 8,
          "IDR": 79000, "VND": 120000}
RECEIPTS, LEVEL_UPS, SNAPSHOTS, EVENTS = 240, 300, 150, 120
# The hour at which a game's files are loaded, on the day after theirs.
HOURS = {"grows": 1, "sells": 3, "weekly": 6}
CAMPAIGN = 12


class QuietNights(Simulation):
    def __init__(self, binary: Path, folder: Path) -> None:
        super().__init__(binary, folder)
        self.random = random.Random(7)
        self.server = Server(folder / "server")
        self.server.make()
        self.server.configure(log_statement="none", autovacuum="on", fsync="off")
        self.server.start()
        self.create_databases("quiet")
        for name, value in {"max-age": "240000", "min-usual-lines": "10", "min-usual-lines.event": "1000"}.items():
            self.run("settings", "set", name, value, "--database", self.conninfo("quiet"))
        last = datetime.date.today() - datetime.timedelta(days=3)
        self.days = [last - datetime.timedelta(days=n) for n in range(BACKFILL + NIGHTS - 1, -1, -1)]
        self.alarms = 0

    def conninfo(self, database: str) -> str:
        return self.server.conninfo(database)

    def close(self) -> None:
        self.server.destroy()

    # The data

    def count(self, game: str, place: int, usual: int) -> int:
        """The lines of a day: more at the weekend, with noise, and growing in the first game."""
        rhythm = 1.4 if self.days[place].weekday() >= 5 else 1.0
        growth = 1.02 ** place / 1.02 ** BACKFILL if game == "grows" else 1.0
        return max(1, round(usual * rhythm * growth * self.random.gauss(1, 0.05)))

    def times(self, place: int, count: int) -> Iterator[int]:
        start = int(datetime.datetime.combine(
            self.days[place], datetime.time(), datetime.timezone.utc).timestamp()) * 1000
        for _ in range(count):
            fast = self.random.randrange(1, 8 * 3_600_000) if self.random.random() < 0.02 else 0
            yield start + self.random.randrange(86_400_000) + fast

    def lines(self, game: str, place: int) -> dict[str, list[dict[str, object]]]:
        found: dict[str, list[dict[str, object]]] = {
            "receipt": [], "level_up": [], "game_user": [], "event": []}
        currencies = CURRENCIES if game == "sells" else CURRENCIES[:4]
        for number, time in enumerate(self.times(place, self.count(game, place, RECEIPTS))):
            currency = self.random.choices(currencies, [1 / (rank + 2) for rank in range(len(currencies))])[0]
            # Some pay much at once.
            times = 20 if self.random.random() < 0.01 else self.random.choice([1, 1, 1, 2, 4])
            found["receipt"].append({
                "appId": game, "paymentSeq": f"{game}-{place}-{number}", "userId": f"u{self.random.randrange(5000)}",
                "currency": currency, "price": PRICES[currency] * times, "purchaseTime": time})
        for time in self.times(place, self.count(game, place, LEVEL_UPS)):
            found["level_up"].append({"appId": game, "userId": f"u{self.random.randrange(5000)}",
                                      "userLevel": self.random.randrange(1, 60), "levelUpTime": time})
        if game != "weekly" or self.days[place].weekday() == 0:
            for time in self.times(place, self.count(game, place, SNAPSHOTS)):
                found["game_user"].append({"appId": game, "userId": f"u{self.random.randrange(5000)}",
                                           "userLevel": 3, "observedAt": time})
        pushes = EVENTS * (10 if game == "grows" and place == BACKFILL + CAMPAIGN else 1)
        for number, time in enumerate(self.times(place, self.count(game, place, pushes))):
            found["event"].append({"appId": game, "userId": f"u{number}", "eventId": f"{game}-{place}-{number}",
                                   "category": "loggedOut", "eventTime": time})
        return found

    def write(self, game: str, place: int, stream: str, lines: list[dict[str, object]]) -> None:
        if not lines:
            return
        path = self.folder / "in" / f"{stream}-{game}-{self.days[place]}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    # The nights

    def night(self, game: str, place: int, what: str, code: int, cause: str = "") -> None:
        day = self.days[place]
        start = f"{day + datetime.timedelta(days=1)}T{HOURS[game]:02}:00:00Z"
        self.run("run", *(f"{self.folder}/in/{stream}-{game}-%Y-%m-%d.jsonl" for stream in (
            "receipt", "level_up", "game_user", "event")), "--min-files", "0", "--date", str(day), "--as-of", start,
            "--app-id", game, "--report", str(self.folder / "report.json"), "--quiet", "--database",
            self.conninfo("quiet"), code=code)
        report = json.loads((self.folder / "report.json").read_text())
        expect(report["night"]["causes"] == ([cause] if cause else []), f"{day} {game}: {what}", report["night"])

    def planted(self, game: str, place: int, stream: str, lines: list[dict[str, object]], what: str) -> None:
        """A wrong file alarms, is taken back, and is dismissed, as it is never loaded again."""
        self.write(game, place, stream, lines)
        self.night(game, place, what, 7, "implausible")
        path = f"{self.folder}/in/{stream}-{game}-{self.days[place]}.jsonl"
        self.run("undo", path, "--database", self.conninfo("quiet"))
        self.run("failures", "dismiss", path, "--database", self.conninfo("quiet"))
        self.alarms += 1

    def all(self) -> None:
        for game in GAMES:
            for place in range(BACKFILL):
                for stream, lines in self.lines(game, place).items():
                    self.write(game, place, stream, lines)
        self.run("load", str(self.folder / "in"), "--quiet", "--database", self.conninfo("quiet"))
        self.run("failures", "dismiss", "*/????-??-??", "--database", self.conninfo("quiet"), code=self.has_failures())
        for place in range(BACKFILL, BACKFILL + NIGHTS):
            for game in GAMES:
                found = self.lines(game, place)
                for stream in ("receipt", "level_up", "game_user", "event"):
                    self.write(game, place, stream, found[stream])
                third = [line | {"paymentSeq": f"third-{line['paymentSeq']}"} for line in found["receipt"]]
                self.planted(game, place, "receipt", third[:len(third) // 3], "a third of a file")
                unit = [line | {"paymentSeq": f"unit-{line['paymentSeq']}", "price": line["price"] * 100}  # type: ignore
                        for line in found["receipt"]]
                self.planted(game, place, "receipt", unit, "prices in another unit")
                for stream in ("receipt", "level_up", "game_user", "event"):
                    self.write(game, place, stream, found[stream])
                self.night(game, place, "a quiet night", 0)
        judged = self.ask("quiet", f"""
            select string_agg(format('%s: %s figures', app_id, figures), ', ' order by app_id) from (
              select app_id, sum(figures) as figures from (
                select app_id, count(*) as figures from rollup.stream_day
                  where day >= '{self.days[BACKFILL]}' and line_count >= 10 and stream <> 'event' group by app_id
                union all
                select app_id, count(*) from rollup.currency_period
                  where period = 'day' and period_start >= '{self.days[BACKFILL]}' and paid_count >= 10
                  group by app_id) f group by app_id) g""")
        print(f"{NIGHTS} quiet nights of {len(GAMES)} games: no alarm ({judged}); {self.alarms} planted faults: "
              f"{self.alarms} alarms")

    def has_failures(self) -> int:
        """64 when nothing is open after the backfill."""
        return 0 if self.ask("quiet", "select count(*) from report.open_failure") != "0" else 64


if __name__ == "__main__":
    main("simulate-nights", QuietNights)
