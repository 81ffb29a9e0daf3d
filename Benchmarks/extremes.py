"""Measures a refresh with one thing in great number: rows of one player, characters, levels, prices, applications.

Each case is loaded in three sizes, the next twice the one before. A refresh that takes n log n time takes a little more
than twice as long each time. Then one more line of the same kind is loaded, for a refresh that continues.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from cluster import MEASURED, Cluster
from measuring import Command, measure

START = 1_600_000_000_000
DAY = 86_400_000
# The year 2000, in milliseconds.
OLDEST = 946_684_800_000
Line = dict[str, object]
Lines = Iterator[tuple[str, Line]]


def receipt(number: int, **more: object) -> tuple[str, Line]:
    return "receipt", {"paymentSeq": f"p{number:07}", "userId": "u", "appId": "a", "currency": "USD", "price": "1.00",
                       "purchaseTime": START + number * 60_000, "gamebaseProductId": "gem", "storeCode": "GG",
                       "sandboxPayment": False} | more


def level_up(number: int, **more: object) -> tuple[str, Line]:
    return "level_up", {"userId": "u", "appId": "a", "userLevel": 7, "levelUpTime": START + number * 60_000} | more


def snapshot(number: int, **more: object) -> tuple[str, Line]:
    return "game_user", {"userId": "u", "appId": "a", "userLevel": 7, "channelId": "c",
                         "eventTime": START + number * 60_000} | more


def item(number: int, **more: object) -> tuple[str, Line]:
    return "item", {"appId": "a", "gamebaseProductId": "gem", "storeCode": "GG", "currency": "USD", "price": "1.00",
                    "eventTime": START + number * 60_000} | more


def receipts_of_one_player(n: int) -> Lines:
    return (receipt(number) for number in range(n))


def renewals_of_one_chain(n: int) -> Lines:
    return (receipt(number, productType="AUTO_RENEWABLE", originalPaymentId="o", paymentId=f"i{number}",
                    purchaseTime=START + number * 600_000, expiryTime=START + (number + 1) * 600_000)
            for number in range(n))


def chains_of_one_player(n: int) -> Lines:
    return (receipt(number, productType="AUTO_RENEWABLE", originalPaymentId=f"o{number}", paymentId=f"o{number}",
                    expiryTime=START + 30 * DAY + number * 60_000) for number in range(n))


def levels_of_one_player(n: int) -> Lines:
    return (level_up(number, userLevel=number + 1) for number in range(n))


def falling_levels_of_one_player(n: int) -> Lines:
    return (level_up(number, userLevel=n - number) for number in range(n))


def characters_of_one_player(n: int) -> Lines:
    for number in range(n):
        yield level_up(number, characterId=f"h{number}", userLevel=number % 100 + 1)
        yield snapshot(number, characterId=f"h{number}", userLevel=number % 100 + 1)
    yield receipt(n)


def changes_of_one_character(n: int) -> Lines:
    return (snapshot(number, characterClassId=f"k{number % 2}") for number in range(n))


def levels_of_many_players(n: int) -> Lines:
    return (level_up(number, userId=f"u{number}", userLevel=number + 1) for number in range(n))


def stores_of_one_product(n: int) -> Lines:
    for number in range(n):
        yield item(0, storeCode=f"S{number}", price=f"{number + 1}.00")
        yield receipt(number + 1, storeCode=f"S{number}", price=f"{number}.00")


def prices_of_one_product(n: int) -> Lines:
    for number in range(n):
        yield item(number, price=f"{number + 1}.00")
        yield receipt(number, storeCode="AS", price="3.00")


def products_of_one_application(n: int) -> Lines:
    for number in range(n):
        yield item(0, gamebaseProductId=f"g{number}")
        yield receipt(number, gamebaseProductId=f"g{number}", userId=f"u{number % 1000}")


def subscription_products_and_one_old_receipt(n: int) -> Lines:
    yield receipt(n, purchaseTime=OLDEST + DAY)
    for number in range(n):
        yield receipt(number, gamebaseProductId=f"g{number}", userId=f"u{number}", productType="AUTO_RENEWABLE",
                      expiryTime=START + 30 * DAY + number * 60_000)


def applications(n: int) -> Lines:
    for number in range(n):
        yield receipt(number, appId=f"a{number}")
        yield level_up(number, appId=f"a{number}")


def scattered_days(n: int) -> Lines:
    """Receipts over a hundred years, one of the far ends first."""
    return (receipt(number, purchaseTime=OLDEST + (number * 9_973 % 9_000) * DAY, userId=f"u{number % 1000}")
            for number in range(n))


CASES: tuple[Callable[[int], Lines], ...] = (
    receipts_of_one_player, renewals_of_one_chain, chains_of_one_player, levels_of_one_player,
    falling_levels_of_one_player, characters_of_one_player, changes_of_one_character, levels_of_many_players,
    stores_of_one_product, prices_of_one_product, products_of_one_application,
    subscription_products_and_one_old_receipt, applications, scattered_days)


def write(lines: Lines, folder: Path) -> None:
    """Writes a file for each stream of the lines."""
    folder.mkdir(parents=True)
    files = {}
    for stream, line in lines:
        if stream not in files:
            files[stream] = open(folder / f"{stream}.jsonl", "w", encoding="utf-8")
        files[stream].write(json.dumps(line) + "\n")
    for file in files.values():
        file.close()


class Extremes:
    def __init__(self, binary: Path, cluster: Cluster, folder: Path) -> None:
        self.binary, self.cluster, self.folder = binary, cluster, folder

    def _run(self, command: str, *arguments: str) -> tuple[float, float]:
        """Seconds, and peak memory in MiB."""
        found = measure((Command(
            (str(self.binary), command, *arguments, "--database", self.cluster.conninfo(MEASURED))),))
        return found.seconds, found.peak_kib / 1024

    def row(self, case: Callable[[int], Lines], n: int) -> list[str]:
        self.cluster.ask("postgres", f"drop database if exists {MEASURED} with (force)",
                         f"create database {MEASURED}")
        self._run("migrate")
        files = self.folder / "lines"
        shutil.rmtree(files, ignore_errors=True)
        *most, last = case(n)
        write(iter(most), files / "most")
        write(iter([last]), files / "last")
        load, _ = self._run("load", str(files / "most"), "--no-refresh")
        refresh, memory = self._run("refresh")
        self._run("load", str(files / "last"), "--no-refresh")
        again, _ = self._run("refresh")
        rebuild, _ = self._run("refresh", "--full")
        rows = self.cluster.ask(MEASURED, """
            select sum((xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %s', oid::regclass),
              false, true, '')))[1]::text::bigint)
            from pg_class where relnamespace = 'rollup'::regnamespace and relkind = 'r'
              and relname <> 'calendar_period'""")
        return [case.__name__.replace("_", " "), f"{len(most) + 1:,}", f"{load:.1f}", f"{refresh:.1f}", f"{again:.1f}",
                f"{rebuild:.1f}", f"{int(rows) / (len(most) + 1):.1f}", f"{memory:.0f}"]


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench extremes", description=__doc__, allow_abbrev=False)
    parser.add_argument("--binary", type=Path, required=True, help="the program to measure")
    parser.add_argument("--size", type=int, default=100_000, metavar="N", help="the largest number")
    parser.add_argument("--case", action="append", metavar="NAME", help="only this case, such as applications")
    chosen = parser.parse_args()
    cases = [case for case in CASES if chosen.case is None or case.__name__ in chosen.case]
    folder = Path(tempfile.mkdtemp(prefix="gamebase-ingest-extremes."))
    folder.chmod(0o755)
    cluster = Cluster(chosen.binary.resolve(), folder / "server")
    try:
        print("| case | lines | load, s | first refresh, s | one more line, s | rebuild, s | rows a line | memory, MiB |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        for case in cases:
            for n in (chosen.size // 4, chosen.size // 2, chosen.size):
                print("|", " | ".join(Extremes(chosen.binary.resolve(), cluster, folder).row(case, n)), "|", flush=True)
    finally:
        cluster.destroy()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
