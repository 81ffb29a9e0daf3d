"""Fixed sequences of commands for the report test: each once showed a wrong view, or is likely to."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

from commands import SCENE, Command, Step
from data import DAY, HOUR, Profile, Record, Writer

# The months of a scene: rows of the first are dropped by `retention --keep 4`.
OLD, NEW = 200, 60


class SceneMaker:
    """Writes the files of a scene, with times in days before the present one."""

    def __init__(self, folder: Path, now: int) -> None:
        self.folder = folder
        self.today = datetime.fromtimestamp(now / 1e6, timezone.utc)
        self.count = 0

    def time(self, days_ago: float) -> int:
        return int((self.today - timedelta(days=days_ago)).timestamp() * 1000)

    def load(self, stream: str, *lines: Record, refreshes: bool = True, as_of: float | None = None) -> Step:
        step = self.load_together({stream: list(lines)}, refreshes)
        if as_of is not None:
            start = self.today - timedelta(days=as_of)
            step.commands[0].arguments += ["--as-of", start.isoformat(timespec="milliseconds")]
        return step

    def load_together(self, lines: dict[str, list[Record]], refreshes: bool = True) -> Step:
        """One run with a file of each stream that has lines."""
        self.count += 1
        paths = []
        for stream, some in lines.items():
            if some:
                paths.append(self.folder / f"{stream.replace('_', '')}-{self.count}.jsonl")
                whole = ({"userId": "u", "appId": "a"} | line for line in some)
                # Null is no value.
                paths[-1].write_text("".join(f"{json.dumps(line)}\n" for line in whole))
        return command("load", *map(str, paths), *([] if refreshes else ["--no-refresh"]))

    def snapshots(self, *lines: Record) -> Step:
        return self.load("gameuser", *({"userLevel": 3} | line for line in lines))

    def level_ups(self, *lines: Record) -> Step:
        return self.load("levelup", *({"userLevel": 5} | line for line in lines))

    def receipts(self, *lines: Record, refreshes: bool = True) -> Step:
        return self.load("receipt", *(
            {"price": "1", "currency": "USD", "sandboxPayment": False} | line for line in lines), refreshes=refreshes)

    def subscription(self, seq: str, days_ago: float, length: float, **more: object) -> Record:
        return {"paymentSeq": seq, "purchaseTime": self.time(days_ago),
                "expiryTime": self.time(days_ago - length), "productType": "AUTO_RENEWABLE", **more}


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


def command(*words: str) -> Step:
    return Step(SCENE, [Command(list(words))])


RETENTION = command("retention", "--keep", "4")


def undo_of_dropped_rows(make: SceneMaker) -> list[Step]:
    """The file of a kept first observation is undone after its rows were dropped."""
    return [
        make.snapshots({"eventTime": make.time(OLD)}, {"userId": "w", "eventTime": make.time(NEW)}),
        make.snapshots({"eventTime": make.time(NEW)}), RETENTION, command("undo", "1", "--with-later")]


def undo_of_a_late_file_after_a_drop(make: SceneMaker) -> list[Step]:
    """A late file brings an earlier observation than the kept one, and is undone."""
    return [
        make.snapshots({"eventTime": make.time(OLD)}, {"userId": "w", "eventTime": make.time(OLD)}),
        make.snapshots({"eventTime": make.time(NEW)}), RETENTION,
        make.receipts({"paymentSeq": "1", "purchaseTime": make.time(OLD + 20)}), command("undo", "3", "--with-later")]


def all_rows_of_an_application_dropped(make: SceneMaker) -> list[Step]:
    """Players without any row remain; erasing one of them leaves the other."""
    return [
        make.snapshots({"eventTime": make.time(OLD)}, {"userId": "w", "eventTime": make.time(OLD - 2)}), RETENTION,
        command("settings", "set", "time-zone", "Asia/Seoul"), command("forget-user", "u")]


def rows_of_a_dropped_month_again(make: SceneMaker) -> list[Step]:
    return [
        make.snapshots({"eventTime": make.time(OLD)}), make.snapshots({"eventTime": make.time(NEW)}), RETENTION,
        make.snapshots({"eventTime": make.time(OLD + 1)}), RETENTION, command("refresh", "--full")]


def a_level_without_time_beside_one_with_time(make: SceneMaker) -> list[Step]:
    """A purchase after the level-up does not bring the level of the snapshot without a time forward."""
    return [
        make.level_ups({"levelUpTime": make.time(NEW), "characterId": "c"}),
        make.snapshots({"characterId": "c"}),
        make.receipts({"paymentSeq": "1", "purchaseTime": make.time(NEW - 10)})]


def a_later_receipt_links_an_earlier_one(make: SceneMaker) -> list[Step]:
    """A renewal by product becomes the first of a chain of its own, and so an observation."""
    return [
        make.receipts(make.subscription("1", 90, 30), make.subscription("2", 60, 30, paymentId="x")),
        make.receipts(make.subscription("3", 20, 30, paymentId="x"))]


def a_later_receipt_makes_an_original_known(make: SceneMaker) -> list[Step]:
    return [
        make.receipts(make.subscription("1", 90, 30, originalPaymentId="o", paymentId="p")),
        make.receipts({"paymentSeq": "2", "purchaseTime": make.time(10), "paymentId": "o"})]


def a_number_of_google_is_not_the_original(make: SceneMaker) -> list[Step]:
    """The chain continues a subscription, because no receipt has the order number without `..N`."""
    return [make.receipts(
        make.subscription("1", 90, 30, originalPaymentId="GPA.1"),
        make.subscription("2", 60, 30, paymentId="GPA.1..1"))]


def a_fill_before_the_refresh(make: SceneMaker) -> list[Step]:
    """A filled value appears in the views at the refresh, like every other change."""
    bought = {"paymentSeq": "1", "purchaseTime": make.time(NEW)}
    return [make.receipts(bought), make.receipts(bought | {"marketItemId": "gem"}, refreshes=False), command("refresh")]


def changes_of_the_product(make: SceneMaker) -> list[Step]:
    """A later file brings a change of the product that cuts a period, and one that has not begun."""
    def own(seq: str, days_ago: float, length: float, product: str) -> Record:
        return make.subscription(seq, days_ago, length, gamebaseProductId=product, originalPaymentId="o", paymentId=seq)
    return [
        make.receipts(own("o", 90, 30, "month"), own("2", 70, 50, "month")),
        make.receipts({"paymentSeq": "9", "purchaseTime": make.time(1)}),
        make.receipts(own("3", 65, 30, "year"))]


def a_row_before_a_kept_observation(make: SceneMaker) -> list[Step]:
    """A row behind all stored ones comes before the kept first observation, and moves the cohort of a purchase."""
    return [
        make.receipts(make.subscription("1", 300, 30, paymentId="GPA.1..1")),
        make.level_ups({"levelUpTime": make.time(OLD)}), RETENTION,
        make.level_ups({"levelUpTime": make.time(OLD + 31)})]


def repeats_undone_before_a_refresh(make: SceneMaker) -> list[Step]:
    """A file without a new row is undone before a refresh; the reports then contain all files."""
    line = {"userLevel": 3, "eventTime": make.time(OLD)}
    return [
        make.load("gameuser", line), make.load("gameuser", line, line, refreshes=False), command("undo", "2"),
        RETENTION]


def a_conflict_alone_is_undone(make: SceneMaker) -> list[Step]:
    """A file with a conflict and no row is undone, which touches no row of the reports."""
    return [make.snapshots({"eventTime": make.time(NEW)}), make.snapshots({"eventTime": make.time(NEW), "userLevel": 9}),
            command("undo", "2")]


def clocks_that_are_fast(make: SceneMaker) -> list[Step]:
    """Rows that no horizon has come to: first alone, then between events, then as the newest ones."""
    def rows(stream: str, *days_ago: float, as_of: float) -> Step:
        names = {"receipt": "purchaseTime", "levelup": "levelUpTime", "gameuser": "eventTime", "event": "eventTime"}
        more: dict[str, Record] = {
            "receipt": {"price": "1", "currency": "USD"}, "levelup": {"userLevel": 5}, "gameuser": {"userLevel": 3},
            "event": {"category": "loggedOut"}}
        return make.load(stream, *(
            more[stream] | {"paymentSeq": str(one), names[stream]: make.time(one)} for one in days_ago), as_of=as_of)
    return [
        rows(stream, *days_ago, as_of=as_of)
        for days_ago, as_of in (
            ((NEW - 0.1, NEW - 0.9), NEW), ((NEW - 20, NEW - 21), 0), ((NEW - 30.9, NEW - 30), NEW - 30))
        for stream in ("event", "levelup", "gameuser", "receipt")]


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
        make.load_together(story.third(1)),
        # Rows of a third, and values of receipts, that a later refresh brings into the views.
        make.load_together(story.third(2), refreshes=False),
        make.load_together({"receipt": [
            line for part in (1, 2)
            for line in story.changed("receipt", slice(part, None, 3), marketItemId="filled", itemSeq=7)]},
            refreshes=False),
        command("refresh"),
        # The last third lies between the others, so it moves first purchases, observations and chains.
        make.load_together(story.third(0)),
        # Every horizon moves, and every stream begins earlier; then an undo, also of a file that no refresh saw.
        make.load_together({
            "receipt": [receipt("x1", -10, userId="u1"), receipt("x2", 12, userId="x")],
            "level_up": [{"userId": "u1", "userLevel": 70, "levelUpTime": story.day(12)},
                         {"userId": "x", "userLevel": 3, "levelUpTime": story.day(49)}],
            "game_user": [{"userId": "u1", "userLevel": 70, "eventTime": story.day(50)},
                          {"userId": "y", "userLevel": 3, "eventTime": story.day(49)}],
            "item": [story.item() | {"eventTime": story.day(days)} for days in (-10, 49)]}),
        make.load_together({"receipt": [receipt("x3", 12, userId="x", appId="c")]}, refreshes=False),
        command("undo", "--load", "6"), command("undo", "--load", "5"),
        make.load_together({"receipt": filled}),
        make.load_together({
            "receipt": story.changed("receipt", slice(5, None, 10), gamebaseProductId="other", currency="EUR",
                                     price="43.21", purchaseTime=story.day(1)),
            "level_up": story.changed("level_up", slice(0, None, 2), classId="z", channelId="z"),
            "game_user": story.changed("game_user", slice(0, None, 2), userLevel=40, classId="z"),
            "item": story.changed("item", slice(2, None, 4), itemName="z", price="9")}),
        command("conflicts", "accept", "--load", "8"), command("conflicts", "undo", "27"),
        command("undo", "--load", "8"), command("undo", "--load", "7"),
        command("forget-user", "u3"), command("forget-user", "u5", "--app-id", "game-a"),
        command("retention", "--keep", str(story.months)), command("settings", "set", "time-zone", "Asia/Seoul"),
        make.load_together({
            "level_up": [{"userId": "u1", "userLevel": 2, "levelUpTime": story.day(8)}],
            "receipt": [receipt(f"z{n}", 11.5 + n / 72, userId=f"u{n}") for n in range(1, 9)]}),
        # Nothing is left at the end.
        *(command("undo", "--load", str(run), "--with-later") for run in (1, 4, 2, 9))]


SCENES: tuple[Callable[[SceneMaker], list[Step]], ...] = (
    undo_of_dropped_rows, undo_of_a_late_file_after_a_drop, all_rows_of_an_application_dropped,
    rows_of_a_dropped_month_again, a_level_without_time_beside_one_with_time, a_later_receipt_links_an_earlier_one,
    a_later_receipt_makes_an_original_known, a_number_of_google_is_not_the_original, a_fill_before_the_refresh,
    changes_of_the_product, a_row_before_a_kept_observation, repeats_undone_before_a_refresh,
    a_conflict_alone_is_undone, clocks_that_are_fast, changes_of_a_rich_history)
