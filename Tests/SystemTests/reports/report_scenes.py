"""Fixed sequences of commands for the report test: each once showed a wrong view, or is likely to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta, timezone

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
        """The step of a line of SCENES."""
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


# By name: a line for each command. A load of one file has the beginning of its name, options, and the lines between
# bars: each with `at`, its time in days before today, `until`, that of its expiry, and other members by their names.
# Retention with `--keep 4` drops the rows of 200 days ago, and not those of 60.
SCENES: dict[str, str | Callable[[SceneMaker], Iterator[Step]]] = {
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


def steps_of(scene: str, make: SceneMaker) -> Iterable[Step]:
    """The steps of a scene by its name. A line that ends with a bar goes on in the next one."""
    made = SCENES[scene]
    return made(make) if callable(made) else [
        make.step(line) for line in made.strip().replace("|\n", "| ").splitlines()]
