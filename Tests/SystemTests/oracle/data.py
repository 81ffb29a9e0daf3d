"""Generates the lines and files of the fault suite and of both random testers; the same seed gives the same bytes.

A writer draws records, and writes each of them several times: complete, with less, or contradicting, and in every
vendor's spelling. Its other lines have every common error. Every purchase token contains `MARKER`, which must appear
only in these files.
"""

from __future__ import annotations

import gzip
import itertools
import json
import random
import shutil
import struct
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from streams import TABLES, stream_of

MARKER = "TORTURE-TOKEN"
STREAMS = tuple(TABLES)
HOUR = 3_600_000
DAY = 24 * HOUR
PRICES = {
    "USD": ("4.99", "0.99", "99.99", "131072.01", "10"), "EUR": ("5.49", "109.99"),
    "JPY": ("120", "9800", "16777217"), "KRW": ("1200", "119000"), "KWD": ("1.525", "0.305"), "TWD": ("33", "170"),
}
APPS = (None, "", "game-a", "game-a", "game-b")
PRODUCTS = ("gem", "month", "year", None)
STORES = ("AS", "GG", None)
FLAGS = (None, None, False, False, False, True)
WRAPPER = "log"
# Lengths of refused lines above the stored limit of failed files, and above that of all files.
LONG = (5_000, 66_000)
# The days of a subscription's period, and the time from its end to the next purchase.
LENGTHS = (1, 3, 5, 7, 7, 14, 14, 28, 30, 31, 60, 91, 182, 365)
GAPS = (-2 * DAY, -1, 0, 0, 0, 3 * DAY, 16 * DAY, 16 * DAY + 1, 20 * DAY, -40 * DAY)

# A line before it is written in a vendor's spelling: values by the names of the first vendor. None is no value.
Record = dict[str, object]
# The names of a line with their values in JSON.
Members = list[tuple[str, str]]


def text(value: object) -> str:
    """A value in JSON; characters beyond ASCII are not escaped."""
    return json.dumps(value, ensure_ascii=False)


def in_order(members: Members, separator: str = ",", colon: str = ":") -> bytes:
    return ("{" + separator.join(f"{text(name)}{colon}{value}" for name, value in members) + "}").encode()


FLAGS_OF_MOST = {"sandboxPayment": "isTestPurchase", "promotionPayment": "isPromotion"}
# By vendor: its names of members, where they differ from those of the first one. The last one is a server of a store.
VENDORS: tuple[dict[str, str], ...] = (
    {}, FLAGS_OF_MOST | {"classId": "characterClassId"},
    {"sandboxPayment": "bIsTestPurchase", "promotionPayment": "bIsPromotion", "isActive": "active"},
    FLAGS_OF_MOST | {"purchaseTime": "purchaseTimeMillis", "expiryTime": "expiryTimeMillis"},
    FLAGS_OF_MOST | {"storeCode": "marketId", "marketItemId": "productId", "purchaseToken": "accessToken",
                     "itemSeq": "productSeq"})
TIMES = ("purchaseTime", "expiryTime", "levelUpTime", "eventTime")


def in_seoul(time: int) -> str:
    zone = timezone(timedelta(hours=9))
    return text(datetime.fromtimestamp(time / 1000, zone).isoformat(timespec="milliseconds")) if time > 0 else str(time)


def with_noise(price: str) -> str:
    """The price with the noise of a 32-bit float."""
    noisy = repr(struct.unpack("<f", struct.pack("<f", float(price)))[0])
    return noisy if "e" not in noisy else price


def lower(value: object) -> str:
    return text(str(value).lower())


# By member or kind of value, and by vendor: how it writes the value, if not as usual.
SPELLINGS: dict[str, dict[int, Callable[[Any], str]]] = {
    "time": {1: "{}.0".format, 2: '"{}"'.format, 4: in_seoul},
    "price": {0: with_noise, 2: '"{}"'.format, 3: lambda price: price + ("0" if "." in price else ".0")},
    "flag": {2: "{:d}".format, 4: lower},
    "itemSeq": {1: "{}.0".format, 2: '"{}"'.format}, "userLevel": {1: "{}.0".format, 3: "{}e0".format},
    **dict.fromkeys(("paymentSeq", "userId", "gamebaseProductId"), {
        1: lambda digits: digits if digits.isdigit() and digits != "0" else text(digits)}),
    "currency": {3: lower},
}
AUTO_RENEWABLE = ("AUTO_RENEWABLE", "AUTORENEWABLE", "auto renewable", "Auto-Renewable", "AUTO_SUBSCRIPTION")


