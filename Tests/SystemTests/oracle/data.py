"""Generates the lines of the model tester and of the fault suite, and its files; the same seed gives the same bytes.

The lines are in every vendor's spelling, repeat records with more, fewer and other values, and have every common
error. Every purchase token contains `MARKER`, which must appear only in these files.
"""

from __future__ import annotations

import gzip
import json
import random
import shutil
import struct
import subprocess
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

from streams import TABLES

MARKER = "TORTURE-TOKEN"
STREAMS = tuple(TABLES)
TIME_NAMES = {"level_up": "levelUpTime", "game_user": "eventTime", "item": "eventTime", "event": "eventTime"}
APPS = ("", "game-a", "game-b")
PRICES = {
    "USD": ("4.99", "0.99", "99.99", "131072.01", "19.90"), "EUR": ("5.49", "109.99"),
    "JPY": ("120", "9800", "16777217"), "KRW": ("1200", "119000"), "KWD": ("1.525", "0.305"), "TWD": ("33", "170"),
}

Members = list[tuple[str, str]]


def text(value: str) -> str:
    """A JSON string; characters beyond ASCII are not escaped."""
    return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True)
class Facts:
    """A purchase, before it is written in a vendor's spelling. None means that the member is missing."""

    payment_seq: str
    user: str
    product: str | None
    market_item: str | None
    item_seq: int | None
    product_type: str | None
    store: str | None
    currency: str
    price: str  # in units of the currency, exact
    purchased_at: int
    expires_at: int | None
    payment_id: str | None
    original_payment_id: str | None
    payload: str | None
    token: str | None
    sandbox: bool | None
    promotion: bool | None
    app: str | None


# By vendor: its names of members, where they differ from those of the first one. The last one is a server of a store.
VENDORS: tuple[dict[str, str], ...] = (
    {}, {"sandboxPayment": "isTestPurchase", "promotionPayment": "isPromotion"},
    {"sandboxPayment": "bIsTestPurchase", "promotionPayment": "bIsPromotion"},
    {"sandboxPayment": "isTestPurchase", "promotionPayment": "isPromotion", "purchaseTime": "purchaseTimeMillis",
     "expiryTime": "expiryTimeMillis"},
    {"sandboxPayment": "isTestPurchase", "promotionPayment": "isPromotion", "storeCode": "marketId",
     "marketItemId": "productId", "purchaseToken": "accessToken", "itemSeq": "productSeq"})
AUTO_RENEWABLE = ("AUTO_RENEWABLE", "AUTORENEWABLE", "auto renewable", "Auto-Renewable", "AUTO_SUBSCRIPTION")

EVENTS: list[tuple[str, Members | None]] = [
    ("loggedOut", None), ("loggedOut", [("message", '"bye"')]), ("loggedOut", [("message", '"bye"'), ("reason", "5")]),
    ("observerNetwork", [("code", "-1")]), ("observerNetwork", [("code", "1")]),
    ("observerLaunching", [("code", "200"), ("message", '"ok"')]),
    ("pushReceivedMessage", [("id", '"p1"'), ("title", '"Sale"')]),
    ("pushClickMessage", [("identifier", '"p1"'), ("isForeground", "true")]), ("season", [("week", "3")])]

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
WRONG_TIMES = ("1616649225", '"2021-03-25T14:13:45"', "-1")
WRONG_PLAYER = {
    "userId": (None, '"0"'), "userLevel": (None, "5.5", "-1", "2147483648", '"5"'), "channelId": ("{}",),
    "classId": ("1.5",)}
