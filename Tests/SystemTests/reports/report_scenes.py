"""Fixed sequences of commands for the report test: each once showed a wrong view, or is likely to."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

from commands import SCENE, Command, Step
from data import DAY, HOUR, Profile, Record, Writer

# What a line has unless it says otherwise, and its time, by the beginning of the names of its stream's files.
USUAL: dict[str, Record] = {
    "receipt": {"price": "1", "currency": "USD", "sandboxPayment": False}, "levelup": {"userLevel": 5},
    "gameuser": {"userLevel": 3}, "event": {"category": "loggedOut"},
}
TIMES = {"receipt": "purchaseTime", "levelup": "levelUpTime", "gameuser": "eventTime", "event": "eventTime"}


def command(*words: str) -> Step:
    return Step(SCENE, [Command(list(words))])


class SceneMaker:
    """Makes the steps of a scene, and writes their files, with times in days before the present one."""

    def __init__(self, folder: Path, now: int) -> None:
        self.folder = folder
        self.today = datetime.fromtimestamp(now / 1e6, timezone.utc)
        self.count = 0

    def step(self, line: str) -> Step:
        """The step of a line of SCENES."""
        stream, *words = line.split()
        if stream not in USUAL:
            return command(stream, *words)
        options = [word for word in words if word.startswith("--")]
        records = " ".join(word for word in words if word not in options).split("|")
        return self.load({stream: [self._record(stream, record.split()) for record in records]}, *options)

    def _record(self, stream: str, words: list[str]) -> Record:
        """A member with an empty value is left out."""
        record = dict(USUAL[stream])
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

    def load(self, lines: dict[str, list[Record]], *options: str) -> Step:
        """One run with a file of each stream that has lines."""
        self.count += 1
        paths = []
        for stream, some in lines.items():
            if some:
                paths.append(self.folder / f"{stream.replace('_', '')}-{self.count}.jsonl")
                whole = ({"userId": "u", "appId": "a"} | line for line in some)
                # Null is no value.
                paths[-1].write_text("".join(f"{json.dumps(line)}\n" for line in whole))
        return command("load", *map(str, paths), *options)


class Story(Writer):
    """The lines of a rich history: two applications, many users and a month; always the same, but for their times."""

    def __init__(self, today: datetime) -> None:
        first = (today.replace(day=1) - timedelta(days=100)).replace(day=20)
        self.start = int(first.timestamp()) * 1000
        # The months from the first one to the present one, so that retention drops the first.
        self.months = (today.year - first.year) * 12 + today.month - first.month
        sizes = {"receipt": 84, "level_up": 48, "game_user": 48, "event": 135, "item": 72}
        super().__init__("rich history", Profile(
            [f"u{number}" for number in range(1, 13)], {stream: (size, size) for stream, size in sizes.items()},
            embedding=0), [self.start + hours * HOUR for hours in range(0, 600, 7)])
        for receipt in self.records["receipt"]:
            receipt |= {"marketItemId": None, "itemSeq": None}

    def day(self, days: float) -> int:
        return self.start + int(days * DAY)

    def third(self, part: int) -> dict[str, list[Record]]:
        """Every third line of each stream."""
        return {stream: records[part::3] for stream, records in self.records.items()}

    def changed(self, stream: str, part: slice, **more: object) -> list[Record]:
        return [record | more for record in self.records[stream][part]]


def clocks_that_are_fast(make: SceneMaker) -> list[Step]:
    """Rows that no horizon has come to: first alone, then between events, then as the newest ones."""
    steps = []
    for first, second, as_of in ((59.9, 59.1, 60), (40, 39, 0), (29.1, 30, 30)):
        start = (make.today - timedelta(days=as_of)).isoformat(timespec="milliseconds")
        for stream in ("event", "levelup", "gameuser", "receipt"):
            lines = " | ".join(f"paymentSeq={at} at={at} sandboxPayment=" for at in (first, second))
            steps.append(make.step(f"{stream} --as-of={start} {lines}"))
    return steps


def changes_of_a_rich_history(make: SceneMaker) -> list[Step]:
    """Late files, fills, accepted conflicts, undo, erasure, retention and another zone, each on many rows."""
    story = Story(make.today)
    rates = make.folder / "rates.csv"
    rates.write_text("currency,valid_on,rate\n" + "".join(
        f"{currency},{(make.today - timedelta(days=days)).date()},{0.01 + days}\n"
        for currency in ("JPY", "KWD") for days in (60, 80, 100)))

    def receipt(seq: str, days: float, **more: object) -> Record:
        return {"paymentSeq": seq, "purchaseTime": story.day(days), "currency": "USD", "price": "1"} | more

    filled = [{
        "gamebaseProductId": "filled", "storeCode": "filled", "promotionPayment": False,
        "sandboxPayment": str(line["paymentSeq"]).endswith("1")} | {
        name: value for name, value in line.items() if value is not None} for line in story.records["receipt"]]
    for line in filled:
        line["price"] = "777" if line["price"] == "-1" else line["price"]
    # The acceptance has a number after those of the 26 files before it.
    return [
        command("settings", "set", "base-currency", "USD"), command("reference", "load", "exchange-rates", str(rates)),
        make.load(story.third(1)),
        # Rows of a third, and values of receipts, that a later refresh brings into the views.
        make.load(story.third(2), "--no-refresh"),
        make.load({"receipt": [
            line for part in (1, 2)
            for line in story.changed("receipt", slice(part, None, 3), marketItemId="filled", itemSeq=7)]},
            "--no-refresh"),
        command("refresh"),
        # The last third lies between the others, so it moves first purchases, observations and chains.
        make.load(story.third(0)),
        # Every horizon moves, and every stream begins earlier; then an undo, also of a file that no refresh saw.
        make.load({
            "receipt": [receipt("x1", -10, userId="u1"), receipt("x2", 12, userId="x")],
            "level_up": [{"userId": "u1", "userLevel": 70, "levelUpTime": story.day(12)},
                         {"userId": "x", "userLevel": 3, "levelUpTime": story.day(49)}],
            "game_user": [{"userId": "u1", "userLevel": 70, "eventTime": story.day(50)},
                          {"userId": "y", "userLevel": 3, "eventTime": story.day(49)}],
            "item": [story.item() | {"eventTime": story.day(days)} for days in (-10, 49)]}),
        make.load({"receipt": [receipt("x3", 12, userId="x", appId="c")]}, "--no-refresh"),
        command("undo", "--load", "6"), command("undo", "--load", "5"),
        make.load({"receipt": filled}),
        make.load({
            "receipt": story.changed("receipt", slice(5, None, 10), gamebaseProductId="other", currency="EUR",
                                     price="43.21", purchaseTime=story.day(1)),
            "level_up": story.changed("level_up", slice(0, None, 2), classId="z", channelId="z"),
            "game_user": story.changed("game_user", slice(0, None, 2), userLevel=40, classId="z"),
            "item": story.changed("item", slice(2, None, 4), itemName="z", price="9")}),
        command("conflicts", "accept", "--load", "8"), command("conflicts", "undo", "27"),
        command("undo", "--load", "8"), command("undo", "--load", "7"),
        command("forget-user", "u3"), command("forget-user", "u5", "--app-id", "game-a"),
        command("retention", "--keep", str(story.months)), command("settings", "set", "time-zone", "Asia/Seoul"),
        make.load({
            "level_up": [{"userId": "u1", "userLevel": 2, "levelUpTime": story.day(8)}],
            "receipt": [receipt(f"z{n}", 11.5 + n / 72, userId=f"u{n}") for n in range(1, 9)]}),
        # Nothing is left at the end.
        *(command("undo", "--load", str(run), "--with-later") for run in (1, 4, 2, 9))]


# By name: a line for each command. A load of one file has the beginning of its name, options, and the lines between
# bars: each with `at`, its time in days before today, `until`, that of its expiry, and other members by their names.
# Retention with `--keep 4` drops the rows of 200 days ago, and not those of 60.
SCENES: dict[str, str | Callable[[SceneMaker], list[Step]]] = {
    # The file of a kept first observation is undone after its rows were dropped.
    "undo_of_dropped_rows": """
        gameuser at=200 | userId=w at=60
        gameuser at=60
        retention --keep 4
        undo 1 --with-later""",
    # A late file brings an earlier observation than the kept one, and is undone.
    "undo_of_a_late_file_after_a_drop": """
        gameuser at=200 | userId=w at=200
        gameuser at=60
        retention --keep 4
        receipt paymentSeq=1 at=220
        undo 3 --with-later""",
    # Players without any row remain; erasing one of them leaves the other.
    "all_rows_of_an_application_dropped": """
        gameuser at=200 | userId=w at=198
        retention --keep 4
        settings set time-zone Asia/Seoul
        forget-user u""",
    "rows_of_a_dropped_month_again": """
        gameuser at=200
        gameuser at=60
        retention --keep 4
        gameuser at=201
        retention --keep 4
        refresh --full""",
    # A purchase after the level-up does not bring the level of the snapshot without a time forward.
    "a_level_without_time_beside_one_with_time": """
        levelup at=60 characterId=c
        gameuser characterId=c
        receipt paymentSeq=1 at=50""",
    # A renewal by product becomes the first of a chain of its own, and so an observation.
    "a_later_receipt_links_an_earlier_one": """
        receipt paymentSeq=1 at=90 until=60 | paymentSeq=2 at=60 until=30 paymentId=x
        receipt paymentSeq=3 at=20 until=-10 paymentId=x""",
    "a_later_receipt_makes_an_original_known": """
        receipt paymentSeq=1 at=90 until=60 originalPaymentId=o paymentId=p
        receipt paymentSeq=2 at=10 paymentId=o""",
    # The chain continues a subscription, because no receipt has the order number without `..N`.
    "a_number_of_google_is_not_the_original": """
        receipt paymentSeq=1 at=90 until=60 originalPaymentId=GPA.1 | paymentSeq=2 at=60 until=30 paymentId=GPA.1..1""",
    # A filled value appears in the views at the refresh, like every other change.
    "a_fill_before_the_refresh": """
        receipt paymentSeq=1 at=60
        receipt --no-refresh paymentSeq=1 at=60 marketItemId=gem
        refresh""",
    # A later file brings a change of the product that cuts a period, and one that has not begun.
    "changes_of_the_product": """
        receipt paymentSeq=o paymentId=o originalPaymentId=o gamebaseProductId=month at=90 until=60 |
          paymentSeq=2 paymentId=2 originalPaymentId=o gamebaseProductId=month at=70 until=20
        receipt paymentSeq=9 at=1
        receipt paymentSeq=3 paymentId=3 originalPaymentId=o gamebaseProductId=year at=65 until=35""",
    # A row behind all stored ones comes before the kept first observation, and moves the cohort of a purchase.
    "a_row_before_a_kept_observation": """
        receipt paymentSeq=1 at=300 until=270 paymentId=GPA.1..1
        levelup at=200
        retention --keep 4
        levelup at=231""",
    # A file without a new row is undone before a refresh; the reports then contain all files.
    "repeats_undone_before_a_refresh": """
        gameuser at=200
        gameuser --no-refresh at=200 | at=200
        undo 2
        retention --keep 4""",
    # A file with a conflict and no row is undone, which touches no row of the reports.
    "a_conflict_alone_is_undone": """
        gameuser at=60
        gameuser at=60 userLevel=9
        undo 2""",
    "clocks_that_are_fast": clocks_that_are_fast,
    "changes_of_a_rich_history": changes_of_a_rich_history,
}


def steps_of(scene: str, make: SceneMaker) -> list[Step]:
    """The steps of a scene by its name. A line that ends with a bar goes on in the next one."""
    made = SCENES[scene]
    if callable(made):
        return made(make)
    return [make.step(line) for line in made.strip().replace("|\n", "| ").splitlines()]