def written(name: str, value: object, vendor: int) -> str:
    """A value in JSON, as the vendor writes it."""
    if value is None:
        return "null"
    if name == "price" and value == "-1":
        return "-1"
    if value == "AUTO_RENEWABLE":
        return text(AUTO_RENEWABLE[vendor])
    kind = "time" if name in TIMES else "flag" if isinstance(value, bool) else name
    return SPELLINGS.get(kind, {}).get(vendor, str if kind == "price" else text)(value)


# By stream: members that a line can leave out.
OPTIONAL = {
    "receipt": ("gamebaseProductId", "marketItemId", "itemSeq", "productType", "storeCode", "expiryTime", "paymentId",
                "originalPaymentId", "payload", "purchaseToken", "sandboxPayment", "promotionPayment", "appId"),
    "level_up": ("classId", "channelId"), "game_user": ("classId", "channelId"),
    "item": ("itemName", "productType", "isActive", "price", "localizedTitle"), "event": ("userId", "eventId"),
}
# Categories, each with its data.
EVENTS = [line.split("\t") for line in Path(__file__).with_name("events.tsv").read_text().splitlines()]

# Values of members by name; None leaves a member out.
Change = dict[str, str | None]

# By stream: a good line, beside its user and token.
GOOD: dict[str, Change] = {
    "receipt": {"purchaseTime": "TIME", "price": "4.99", "currency": '"USD"'},
    "level_up": {"userLevel": "5", "channelId": '"s1"', "levelUpTime": "TIME"},
    "game_user": {"userLevel": "5", "channelId": '"s1"', "eventTime": "TIME"},
    "item": {"gamebaseProductId": '"gem"', "price": "4.99", "currency": '"USD"', "eventTime": "TIME"},
    "event": {"category": '"observerNetwork"', "eventTime": "TIME", "data": '{"code":1}'},
}
# A stream, a member, and values for each of which a line is refused; an empty one leaves the member out.
WRONG = [line.split("\t") for line in Path(__file__).with_name("wrong_values.tsv").read_text().splitlines()]
# The reject of two values for one field names the second one, so these lines keep their order.
CONTRADICTIONS: list[Change] = [
    {"storeCode": '"AS"', "marketId": '"GG"'}, {"isTestPurchase": "true", "bIsTestPurchase": "0"},
    {"expiryTime": "1616649225531", "expiryTimeMillis": "1616649225532"}, {"itemSeq": "1", "productSeq": '"2"'}]
# Lines that are not a JSON object.
NO_RECORDS = (
    b'{"paymentSeq":"cut","purchaseToken":"TOKEN","payload":"ab', b'{"paymentSeq":"comma","accessToken":"TOKEN",}',
    b'{"paymentSeq":"two","purchaseToken":"TOKEN"} {}', b'{"purchaseToken":"TOKEN","userId":"\xff\xfe"}',
    b"[1,2,3]", b'"text"', b"null", b"not json at all", b'{"a":01}', b"{'a':1}")
# Lines that are not JSON but belong to a user.
BROKEN = (b'{"userId":USER,"price":', b'{"userId":USER,}', b'{"id":1 "user":USER}', b"[1,USER")


@dataclass(frozen=True)
class Profile:
    """What differs between the lines of the testers."""

    users: Sequence[str]
    # By stream: the fewest and the most records. A line is of one of `window` records, of which later files use later
    # ones; otherwise all lines would soon be known.
    sizes: dict[str, tuple[int, int]]
    window: int | None = None
    # The fraction of lines with fewer values, of those with other values, and of events that bring a receipt.
    less: float = 0.3
    contradicting: float = 0.15
    embedding: float = 0.5


@dataclass(eq=False)
class File:
    """Bytes to load, with the options that affect their parsing."""

    name: str
    stream: str
    content: bytes
    app_id: str = ""
    unwrap: str | None = None
    observed_at: str | None = None
    # The users that the refused lines name.
    refused_users: frozenset[str] = frozenset()
    # All paths of the bytes, in any compression.
    paths: list[Path] = field(default_factory=list)

    @property
    def options(self) -> list[str]:
        """The options on the command line, which are common to all files of a load."""
        given = (("--app-id", self.app_id), ("--unwrap", self.unwrap), ("--observed-at", self.observed_at))
        return [word for name, value in given if value for word in (name, value)]