# By stream and member: values for each of which a line is refused.
WRONG: dict[str, dict[str, tuple[str | None, ...]]] = {
    "receipt": {
        "paymentSeq": (None, '"  "', "1.5", text("9" * 513), '"a\\u0000"'),
        "userId": (None, '"0"', '""', "true", '"\\ud800"'),
        "purchaseTime": (
            None, "1616649225", "1616649225531000", "1616649225531000000", "0", "1616649225531.5",
            '"2021-03-25T14:13:45"', '"yesterday"', "946684799999", '"2021-03-25T14:13:45.1234Z"'),
        "price": (None, '"4,99"', "-2", "4.991", "0.0001", "1e30", "false"),
        "currency": (None, '"ZZZ"', '"XAU"', '"US"', "840"), "itemSeq": ("5.5", "9223372036854775808"),
        "sandboxPayment": ('"yes"',), "isPromotion": ('""',), "purchaseType": ('"test"',), "payload": ("5",),
        "storeCode": ("[]",)},
    "level_up": WRONG_PLAYER | {"levelUpTime": WRONG_TIMES}, "game_user": WRONG_PLAYER | {"eventTime": WRONG_TIMES},
    "item": {
        "gamebaseProductId": (None, "{}"), "itemSeq": ("1.5",), "storeCode": ("[]",),
        "currency": (None, '""', '"ZZZ"', '"XAU"'), "price": ('""', '"free"', "-2", "4.991", "true"),
        "productType": ("1",), "itemName": ("5",), "active": ('"yes"',), "isActive": ('""',),
        "eventTime": ("1616649225",), "userId": ("1.5", '"\\ud800"')},
    "event": {
        "category": (None, "{}"), "eventTime": (None, "1616649225"), "eventId": ("[]",),
        "data": (None, '"x"', "[]", '{"code":"1"}', '{"code":1.5}', '{"message":"m"}')},
}
# The reject of two values for one field names the second one, so these lines keep their order.
CONTRADICTIONS: list[Change] = [
    {"storeCode": '"AS"', "marketId": '"GG"'}, {"isTestPurchase": "true", "bIsTestPurchase": "0"},
    {"expiryTime": "1616649225531", "expiryTimeMillis": "1616649225532"}, {"itemSeq": "1", "productSeq": '"2"'}]


