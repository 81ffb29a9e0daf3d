"""Measures a refresh with one thing in great number: rows of one player, characters, levels, prices, applications.

Each case is loaded in three sizes, the next twice the one before. A refresh that takes n log n time takes a little more
than twice as long each time. Then one more line of the same kind is loaded, for a refresh that continues.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable
from pathlib import Path

from results import table
from server import MEASURED, Measurement, Server, measure, say

START = 1_600_000_000_000
DAY = 86_400_000
# The year 2000, in milliseconds.
OLDEST = 946_684_800_000
Line = tuple[str, dict[str, object]]


def receipt(number: int, **more: object) -> Line:
    return "receipt", {"paymentSeq": f"p{number:07}", "userId": "u", "appId": "a", "currency": "USD", "price": "1.00",
                       "purchaseTime": START + number * 60_000, "gamebaseProductId": "gem", "storeCode": "GG",
                       "sandboxPayment": False} | more


def subscription(number: int, **more: object) -> Line:
    return receipt(number, **{
        "productType": "AUTO_RENEWABLE", "expiryTime": START + 30 * DAY + number * 60_000} | more)


def level_up(number: int, **more: object) -> Line:
    return "level_up", {
        "userId": "u", "appId": "a", "userLevel": 7, "levelUpTime": START + number * 60_000} | more


def snapshot(number: int, **more: object) -> Line:
    return "game_user", {
        "userId": "u", "appId": "a", "userLevel": 7, "channelId": "c", "eventTime": START + number * 60_000} | more


def item(number: int, **more: object) -> Line:
    return "item", {"appId": "a", "gamebaseProductId": "gem", "storeCode": "GG", "currency": "USD", "price": "1.00",
                    "eventTime": START + number * 60_000} | more


# The lines of each number `i` below `n`.
CASES: dict[str, Callable[[int, int], list[Line]]] = {
    "receipts_of_one_player": lambda i, n: [receipt(i)],
    "renewals_of_one_chain": lambda i, n: [subscription(
        i, originalPaymentId="o", paymentId=f"i{i}", purchaseTime=START + i * 600_000,
        expiryTime=START + (i + 1) * 600_000)],
    "chains_of_one_player": lambda i, n: [subscription(i, originalPaymentId=f"o{i}", paymentId=f"o{i}")],
    "levels_of_one_player": lambda i, n: [level_up(i, userLevel=i + 1)],
    "falling_levels_of_one_player": lambda i, n: [level_up(i, userLevel=n - i)],
    "characters_of_one_player": lambda i, n: [
        level_up(i, characterId=f"h{i}", userLevel=i % 100 + 1),
        snapshot(i, characterId=f"h{i}", userLevel=i % 100 + 1),
        *([receipt(n)] if i == n - 1 else [])],
    "changes_of_one_character": lambda i, n: [snapshot(i, characterClassId=f"k{i % 2}")],
    "levels_of_many_players": lambda i, n: [level_up(i, userId=f"u{i}", userLevel=i + 1)],
    "stores_of_one_product": lambda i, n: [
        item(0, storeCode=f"S{i}", price=f"{i + 1}.00"), receipt(i + 1, storeCode=f"S{i}", price=f"{i}.00")],
    "prices_of_one_product": lambda i, n: [
        item(i, price=f"{i + 1}.00"), receipt(i, storeCode="AS", price="3.00")],
    "products_of_one_application": lambda i, n: [
        item(0, gamebaseProductId=f"g{i}"), receipt(i, gamebaseProductId=f"g{i}", userId=f"u{i % 1000}")],
    "subscription_products_and_one_old_receipt": lambda i, n: [
        *([receipt(n, purchaseTime=OLDEST + DAY)] if i == 0 else []),
        subscription(i, gamebaseProductId=f"g{i}", userId=f"u{i}")],
    "applications": lambda i, n: [receipt(i, appId=f"a{i}"), level_up(i, appId=f"a{i}")],
    # Receipts over a hundred years, one of the far ends first.
    "scattered_days": lambda i, n: [receipt(
        i, purchaseTime=OLDEST + (i * 9_973 % 9_000) * DAY, userId=f"u{i % 1000}")],
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--size", type=int, default=100_000, metavar="N", help="the largest number")
    parser.add_argument("--case", action="append", choices=CASES, help="only this case")


def run(choice: argparse.Namespace, server: Server, work: Path) -> None:
    rows = [["case", "lines", "load, s", "first refresh, s", "one more line, s", "rebuild, s", "rows a line",
             "memory, MiB"]]
    for name in choice.case or CASES:
        for n in (choice.size // 4, choice.size // 2, choice.size):
            rows.append(row(name, n, server, work / "lines"))
            say(", ".join(rows[-1]))
    print(table(*rows))


def row(name: str, n: int, server: Server, folder: Path) -> list[str]:
    *most, last = [line for i in range(n) for line in CASES[name](i, n)]
    shutil.rmtree(folder, ignore_errors=True)
    write(most, folder / "most")
    write([last], folder / "last")

    def ingest(*arguments: Path | str) -> Measurement:
        return measure(server.ingest(*arguments))

    server.create(MEASURED)
    ingest("migrate")
    load = ingest("load", folder / "most", "--no-refresh")
    refresh = ingest("refresh")
    ingest("load", folder / "last", "--no-refresh")
    again = ingest("refresh")
    rebuild = ingest("refresh", "--full")
    stored = int(server.ask(MEASURED, """
        select sum((xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %s', oid::regclass),
          false, true, '')))[1]::text::bigint)
        from pg_class where relnamespace = 'rollup'::regnamespace and relkind = 'r'
          and relname <> 'calendar_period'"""))
    lines = len(most) + 1
    return [name.replace("_", " "), f"{lines:,}", *(f"{one.seconds:.1f}" for one in (load, refresh, again, rebuild)),
            f"{stored / lines:.1f}", f"{refresh.peak_kib / 1024:.0f}"]


def write(lines: list[Line], folder: Path) -> None:
    """Writes a file for each stream of the lines."""
    folder.mkdir(parents=True)
    for stream in {stream for stream, _ in lines}:
        with open(folder / f"{stream}.jsonl", "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for of, line in lines if of == stream)