class Writer:
    """Writes the lines of one seed. Times are of these moments, in epoch milliseconds."""

    def __init__(self, seed: str, profile: Profile, moments: Sequence[int]) -> None:
        self.random = random.Random(seed)
        self.profile = profile
        self.moments = moments
        self.tokens = 0
        self.file_count = 0
        self.payment_numbers = itertools.count()
        self.contradicting = profile.contradicting
        self.records: dict[str, list[Record]] = {}
        for stream, (fewest, most) in profile.sizes.items():
            records = self.records[stream] = []
            size = self.random.randint(fewest, most)
            while len(records) < size:
                records += self.chain() if stream == "receipt" and len(records) < size / 2 else [self.record(stream)]
            self.random.shuffle(records)

    def some(self, *choices: object) -> object:
        return self.random.choice(choices)

    def user(self) -> str:
        return self.random.choice(self.profile.users)

    def time(self) -> int:
        return self.random.choice(self.moments)

    def token(self) -> str:
        self.tokens += 1
        return f"{MARKER}-{self.tokens}-{self.random.getrandbits(64):016x}"

    # Records

    def record(self, stream: str) -> Record:
        return {"receipt": self.purchase, "item": self.item, "event": self.event}.get(
            stream, lambda: self.player(stream))()

    def purchase(self, payload_bytes: int = 20) -> Record:
        number, currency, at = next(self.payment_numbers), self.random.choice(list(PRICES)), self.time()
        payload = self.some(
            None, "", "two\nlines", "{\"a\": [1, 2]}", "x" * payload_bytes, "\u2028",
            f"{{\"purchaseToken\": \"{self.token()}\"}}", f"order=7&PurchaseTOKEN={self.token()}&x=1")
        if payload_bytes > 100:
            # Incompressible, because the disk-full faults need the bytes on disk.
            payload = f"{self.random.getrandbits(payload_bytes * 4):x}"
        return {
            "paymentSeq": f"{20210101 + number // 40}{number:09}", "userId": self.user(), "appId": self.some(*APPS),
            "gamebaseProductId": self.some(*PRODUCTS), "marketItemId": self.some(None, "com.x.gem"),
            "itemSeq": self.some(None, 5, 2**53 + 1),
            "productType": self.some(None, "CONSUMABLE", "AUTO_RENEWABLE", "UNKNOWN", "GIFT"),
            "storeCode": self.some(*STORES), "currency": currency, "price": self.some(*PRICES[currency], "0", "-1"),
            "purchaseTime": at, "expiryTime": self.some(None, None, None, None, 0, at + 30 * DAY),
            "paymentId": self.some(None, "x1", f"GPA.{number}"), "originalPaymentId": self.some(None, None, "x1"),
            "payload": payload, "purchaseToken": self.some(None, self.token(), self.token()),
            "sandboxPayment": self.some(*FLAGS), "promotionPayment": self.some(*FLAGS)}

    def chain(self) -> list[Record]:
        """The receipts of a subscription, linked in one of the ways."""
        way = self.random.choice(["original", "google", "payment", "product", "mixed"])
        number = self.random.randrange(3)
        first_id = f"GPA.{number}" if way in ("google", "mixed") else f"pay-{number}"
        first = self.purchase()
        shared = {name: first[name] for name in ("userId", "appId", "currency", "storeCode")}
        product, price, length = first["gamebaseProductId"], first["price"], self.random.choice(LENGTHS)
        # Early enough for some renewals.
        at = end = min(self.time() for _ in range(3))
        is_trial = False
        receipts: list[Record] = []
        for place in range(self.random.randrange(1, 7)):
            if place:
                at = max(min(self.moments), end + self.random.choice(GAPS))
            if at > max(self.moments):
                break
            if place and self.random.random() < 0.22:
                product, length = self.some(*PRODUCTS), self.random.choice(LENGTHS)
            end = max(at, end) + length * DAY
            if self.random.random() < 0.08:
                end = at + self.random.choice((-DAY, 0, DAY))
            payment, original = self._ids(way, first_id, place)
            # Trials in a row, and one after other periods.
            is_trial = self.random.random() < (0.4 if place == 0 else 0.5 if is_trial else 0.05)
            if self.random.random() < 0.1:
                price = self.some(*PRICES[str(shared["currency"])])
            receipt = self.purchase() | shared | {
                "price": "0" if is_trial else price, "purchaseTime": at, "expiryTime": end,
                "gamebaseProductId": product,
                "productType": self.some(*["AUTO_RENEWABLE"] * 9, "CONSUMABLE_AUTO_RENEWABLE", None),
                "paymentId": payment, "originalPaymentId": original}
            if self.random.random() < 0.6:
                receipt |= {"sandboxPayment": False, "promotionPayment": self.random.random() < 0.1}
            receipts.append(receipt)
        return receipts

    def _ids(self, way: str, first_id: str, place: int) -> tuple[str | None, str | None]:
        """The number of a receipt in its chain, and that of the first one."""
        numbered = first_id if place == 0 else f"{first_id}..{place - 1}"
        mixed = self.random.choice([
            (numbered, None), (numbered, first_id), (None, first_id), (None, None), (None, numbered)])
        return {
            "google": (numbered, None), "payment": (first_id, None), "mixed": mixed, "product": (None, None),
            "original": (first_id if place == 0 else f"{first_id}-{place}", first_id)}[way]

    def _bought(self) -> Record:
        return self.random.choice(self.records["receipt"])

    def player(self, stream: str) -> Record:
        time, owner = self.time(), {"userId": self.user(), "appId": self.some(*APPS)}
        if self.random.random() < 0.15:
            # The instant of a purchase of the user.
            bought = self._bought()
            time, owner = bought["purchaseTime"], {name: bought[name] for name in owner}
        name = "levelUpTime" if stream == "level_up" else "eventTime"
        return owner | {
            "userLevel": self.random.randrange(1, 8), "classId": self.some(None, "mage", "monk"),
            "characterId": self.some(None, None, "c1", "c2"), "channelId": self.some(None, "", "s1", "s2"),
            name: None if stream == "game_user" and self.random.random() < 0.2 else time}

    def item(self) -> Record:
        """An item, often of a product that is bought, and at the instant of a purchase."""
        currency = self.random.choice(list(PRICES))
        product, market_item = self.some(*PRODUCTS, "7"), self.some("com.x.gem", "com.x.gem", "", None)
        price = self.some(*PRICES[currency], *PRICES[currency], "-1", None)
        return {
            "appId": self.some(*APPS), "gamebaseProductId": product, "marketItemId": market_item,
            "itemSeq": self.some(None, None, 5) if product or market_item else 7, "storeCode": self.some(*STORES),
            "currency": self.some(None, currency) if price in (None, "-1") else currency, "price": price,
            "productType": self.some(None, "CONSUMABLE", "consumable", "LOOT"), "itemName": self.some("a", "b", None),
            "localizedTitle": self.some(None, "Gem \0", "Gem"), "isActive": self.some(True, True, False, None),
            "userId": self.some(None, None, "0", self.user()),
            "eventTime": self.some(None, self._bought()["purchaseTime"], self.time(), self.time(), self.time())}

    def event(self) -> Record:
        """An event, with a number of its own or without; some bring a receipt."""
        category, content = self.random.choice(EVENTS)
        data = json.loads(content)
        if self.random.random() < self.profile.embedding:
            category, data = "purchaseUpdated", self._bought()
        return {
            "eventTime": self.time() + self.random.choice([0, 0, HOUR, 23 * HOUR]), "appId": self.some(*APPS),
            "userId": self.some(None, "0", self.user(), self.user()), "category": category, "data": data,
            "eventId": self.some(None, *(f"e{self.random.randrange(6)}" for _ in range(2)))}

    # Versions of a record

    def some_record(self, stream: str) -> Record:
        records = self.records[stream]
        if window := self.profile.window:
            first = max(0, min(self.file_count // 4, len(records) - window))
            records = records[first:first + window]
        return self.random.choice(records)

    def version(self, stream: str, record: Record) -> Record:
        """A record as one line brings it."""
        if self.random.random() < self.profile.less:
            names = self.random.sample(OPTIONAL[stream], min(3, len(OPTIONAL[stream]) - 1))
            record = {name: value for name, value in record.items() if name not in names}
            if stream == "receipt" and self.random.random() < 0.2:
                record["price"] = "-1"
        if self.random.random() < self.contradicting:
            record = record | self.other(stream, record)
        return record

    def other(self, stream: str, record: Record) -> Record:
        """Values that contradict the record."""
        if stream == "event":
            event = self.event()
            return {name: event[name] for name in self.random.choice([["category", "data"], ["userId"]])}
        if stream in ("level_up", "game_user"):
            level: Record = {"userLevel": self.random.choice([8, 9])} if stream == "game_user" else {}
            return level | self.random.choice([{"classId": "bard"}, {"classId": "mage"}, {"channelId": "s3"}])
        price = {"price": self.some("7", "8"), "currency": record.get("currency") or "USD"}
        if stream == "item":
            return self.random.choice([
                {"itemName": "other"}, {"isActive": self.some(True, False)}, {"productType": "UNKNOWN"}, price])
        return self.random.choice([
            price, {"userId": self.user()}, {"appId": self.some(*APPS)},
            {"purchaseTime": self.some(self.time(), int(str(record["purchaseTime"])) + 1)},
            {"storeCode": "HUAWEI", "paymentId": "another"}, {"gamebaseProductId": "year"},
            {"purchaseToken": self.token(), "sandboxPayment": not record.get("sandboxPayment")},
            {"promotionPayment": self.some(True, False)}, {"expiryTime": self.time() + 40 * DAY},
            {"originalPaymentId": "other"}])

    # Spellings

    def good_line(self, stream: str) -> bytes:
        record = self.version(stream, self.some_record(stream))
        members = self.spelled(stream, record) if stream != "event" else self.spelled_event(record)
        return self.line(members + self.unknown("paymentToken" if stream == "receipt" else "purchaseToken"))

    def spelled(self, stream: str, record: Record) -> Members:
        """The members in the spelling of a random vendor."""
        vendor = self.random.randrange(len(VENDORS))
        members: Members = []
        for name, value in record.items():
            spelling = VENDORS[vendor].get(name, name)
            if stream == "item" and name == "marketItemId":
                spelling = name
            if value is None and (name in TIMES or self.random.random() < 0.7):
                continue
            if vendor == 3 and name == "sandboxPayment" and value:
                members.append(("purchaseType", '"Test"'))
            else:
                members.append((spelling, written(name, value, vendor)))
        return members

    def unknown(self, secret: str) -> Members:
        """Members without a column."""
        return self.random.choice([
            [("newField", '{"a":[1,2.50,null],"b":"\\u00e9"}')], [("sdkVersion", '"2.71.1"'), ("newField", "1e5")],
            [(secret, text(self.token()))], [("nested", '{"deeper":{"' + secret + '":' + text(self.token()) + "}}")],
            [("repaired", '"a\\u0000b"')], [("guild", '"red"'), ("Guild", "7")], [], [], []])

    def spelled_event(self, record: Record) -> Members:
        """An event in one of its spellings."""
        record = dict(record)
        category, data = str(record.pop("category")), record.pop("data", None)
        members = self.spelled("event", record)
        written = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        if category == "purchaseUpdated":
            assert isinstance(data, dict)
            # The number of an event covers what is kept of its data, and the oracle has no rule for it with this text.
            written = in_order([
                one for one in self.spelled("receipt", self.version("receipt", data)) + self.unknown("paymentToken")
                if "PurchaseTOKEN=" not in one[1]]).decode()
        elif category.startswith("observer") and self.random.random() < 0.2:
            members.append(("type", text(category.removeprefix("observer").upper())))
            category = ""
        elif category != "season" and self.random.random() < 0.2:
            category = f"kTCGB{category[0].upper()}{category[1:]}"
        if category:
            members.append(("category", text(category)))
        if written != "null":
            # The key of an event without a number tells an object from its text: such events would hardly ever repeat.
            is_object = record.get("eventId") is not None and self.random.random() < 0.5
            members.append(("data", written if is_object else text(written)))
        return members

    # Lines

    def line(self, members: Members) -> bytes:
        separator, colon = self.random.choice([(",", ":"), (",", ":"), (", ", ": ")])
        shuffled = members[:]
        if self.random.random() < 0.5:
            self.random.shuffle(shuffled)
        return in_order(shuffled, separator, colon)

    def good(self, stream: str) -> Change:
        # The time is early, so that it is never a second reason.
        return {name: str(min(self.moments)) if value == "TIME" else value for name, value in GOOD[stream].items()}

    def wrong_value(self, stream: str) -> bytes:
        """A line that is refused for exactly one reason."""
        user, token = text(self.user()), text(self.token())
        good: Change = {"userId": user, "accessToken" if stream == "event" else "purchaseToken": token}
        good |= self.good(stream)
        changes: list[Change] = [
            {name: value or None} for one, name, *values in WRONG if one == stream for value in values]
        if stream == "receipt":
            good["paymentSeq"] = text(f"99{self.random.getrandbits(40)}")
            changes += CONTRADICTIONS
        elif stream == "event":
            receipt = in_order([
                ("paymentSeq", '"bad"'), ("userId", user), ("purchaseTime", str(min(self.moments))), ("price", "-2"),
                ("currency", '"USD"'), ("purchaseToken", token)])
            changes.append({"category": '"purchaseUpdated"', "data": text(receipt.decode())})
        change = self.random.choice(changes)
        members = [(name, value) for name, value in (good | change).items() if value is not None]
        return in_order(members) if change in CONTRADICTIONS else self.line(members)

    def no_record(self) -> bytes:
        token = self.token().encode()
        return self.random.choice(NO_RECORDS).replace(b"TOKEN", token)

    def blank(self) -> bytes:
        return self.random.choice([b"", b"   ", b"\t\t"])

    def bad_line(self, stream: str) -> bytes:
        kinds: list[Callable[[str], bytes]] = [
            self.wrong_value, self.wrong_value, lambda _: self.broken(), lambda _: self.no_record()]
        if self.random.random() < 0.15:
            kinds = [self.long]
        return self.random.choice(kinds)(stream)

    def broken(self) -> bytes:
        user = text(self.user()).encode()
        return self.random.choice(BROKEN).replace(b"USER", user)

    def long(self, stream: str) -> bytes:
        """A long line with its user near the end and one wrong value."""
        wrong: Change = {"userLevel": "-1"} if stream in ("level_up", "game_user") else {"price": "-2"}
        good = self.good(stream) | ({"data": '{"code":"1"}'} if stream == "event" else wrong) | {"paymentSeq": '"long"'}
        members: Members = [("padding", text("p" * self.random.choice(LONG))), ("userId", text(self.user()))]
        return in_order(members + [(name, str(value)) for name, value in good.items()])

    # Files

    def file(
        self, stream: str | None = None, contradicting: float | None = None, observed_at: str | None = None,
    ) -> File:
        stream = stream or self.random.choice(["receipt", *STREAMS])
        self.file_count += 1
        self.contradicting = self.profile.contradicting if contradicting is None else contradicting
        lines = [self.good_line(stream) for _ in range(self.random.choice([1, 2, 3, 5, 8, 8, 12, 20, 30]))]
        bad: list[bytes] = []
        if self.random.random() < 0.3:
            lines += self.random.sample(lines, self.random.randrange(1, len(lines) + 1))
        if self.random.random() < 0.5:
            bad = [self.bad_line(stream) for _ in range(self.random.randrange(1, 5))]
            lines += bad
        if self.random.random() < 0.3:
            lines += [self.blank() for _ in range(2)]
        self.random.shuffle(lines)
        unwrap = WRAPPER if self.random.random() < 0.07 else None
        if unwrap:
            # A line that is not an object is not wrapped.
            lines = [b'{"log":%s}' % line if line.startswith(b"{") else line for line in lines]
        content = joined(lines, end=self.random.choice([b"\n", b"\n", b"\n", b"\r\n"]))
        if self.random.random() < 0.1:
            content = b"\xef\xbb\xbf" + content
        if self.random.random() < 0.2:
            content = content.rstrip(b"\r\n") or content
        return File(
            f"{stream.replace('_', '')}-{self.file_count:03}.jsonl", stream, content,
            self.random.choice(["", "", "", "game-b"]), unwrap, observed_at,
            frozenset(user for user in self.profile.users if any(text(user).encode() in line for line in bad)))

    def pack(self, content: bytes) -> tuple[str, bytes]:
        """The suffix of a random compression, and the compressed bytes."""
        way = self.random.randrange(6)
        suffix = ("", "", "", ".zst", ".gz", ".gz")[way] if content else ""
        return suffix, packed(content, suffix, members=3 if way == 5 else 1)


# The fault suite: many users, and times in five months, which make five partitions.

USERS = ("AS@{}", "유저{}", "o'hara-{}", 'q"uote{}', "back\\slash{}", "cafe\u0301{}", "café{}", "-{}", "\\N{}")
FIRST_TIME = 1_609_459_200_000  # 2021-01-01
SPAN = 150 * DAY
# About six megabytes, more than the loader has in flight, so that a stop happens in the middle of the file.
BIG_FILE = "receipt-a.jsonl"


def make(folder: Path, seed: int, scale: float = 1.0) -> list[Path]:
    """Writes the files of a seed, which have keys in common. `scale` below 1 makes smaller files for a quick run."""
    moments = [FIRST_TIME + random.Random(f"times {seed}").randrange(SPAN) for _ in range(60)]
    size = int(1000 * scale)
    writer = Writer(f"data {seed}", Profile(
        [name.format(number) for name in USERS for number in range(12)],
        dict.fromkeys(STREAMS, (size, size)), contradicting=0.1), moments)

    def payments(count: int, payload_bytes: int = 20) -> list[Record]:
        return [writer.purchase(payload_bytes) for _ in range(int(count * scale))]

    known, small, more = payments(1600, 2600), payments(500), payments(300)
    # Payments that only events bring.
    unsent = payments(100)
    writer.records["receipt"] = met = small + unsent
    writer.records["event"] = [writer.event() for _ in range(size)]
    lines_of: dict[str, list[bytes]] = {}
    folder.mkdir(parents=True)
    for name, count, pool, again in (
        (BIG_FILE, 2400, known, ""), ("receipt-b.jsonl.gz", 600, small + known[:100], ""),
        ("receipt-c.jsonl", 700, small, ""), ("receipt-d.jsonl.zst", 400, small + more, ""),
        ("levelup-a.jsonl", 900, met, ""), ("levelup-b.jsonl.gz", 600, met, "levelup-a.jsonl"),
        ("gameuser-a.jsonl", 700, met, ""), ("gameuser-b.jsonl", 400, met, "gameuser-a.jsonl"),
        ("item-a.jsonl", 450, met, ""), ("item-b.jsonl.gz", 250, met, "item-a.jsonl"),
        ("event-a.jsonl", 500, met, ""), ("event-b.jsonl.gz", 300, met, "event-a.jsonl"),
    ):
        stream, count = stream_of(name), int(count * scale)
        writer.records["receipt"] = pool
        # New lines, some of them twice, lines of another file again, and lines that are refused or blank.
        lines = [writer.good_line(stream) for _ in range(count)]
        lines += writer.random.sample(lines, count // 8) + lines_of.get(again, [])[:int(200 * scale)]
        lines += [writer.wrong_value(stream) for _ in range(10 + count // 30)]
        lines += [writer.no_record() for _ in range(4)] + [writer.blank() for _ in range(3)]
        writer.random.shuffle(lines)
        lines_of[name] = lines
        content = joined(lines)
        if name == "gameuser-a.jsonl":
            content = b"\xef\xbb\xbf" + joined(lines, end=b"\r\n")
        elif name == "gameuser-b.jsonl":
            content = content.rstrip(b"\n")
        suffix = name.partition(".jsonl")[2]
        if suffix != ".zst" or shutil.which("zstd"):
            (folder / name).write_bytes(packed(content, suffix, members=3 if stream == "level_up" else 1))
    return sorted(folder.iterdir())


def joined(lines: list[bytes], end: bytes = b"\n") -> bytes:
    return b"".join(line + end for line in lines)


def packed(content: bytes, suffix: str, members: int = 1) -> bytes:
    """The bytes in the compression of this suffix. Gzip can have several concatenated members."""
    if suffix == ".gz":
        size = len(content) // members + 1
        return b"".join(gzip.compress(content[start:start + size], mtime=0) for start in range(0, len(content), size))
    if suffix == "":
        return content
    return subprocess.run(["zstd", "-qc"], input=content, check=True, capture_output=True).stdout