class Writer:
    """Writes the lines of one seed. A subclass has the users, times and payments."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.tokens = 0
        # The fraction of lines that contradict others.
        self.contradicting = 0.0

    def user(self) -> str:
        raise NotImplementedError

    def time(self) -> int:
        raise NotImplementedError

    def purchase(self) -> Facts:
        raise NotImplementedError

    def app(self) -> str | None:
        return self.random.choice([None, None, None, *APPS])

    def token(self) -> str:
        self.tokens += 1
        return f"{MARKER}-{self.tokens}-{self.random.getrandbits(64):016x}"

    def good_line(self, stream: str) -> bytes:
        if stream == "receipt":
            return self.line(self.receipt(self.purchase()))
        return {"item": self.item_line, "event": self.event_line}.get(stream, lambda: self.player_line(stream))()

    # Receipts

    def facts(self, number: int, payload_bytes: int) -> Facts:
        choice = self.random.choice
        currency = choice(list(PRICES))
        time = self.time()
        payload = choice([
            None, "", "two\nlines", "{\"a\": [1, 2]}", "x" * payload_bytes, "\u2028",
            f"{{\"purchaseToken\": \"{self.token()}\"}}", f"order=7&PurchaseTOKEN={self.token()}&x=1",
        ])
        if payload_bytes > 100:
            # Incompressible, because the disk-full faults need the bytes on disk.
            payload = f"{self.random.getrandbits(payload_bytes * 4):x}"
        return Facts(
            payment_seq=f"{20210101 + number // 40}{number:09}", user=self.user(),
            product=choice([None, "gem_100", "pass"]), market_item=choice([None, "com.x.gem"]),
            item_seq=choice([None, 1_000_001, 2**53 + 1]),
            product_type=choice([None, "CONSUMABLE", "AUTO_RENEWABLE", "UNKNOWN", "GIFT"]),
            store=choice(["AS", "GG", "ONESTORE"]), currency=currency, price=choice(PRICES[currency] + ("-1",)),
            purchased_at=time, expires_at=choice([None, 0, time + 86_400_000 * 30]),
            payment_id=choice([None, f"GPA.{number}"]), original_payment_id=choice([None, f"GPA.{number // 2}"]),
            payload=payload, token=choice([None, self.token(), self.token()]), sandbox=choice([None, True, False]),
            promotion=choice([None, True, False]), app=choice([None, "app-1", None]))

    def less(self, facts: Facts) -> Facts:
        """The same purchase without some of its members."""
        optional = [one.name for one in fields(Facts) if str(one.type).endswith("| None")]
        facts = replace(facts, **dict.fromkeys(self.random.sample(optional, 3)))
        return replace(facts, price="-1") if self.random.random() < 0.2 else facts

    def other(self, facts: Facts) -> Facts:
        """The same payment with other values."""
        changes = [
            lambda: {"user": facts.user + "-2"}, lambda: {"purchased_at": facts.purchased_at + 1},
            lambda: {"price": "7" if facts.price != "7" else "8"}, lambda: {"store": "HUAWEI", "payment_id": "another"},
            lambda: {"token": self.token(), "sandbox": not facts.sandbox}]
        return replace(facts, **self.random.choice(changes)())

    def receipt(self, facts: Facts) -> Members:
        """The purchase in the spelling of a random vendor."""
        vendor = self.random.randrange(len(VENDORS))
        number = facts.payment_seq
        members: Members = [
            ("paymentSeq", number if vendor == 1 and number.isdigit() else text(number)), ("userId", text(facts.user))]
        if facts.app is not None or vendor == 2:
            members.append(("appId", text(facts.app or "")))
        for name, value in (
            ("gamebaseProductId", facts.product), ("paymentId", facts.payment_id),
            ("originalPaymentId", facts.original_payment_id), ("storeCode", facts.store),
            ("marketItemId", facts.market_item), ("purchaseToken", facts.token), ("payload", facts.payload),
        ):
            if value is not None:
                members.append((name, text(value)))
            elif self.random.random() < 0.3:
                members.append((name, "null"))
        if facts.item_seq is not None:
            item = str(facts.item_seq)
            members.append(("itemSeq", {1: f"{item}.0", 2: text(item)}.get(vendor, item)))
        if facts.product_type is not None:
            kind = AUTO_RENEWABLE[vendor] if facts.product_type == "AUTO_RENEWABLE" else facts.product_type
            members.append(("productType", text(kind)))
        members.append(("currency", text(facts.currency.lower() if vendor == 3 else facts.currency)))
        members.append(("price", self.price(facts.price, vendor)))
        for name, time in (("purchaseTime", facts.purchased_at), ("expiryTime", facts.expires_at)):
            if time is not None:
                members.append((name, self.spelled_time(time, vendor)))
        for name, flag in (("sandboxPayment", facts.sandbox), ("promotionPayment", facts.promotion)):
            written = str(flag).lower()
            if vendor == 3 and flag and name == "sandboxPayment":
                members.append(("purchaseType", '"Test"'))
            elif flag is not None:
                members.append((name, {2: str(int(flag)), 4: text(written)}.get(vendor, written)))
        return [(VENDORS[vendor].get(name, name), value) for name, value in members] + self.unknown("paymentToken")

    def price(self, price: str, vendor: int) -> str:
        if price == "-1":
            return "-1"
        if vendor == 0:  # with the noise of a 32-bit float
            noisy = repr(struct.unpack("<f", struct.pack("<f", float(price)))[0])
            return noisy if "e" not in noisy else price
        return {2: text(price), 3: price + ("0" if "." in price else ".0")}.get(vendor, price)

    def spelled_time(self, time: int, vendor: int) -> str:
        if vendor == 4 and time > 0:
            zone = timezone(timedelta(hours=9))
            return text(datetime.fromtimestamp(time / 1000, zone).isoformat(timespec="milliseconds"))
        return {1: f"{time}.0", 2: text(str(time))}.get(vendor, str(time))

    def unknown(self, secret: str) -> Members:
        """Members without a column."""
        choice = self.random.randrange(8)
        if choice == 2:
            return [(secret, text(self.token()))]
        if choice == 3:
            return [("nested", '{"deeper":{"' + secret + '":' + text(self.token()) + "}}")]
        return {
            0: [("newField", '{"a":[1,2.50,null],"b":"\\u00e9"}')],
            1: [("sdkVersion", '"2.71.1"'), ("newField", "1e5")],
            4: [("repaired", '"a\\u0000b"')]}.get(choice, [])

    # Players and items

    def player_line(self, stream: str) -> bytes:
        choice = self.random.choice
        user = self.user()
        return self.observed(stream, [
            ("userId", user if user.isdigit() and self.random.random() < 0.5 else text(user)),
            ("userLevel", choice(["3", "4.0"] if stream == "level_up" else ["7", "7", "7", "8e0"])),
            ("channelId", choice(['"s1"', "null", '""', '"s2"' if stream == "game_user" else "null"])),
            ("characterId", choice(["null", '"c1"'])),
            (choice(["classId", "characterClassId"]),
             choice(['"mage"', '"monk"', '"bard"'] if self.random.random() < self.contradicting
                    else ["null", "null", '"mage"', '"mage"', '"monk"'])),
        ])

    def item_line(self) -> bytes:
        choice = self.random.choice
        is_contradicting = self.random.random() < self.contradicting
        members: Members = [
            ("gamebaseProductId", choice(['"gem"', '"gem"', '"pass"', "7"])),
            ("marketItemId", choice(["null", '""', '"com.gem"'])),
            (choice(["itemSeq", "productSeq"]), choice(["null", "7", '"7"'])),
            (choice(["storeCode", "marketId"]), choice(["null", '"AS"', '"AS"', '"GG"'])),
            ("price", choice(["5.99"] if is_contradicting else ["4.99", "4.989999771118164", '"4.99"', "-1", "null"])),
            ("currency", choice(['"USD"', '"usd"'])),
            ("productType", choice(["null", '"CONSUMABLE"', '"consumable"', '"LOOT"'])),
            ("itemName", choice(['"gems"', '"passes"'] if is_contradicting else ["null", '"gems"'])),
            ("localizedTitle", choice(["null", '"Gem \\u0000"', '"Gem"'])),
            (choice(["active", "isActive"]), choice(["null", "true", '"1"'])),
        ]
        if self.random.random() < 0.1:
            members = [one for one in members if one[0] not in ("price", "currency")]
            members.append(("price", choice(["-1", '"-1.0"'])))
        if self.random.random() < 0.5:
            members.append(("userId", choice([text(self.user()), '"0"', "null"])))
        return self.observed("item", members)

    def observed(self, stream: str, members: Members) -> bytes:
        """The line of a player or an item, often with an application and a time."""
        app = self.app()
        if app is not None:
            members.append(("appId", text(app)))
        if stream == "level_up" or self.random.random() < 0.8:
            members.append((TIME_NAMES[stream], self.spelled_time(self.time(), self.random.randrange(5))))
        return self.line(members + self.unknown("purchaseToken"))

    # Events

    def event_line(self) -> bytes:
        """An event, with a number of its own or without; half of them bring a receipt, as `purchaseUpdated`."""
        choice = self.random.choice
        members: Members = [("eventTime", str(self.time()))]
        user, app = choice([None, "0", self.user(), self.user()]), self.app()
        members += [(name, text(value)) for name, value in (("userId", user), ("appId", app)) if value is not None]
        has_number = self.random.random() < 0.5
        category, data = choice(EVENTS)
        if self.random.random() < 0.5:
            # The number of an event covers what is kept of its data, and the oracle has no rule for it with this text.
            category, data = "purchaseUpdated", [
                one for one in self.receipt(self.purchase()) if "PurchaseTOKEN=" not in one[1]]
        name, written = "category", category
        if category.startswith("observer") and self.random.random() < 0.2:
            name, written = "type", category.removeprefix("observer").upper()
        elif category != "season" and self.random.random() < 0.2:
            written = f"kTCGB{category[0].upper()}{category[1:]}"
        members.append((name, text(written)))
        if has_number:
            members.append(("eventId", text(f"e{choice(range(6))}")))
        if data is not None:
            json_text = self.ordered(data).decode()
            # The key of an event without a number tells an object from its text: such events would hardly ever repeat.
            members.append(("data", json_text if has_number and self.random.random() < 0.5 else text(json_text)))
        return self.line(members)

    # Lines

    def line(self, members: Members) -> bytes:
        separator, colon = self.random.choice([(",", ":"), (",", ":"), (", ", ": ")])
        shuffled = members[:]
        if self.random.random() < 0.5:
            self.random.shuffle(shuffled)
        return ("{" + separator.join(f"{text(n)}{colon}{v}" for n, v in shuffled) + "}").encode()

    def ordered(self, members: Members) -> bytes:
        """The line without shuffling."""
        return ("{" + ",".join(f"{text(n)}:{v}" for n, v in members) + "}").encode()

    def wrong_value(self, stream: str) -> bytes:
        """A line that is refused for exactly one reason."""
        user, time, token = text(self.user()), str(self.time()), text(self.token())
        good: Change = {"userId": user, "accessToken" if stream == "event" else "purchaseToken": token} | GOOD[stream]
        good = {name: time if value == "TIME" else value for name, value in good.items()}
        changes: list[Change] = [{name: value} for name, values in WRONG[stream].items() for value in values]
        if stream == "receipt":
            good["paymentSeq"] = text(f"99{self.random.getrandbits(40)}")
            changes += CONTRADICTIONS
        elif stream == "event":
            receipt = self.ordered([
                ("paymentSeq", '"bad"'), ("userId", user), ("purchaseTime", time), ("price", "-2"),
                ("currency", '"USD"'), ("purchaseToken", token)])
            changes.append({"category": '"purchaseUpdated"', "data": text(receipt.decode())})
        change = self.random.choice(changes)
        members = [(name, value) for name, value in (good | change).items() if value is not None]
        return self.ordered(members) if change in CONTRADICTIONS else self.line(members)

    def no_record(self) -> bytes:
        """A line that is not a JSON object."""
        token = self.token().encode()
        return self.random.choice([
            b'{"paymentSeq":"cut","purchaseToken":"%s","payload":"ab' % token,
            b'{"paymentSeq":"comma","accessToken":"%s",}' % token,
            b'{"paymentSeq":"two","purchaseToken":"%s"} {}' % token,
            b'{"purchaseToken":"%s","userId":"\xff\xfe"}' % token,
            b"[1,2,3]", b'"text"', b"null", b"not json at all", b'{"a":01}', b"{'a':1}",
        ])

    def blank(self) -> bytes:
        return self.random.choice([b"", b"   ", b"\t\t"])


class FaultWriter(Writer):
    """Writes the lines of the fault suite: many users, and times in five months, which make five partitions."""

    USERS = ("AS@{}", "유저{}", "o'hara-{}", 'q"uote{}', "back\\slash{}", "cafe\u0301{}", "café{}", "-{}", "\\N{}")
    FIRST_TIME = 1_609_459_200_000  # 2021-01-01
    SPAN = 1000 * 86_400 * 150

    def __init__(self, seed: int) -> None:
        super().__init__(f"data {seed}")
        self.moments = [self.FIRST_TIME + self.random.randrange(self.SPAN) for _ in range(60)]
        self.payments: list[Facts] = []
        self.contradicting = 0.15

    def user(self) -> str:
        return self.random.choice(self.USERS).format(self.random.randrange(12))

    def time(self) -> int:
        return self.random.choice(self.moments)

    def purchase(self) -> Facts:
        facts = self.random.choice(self.payments)
        change = self.random.random()
        return self.less(facts) if change < 0.3 else self.other(facts) if change < 0.4 else facts

    def file(self, stream: str, count: int, again: list[bytes]) -> list[bytes]:
        """New lines, some of them twice, these lines again, and lines that are refused or blank."""
        lines = [self.good_line(stream) for _ in range(count)]
        lines += self.random.sample(lines, count // 8) + again
        lines += [self.wrong_value(stream) for _ in range(10 + count // 30)]
        lines += [self.no_record() for _ in range(4)] + [self.blank() for _ in range(3)]
        self.random.shuffle(lines)
        return lines


# About six megabytes, more than the loader has in flight, so that a stop happens in the middle of the file.
BIG_FILE = "receipt-a.jsonl"


def make(folder: Path, seed: int, scale: float = 1.0) -> list[Path]:
    """Writes the files of a seed, which have keys in common. `scale` below 1 makes smaller files for a quick run."""
    writer = FaultWriter(seed)

    def payments(first: int, count: int, payload_bytes: int = 20) -> list[Facts]:
        return [writer.facts(first + number, payload_bytes) for number in range(int(count * scale))]

    known, small, more = payments(0, 1600, 2600), payments(3000, 500), payments(9000, 300)
    # Payments that only events bring.
    unsent = payments(6000, 100)
    written: dict[str, list[bytes]] = {}
    for name, stream, count, pool, again in (
        (BIG_FILE, "receipt", 2400, known, ""), ("receipt-b.jsonl.gz", "receipt", 600, small + known[:100], ""),
        ("receipt-c.jsonl", "receipt", 700, small, ""), ("receipt-d.jsonl.zst", "receipt", 400, small + more, ""),
        ("levelup-a.jsonl", "level_up", 900, [], ""), ("levelup-b.jsonl.gz", "level_up", 600, [], "levelup-a.jsonl"),
        ("gameuser-a.jsonl", "game_user", 700, [], ""),
        ("gameuser-b.jsonl", "game_user", 400, [], "gameuser-a.jsonl"), ("item-a.jsonl", "item", 450, [], ""),
        ("item-b.jsonl.gz", "item", 250, [], "item-a.jsonl"), ("event-a.jsonl", "event", 500, small + unsent, ""),
        ("event-b.jsonl.gz", "event", 300, small + unsent, "event-a.jsonl"),
    ):
        writer.payments = pool
        written[name] = writer.file(stream, int(count * scale), written.get(again, [])[:int(200 * scale)])
    folder.mkdir(parents=True)
    for name, lines in written.items():
        content = joined(lines)
        if name == "gameuser-a.jsonl":
            content = b"\xef\xbb\xbf" + joined(lines, end=b"\r\n")
        elif name == "gameuser-b.jsonl":
            content = content.rstrip(b"\n")
        elif name.endswith(".gz"):
            content = packed(content, members=3 if name.startswith("levelup") else 1)
        elif name.endswith(".zst"):
            if not shutil.which("zstd"):
                continue
            content = subprocess.run(["zstd", "-qc"], input=content, check=True, capture_output=True).stdout
        (folder / name).write_bytes(content)
    return sorted(folder.iterdir())


def joined(lines: list[bytes], end: bytes = b"\n") -> bytes:
    return b"".join(line + end for line in lines)


def packed(content: bytes, members: int) -> bytes:
    """Gzip with this number of concatenated members."""
    size = len(content) // members + 1
    return b"".join(gzip.compress(content[start:start + size], mtime=0) for start in range(0, len(content), size))
