"""Generates input files; the same seed gives the same bytes.

The files contain good lines in every vendor's spelling, repeated records (in the same file and in others) with
more, fewer and other values, and lines with every common error. Every purchase token contains `MARKER`, which must
appear only in these files.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import shutil
import struct
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

MARKER = "TORTURE-TOKEN"
FIRST_TIME = 1_609_459_200_000  # 2021-01-01
SPAN = 1000 * 86_400 * 150  # five months: five partitions

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
    payload: str | None
    token: str | None
    sandbox: bool | None
    promotion: bool | None
    app: str | None


USERS = [
    "AS@{}", "유저{}", "o'hara-{}", 'q"uote{}', "back\\slash{}", "cafe\u0301{}", "café{}", "-{}",
    "\\N{}",
]
PRICES = {
    "USD": ("4.99", "0.99", "99.99", "131072.01", "19.90"), "EUR": ("5.49", "109.99"),
    "JPY": ("120", "9800", "16777217"), "KRW": ("1200", "119000"), "KWD": ("1.525", "0.305"),
    "TWD": ("33", "170"),
}


class Writer:
    """Writes the lines of one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"data {seed}")
        self.tokens = 0

    def some(self, *choices: object) -> object:
        return self.random.choice(choices)

    def user(self) -> str:
        return self.random.choice(USERS).format(self.random.randrange(60))

    def refused_user(self) -> str:
        """The user of refused lines."""
        return "u1"

    def token(self) -> str:
        self.tokens += 1
        return f"{MARKER}-{self.tokens}-{self.random.getrandbits(64):016x}"

    def time(self) -> int:
        return FIRST_TIME + self.random.randrange(SPAN)

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
            store=choice(["AS", "GG", "ONESTORE"]), currency=currency,
            price=choice(PRICES[currency] + ("-1",)), purchased_at=time,
            expires_at=choice([None, 0, time + 86_400_000 * 30]),
            payment_id=choice([None, f"GPA.{number}"]), payload=payload,
            token=choice([None, self.token(), self.token()]), sandbox=choice([None, True, False]),
            promotion=choice([None, True, False]), app=choice([None, "app-1", None]))

    def less(self, facts: Facts) -> Facts:
        """The same purchase without some of its members."""
        names = (
            "product", "market_item", "item_seq", "product_type", "expires_at", "payment_id",
            "payload", "token", "sandbox", "promotion", "app")
        dropped = self.random.sample(names, 3)
        facts = replace(facts, **{name: None for name in dropped})
        return replace(facts, price="-1") if self.random.random() < 0.2 else facts

    def other(self, facts: Facts) -> Facts:
        """The same payment with other values."""
        change = self.random.randrange(5)
        if change == 0:
            return replace(facts, user=facts.user + "-2")
        if change == 1:
            return replace(facts, purchased_at=facts.purchased_at + 1)
        if change == 2:
            return replace(facts, price="7" if facts.price != "7" else "8")
        if change == 3:
            return replace(facts, store="HUAWEI", payment_id="another")
        return replace(facts, token=self.token(), sandbox=not facts.sandbox)

    def receipt(self, facts: Facts) -> Members:
        """The purchase in the spelling of a random vendor."""
        vendor = self.random.randrange(5)
        members: Members = [("paymentSeq", text(facts.payment_seq))]
        if facts.payment_seq.isdigit() and vendor == 1:
            members = [("paymentSeq", facts.payment_seq)]
        members.append(("userId", text(facts.user)))
        if facts.app is not None or vendor == 2:
            members.append(("appId", text(facts.app or "")))
        server = vendor == 4
        optional = [
            ("gamebaseProductId", facts.product), ("paymentId", facts.payment_id),
            ("marketId" if server else "storeCode", facts.store),
            ("productId" if server else "marketItemId", facts.market_item),
            ("accessToken" if server else "purchaseToken", facts.token),
            ("payload", facts.payload),
        ]
        for name, value in optional:
            if value is not None:
                members.append((name, text(value)))
            elif self.random.random() < 0.3:
                members.append((name, "null"))
        if facts.item_seq is not None:
            number = str(facts.item_seq)
            members.append((
                "productSeq" if server else "itemSeq",
                [number, number + ".0", text(number), number, number][vendor]))
        if facts.product_type is not None:
            spelled = {
                "AUTO_RENEWABLE": ["AUTO_RENEWABLE", "AUTORENEWABLE", "auto renewable",
                                   "Auto-Renewable", "AUTO_SUBSCRIPTION"][vendor],
            }.get(facts.product_type, facts.product_type)
            members.append(("productType", text(spelled)))
        members.append(("currency", text(
            facts.currency.lower() if vendor == 3 else facts.currency)))
        members.append(("price", self.price(facts.price, vendor)))
        members += self.times(facts, vendor)
        members += self.flags(facts, vendor)
        members += self.unknown(secret="paymentToken")
        return members

    def price(self, price: str, vendor: int) -> str:
        if price == "-1":
            return "-1"
        if vendor == 0:  # with the noise of a 32-bit float
            noisy = repr(struct.unpack("<f", struct.pack("<f", float(price)))[0])
            return noisy if "e" not in noisy else price
        return [price, text(price), price + ("0" if "." in price else ".0"), price][vendor - 1]

    def times(self, facts: Facts, vendor: int) -> Members:
        names = ["purchaseTime", "expiryTime"]
        if vendor == 3:
            names = ["purchaseTimeMillis", "expiryTimeMillis"]
        members = []
        for name, time in zip(names, (facts.purchased_at, facts.expires_at)):
            if time is not None:
                members.append((name, self.spelled_time(time, vendor)))
        return members

    def spelled_time(self, time: int, vendor: int) -> str:
        if vendor == 1:
            return f"{time}.0"
        if vendor == 2:
            return text(str(time))
        if vendor == 4 and time > 0:
            return text(self.rfc3339(time))
        return str(time)

    def rfc3339(self, time: int, offset_minutes: int = 540) -> str:
        from datetime import datetime, timezone

        seconds, fraction = divmod(time + offset_minutes * 60_000, 1000)
        moment = datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
        return f"{moment}.{fraction:03}+{offset_minutes // 60:02}:{offset_minutes % 60:02}"

    def flags(self, facts: Facts, vendor: int) -> Members:
        members: Members = []
        if vendor == 3:  # Android writes only the special cases
            if facts.sandbox:
                members.append(("purchaseType", text("Test")))
            elif facts.sandbox is False:
                members.append(("isTestPurchase", "false"))
            if facts.promotion is not None:
                members.append(("isPromotion", str(facts.promotion).lower()))
            return members
        sandbox, promotion = [
            ("sandboxPayment", "promotionPayment"), ("isTestPurchase", "isPromotion"),
            ("bIsTestPurchase", "bIsPromotion"), ("", ""), ("isTestPurchase", "isPromotion"),
        ][vendor]
        for name, value in ((sandbox, facts.sandbox), (promotion, facts.promotion)):
            if value is not None:
                written = str(value).lower()
                forms = [written, written, str(int(value)), "", text(written)]
                members.append((name, forms[vendor]))
        return members

    def unknown(self, secret: str) -> Members:
        choice = self.random.randrange(8)
        if choice == 0:
            return [("newField", '{"a":[1,2.50,null],"b":"\\u00e9"}')]
        if choice == 1:
            return [("sdkVersion", text("2.71.1")), ("newField", "1e5")]
        if choice == 2:
            return [(secret, text(self.token()))]
        if choice == 3:
            return [("nested", '{"deeper":{"' + secret + '":' + text(self.token()) + "}}")]
        if choice == 4:
            return [("repaired", '"a\\u0000b"')]
        return []

    # Players

    def level_up(self, number: int) -> Members:
        members = [
            ("userId", text(self.user())), ("userLevel", str(self.random.randrange(1, 90))),
            ("levelUpTime", self.spelled_time(self.time(), self.random.randrange(5))),
        ]
        members += self.player(number)
        if self.random.random() < 0.2:
            members.append(("eventTime", str(self.time())))
        return members + self.unknown(secret="purchaseToken")

    def game_user(self, number: int) -> Members:
        members = [
            ("userId", text(f"{self.user()}-{number}")),
            ("userLevel", self.random.choice(["0", "7", "20.0", "2e1"])),
        ]
        members += self.player(number)
        if self.random.random() < 0.7:
            members.append(("eventTime", self.spelled_time(self.time(), self.random.randrange(5))))
        return members + self.unknown(secret="accessToken")

    def player(self, number: int) -> Members:
        members: Members = []
        if self.random.random() < 0.4:
            members.append(("appId", text("app-1")))
        if self.random.random() < 0.6:
            members.append(("channelId", self.random.choice(['"s1"', "12"])))
        if self.random.random() < 0.7:
            members.append(("characterId", text(f"c{number % 17}")))
        if self.random.random() < 0.5:
            name = self.random.choice(["classId", "characterClassId"])
            members.append((name, self.random.choice(['"mage"', '"knight"'])))
        return members

    # Items

    def item_key(self, number: int) -> Members:
        return [
            ("gamebaseProductId", text(f"gem_{number}")), ("currency", text(self.random.choice(list(PRICES)))),
            ("eventTime", self.spelled_time(self.time(), self.random.randrange(5))),
            (self.random.choice(["storeCode", "marketId"]), self.random.choice(['"AS"', '"GG"']))]

    def item(self, key: Members, is_other: bool = False) -> Members:
        """The item with some of its values, or with other values."""
        choice = self.random.choice
        currency = next(value for name, value in key if name == "currency").strip('"')
        price = "7" if is_other else PRICES[currency][0]
        members: Members = [
            ("price", "-1" if self.random.random() < 0.2 else self.price(price, self.random.randrange(5))),
            ("productType", '"CONSUMABLE"'), ("itemName", text("other" if is_other else "gems")),
            ("localizedTitle", '"보석 \\u0000"'), ("localizedPrice", text(f"{price} {currency}")),
            ("localizedDescription", choice(['"a bag of gems"', '""'])),
            (choice(["active", "isActive"]), choice(["true", '"1"'])),
        ]
        kept = [members[0], *(one for one in members[1:] if self.random.random() < 0.7)]
        return key + kept + self.unknown(secret="purchaseToken")

    # Events

    def event(self, receipt: Members | None, numbers: range | None) -> Members:
        """The category and the data of an event, with a number of its own or without.

        A receipt makes it a `purchaseUpdated`.
        """
        choice = self.random.choice
        category, data = "purchaseUpdated", receipt
        if receipt is None:
            category, data = choice([
                ("loggedOut", None), ("loggedOut", [("message", '"bye"')]),
                ("loggedOut", [("message", '"bye"'), ("reason", "5")]),
                ("observerNetwork", [("code", choice(["-1", "1"]))]),
                ("observerLaunching", [("code", "200"), ("message", '"ok"')]),
                ("pushReceivedMessage", [("id", '"p1"'), ("title", '"Sale"')]),
                ("pushClickMessage", [("identifier", '"p1"'), ("isForeground", "true")]),
                ("season", [("week", "3")]),
            ])
        members: Members = []
        if category.startswith("observer") and self.random.random() < 0.2:
            members.append(("type", text(category.removeprefix("observer").upper())))
        elif category != "season" and self.random.random() < 0.2:
            members.append(("category", text(f"kTCGB{category[0].upper()}{category[1:]}")))
        else:
            members.append(("category", text(category)))
        if numbers is not None:
            members.append(("eventId", text(f"e{choice(numbers)}")))
        if data is not None:
            json_text = self.ordered(data).decode()
            # The key of an event without a number covers the bytes of an object, which the oracle does not keep.
            is_object = numbers is not None and self.random.random() < 0.5
            members.append(("data", json_text if is_object else text(json_text)))
        return members

    def bad_event(self) -> bytes:
        good: Members = [
            ("userId", text(self.refused_user())), ("category", '"observerNetwork"'),
            ("eventTime", str(self.time())), ("data", '{"code":1}')]
        bad_price = text('{"paymentSeq":"bad","userId":%s,"purchaseTime":%s,"price":-2,"currency":"USD",'
                         '"purchaseToken":"%s"}' % (good[0][1], good[2][1], self.token()))
        changes: list[tuple[str, str | None]] = [
            ("category", None), ("category", "{}"), ("eventTime", None), ("eventTime", "1616649225"),
            ("eventId", "[]"), ("data", None), ("data", '"x"'), ("data", "[]"),
            ("data", '{"code":"1"}'), ("data", '{"code":1.5}'), ("data", '{"message":"m"}'),
            ("data", bad_price),
        ]
        name, value = self.random.choice(changes)
        kept = [member for member in good if member[0] != name]
        if value == bad_price:
            kept[1] = ("category", '"purchaseUpdated"')
        kept.append(("accessToken", text(self.token())))
        return self.line(kept + ([(name, value)] if value is not None else []))

    def line(self, members: Members) -> bytes:
        separator, colon = self.random.choice([(",", ":"), (",", ":"), (", ", ": ")])
        shuffled = members[:]
        if self.random.random() < 0.5:
            self.random.shuffle(shuffled)
        return ("{" + separator.join(f"{text(n)}{colon}{v}" for n, v in shuffled) + "}").encode()

    # Refused lines, each for exactly one reason

    def bad_receipt(self) -> bytes:
        token = ("purchaseToken", text(self.token()))
        good: Members = [
            ("paymentSeq", text(f"99{self.random.getrandbits(40)}")),
            ("userId", text(self.refused_user())),
            ("purchaseTime", str(self.time())), ("price", "4.99"), ("currency", text("USD")), token,
        ]
        changes: list[tuple[str, str | None]] = [
            ("paymentSeq", None), ("paymentSeq", '"  "'), ("paymentSeq", "1.5"),
            ("paymentSeq", '"' + "9" * 513 + '"'), ("paymentSeq", '"a\\u0000"'), ("userId", None),
            ("userId", '"0"'), ("userId", '""'), ("userId", "true"), ("userId", '"\\ud800"'),
            ("purchaseTime", None), ("purchaseTime", "1616649225"),
            ("purchaseTime", "1616649225531000"), ("purchaseTime", "1616649225531000000"),
            ("purchaseTime", "0"), ("purchaseTime", "1616649225531.5"),
            ("purchaseTime", '"2021-03-25T14:13:45"'), ("purchaseTime", '"yesterday"'),
            ("purchaseTime", "946684799999"), ("purchaseTime", '"2021-03-25T14:13:45.1234Z"'),
            ("price", None), ("price", '"4,99"'), ("price", "-2"), ("price", "4.991"),
            ("price", "0.0001"), ("price", "1e30"), ("price", "false"), ("currency", None),
            ("currency", '"ZZZ"'), ("currency", '"XAU"'), ("currency", '"US"'), ("currency", "840"),
            ("itemSeq", "5.5"), ("itemSeq", "9223372036854775808"), ("sandboxPayment", '"yes"'),
            ("isPromotion", '""'), ("purchaseType", '"test"'), ("payload", "5"),
            ("storeCode", "[]"),
        ]
        choice = self.random.randrange(len(changes) + 4)
        if choice >= len(changes):
            pairs: list[Members] = [
                [("storeCode", '"AS"'), ("marketId", '"GG"')],
                [("isTestPurchase", "true"), ("bIsTestPurchase", "0")],
                [("expiryTime", "1616649225531"), ("expiryTimeMillis", "1616649225532")],
                [("itemSeq", "1"), ("productSeq", '"2"')],
            ]
            return self.ordered(good + pairs[choice - len(changes)])
        name, value = changes[choice]
        kept = [member for member in good if member[0] != name]
        return self.line(kept + ([(name, value)] if value is not None else []))

    def ordered(self, members: Members) -> bytes:
        """The line without shuffling: the reject names the second of two spellings."""
        return ("{" + ",".join(f"{text(n)}:{v}" for n, v in members) + "}").encode()

    def bad_player(self, time_name: str) -> bytes:
        good: Members = [
            ("userId", text(self.refused_user())), ("userLevel", "5"), ("channelId", '"s1"')]
        time = (time_name, str(self.time()))
        changes: list[tuple[str, str | None]] = [
            ("userId", None), ("userId", '"0"'), ("userLevel", None), ("userLevel", "5.5"),
            ("userLevel", "-1"), ("userLevel", "2147483648"), ("userLevel", '"5"'),
            (time_name, "1616649225"), (time_name, '"2021-03-25T14:13:45"'), (time_name, "-1"),
            ("channelId", "{}"), ("classId", "1.5"),
        ]
        name, value = self.random.choice(changes)
        kept = [member for member in [*good, time] if member[0] != name]
        kept.append(("purchaseToken", text(self.token())))
        return self.line(kept + ([(name, value)] if value is not None else []))

    def bad_item(self) -> bytes:
        good: Members = [
            ("userId", text(self.refused_user())), ("gamebaseProductId", '"gem"'), ("price", "4.99"),
            ("currency", '"USD"'), ("eventTime", str(self.time()))]
        changes: list[tuple[str, str | None]] = [
            ("gamebaseProductId", None), ("gamebaseProductId", "{}"), ("itemSeq", "1.5"),
            ("storeCode", "[]"), ("currency", None), ("currency", '""'), ("currency", '"ZZZ"'),
            ("currency", '"XAU"'), ("price", '""'), ("price", '"free"'), ("price", "-2"),
            ("price", "4.991"), ("price", "true"), ("productType", "1"), ("itemName", "5"),
            ("active", '"yes"'), ("isActive", '""'), ("eventTime", "1616649225"),
            ("userId", "1.5"), ("userId", '"\\ud800"'),
        ]
        name, value = self.random.choice(changes)
        kept = [member for member in good if member[0] != name]
        kept.append(("purchaseToken", text(self.token())))
        return self.line(kept + ([(name, value)] if value is not None else []))

    def no_record(self) -> bytes:
        """A line that is not a JSON object."""
        token = self.token()
        return self.random.choice([
            b'{"paymentSeq":"cut","purchaseToken":"%s","payload":"ab' % token.encode(),
            b'{"paymentSeq":"comma","accessToken":"%s",}' % token.encode(),
            b'{"paymentSeq":"two","purchaseToken":"%s"} {}' % token.encode(),
            b'{"purchaseToken":"%s","userId":"\xff\xfe"}' % token.encode(),
            b"[1,2,3]", b'"text"', b"null", b"not json at all", b'{"a":01}', b"{'a':1}",
        ])

    def blank(self) -> bytes:
        return self.random.choice([b"", b"   ", b"\t\t"])


@dataclass(frozen=True)
class Dataset:
    """The files of one seed."""

    folder: Path
    names: tuple[str, ...]

    @property
    def paths(self) -> list[Path]:
        return [self.folder / name for name in self.names]


# About six megabytes, more than the loader has in flight, so that a stop happens in the middle of the file.
BIG_FILE = "receipt-a.jsonl"


def make(folder: Path, seed: int, scale: float = 1.0) -> Dataset:
    """Writes the files of a seed. Later files of a stream overlap with its first file.

    `scale` below 1 makes smaller files for a quick run.
    """
    writer = Writer(seed)

    def some(count: int) -> int:
        return int(count * scale)

    folder.mkdir(parents=True)
    shuffle, chance = writer.random.shuffle, writer.random.random
    known = [writer.facts(number, 2600) for number in range(some(2400))]
    small = [writer.facts(3000 + number, 20) for number in range(some(500))]

    def receipts(facts: list[Facts], repeats: list[Facts], bad: int) -> list[bytes]:
        lines = []
        for fact in facts:
            lines.append(writer.line(writer.receipt(fact)))
        later = []
        for fact in repeats:
            change = chance()
            if change < 0.3:
                fact = writer.less(fact)
            elif change < 0.5:
                fact = writer.other(fact)
            later.append(writer.line(writer.receipt(fact)))
        later += [writer.bad_receipt() for _ in range(bad)]
        later += [writer.no_record() for _ in range(5)] + [writer.blank() for _ in range(4)]
        shuffle(later)
        for line in later:
            lines.insert(writer.random.randrange(len(lines) // 2, len(lines) + 1), line)
        return lines

    def players(stream: str, numbers: range, bad: int) -> list[bytes]:
        one = writer.level_up if stream == "levelup" else writer.game_user
        lines = [writer.line(one(number)) for number in numbers]
        lines += writer.random.sample(lines, len(lines) // 8)
        time_name = "levelUpTime" if stream == "levelup" else "eventTime"
        lines += [writer.bad_player(time_name) for _ in range(bad)]
        lines += [writer.no_record() for _ in range(4)] + [writer.blank() for _ in range(3)]
        shuffle(lines)
        return lines

    def items(keys: list[Members], bad: int) -> list[bytes]:
        lines = [writer.line(writer.item(key, is_other=chance() < 0.1)) for key in keys]
        lines += [writer.bad_item() for _ in range(bad)]
        lines += [writer.no_record() for _ in range(4)] + [writer.blank() for _ in range(3)]
        shuffle(lines)
        return lines

    def events(facts: list[Facts], bad: int) -> list[bytes]:
        """Events, some of which bring these receipts."""
        lines = []
        for number, fact in enumerate(facts):
            members: Members = [("eventTime", str(writer.time())), ("userId", text(writer.user()))]
            lines.append(writer.line(members + writer.event(
                writer.receipt(fact), range(number, number + 1) if number % 2 else None)))
            lines.append(writer.line(members + writer.event(None, None)))
        lines += writer.random.sample(lines, len(lines) // 8)
        lines += [writer.bad_event() for _ in range(bad)]
        lines += [writer.no_record() for _ in range(4)] + [writer.blank() for _ in range(3)]
        shuffle(lines)
        return lines

    # Later files fill and contradict the rows of earlier ones.
    partly = [writer.less(fact) for fact in small]
    level_ups, users = players("levelup", range(some(900)), 30), players(
        "gameuser", range(some(700)), 30)
    # Payments that only events bring.
    unsent = [writer.facts(6000 + number, 20) for number in range(some(100))]
    shop = [writer.item_key(number) for number in range(some(500))]
    contents: dict[str, bytes] = {
        BIG_FILE: joined(receipts(known, known[:some(150)], 60)),
        "receipt-b.jsonl.gz": packed(
            joined(receipts(partly, known[some(300):some(420)], 30)), members=1),
        "receipt-c.jsonl": joined(receipts(small[:some(200)], small + known[:40], 30)),
        "levelup-a.jsonl": joined(level_ups),
        "levelup-b.jsonl.gz": packed(
            joined(level_ups[:some(300)] + players(
                "levelup", range(some(900), some(1200)), 10)), members=3),
        "gameuser-a.jsonl": b"\xef\xbb\xbf" + joined(users, end=b"\r\n"),
        "gameuser-b.jsonl": joined(
            users[:some(200)] + players("gameuser", range(some(700), some(900)), 10)).rstrip(b"\n"),
        # Receipts of the other files, and new ones.
        "event-a.jsonl": joined(events(
            small[:some(150)] + unsent, 20)),
        "event-b.jsonl.gz": packed(joined(events(
            [writer.other(fact) for fact in small[some(100):some(200)]]
            + [writer.less(fact) for fact in unsent[:some(60)]], 10)), members=2),
    }
    contents |= {
        "item-a.jsonl": joined(items(shop[:some(400)] + shop[:some(50)], 20)),
        "item-b.jsonl.gz": packed(joined(items(shop[some(250):], 10)), members=1),
    }
    if shutil.which("zstd"):
        plain = joined(receipts(
            [writer.facts(9000 + n, 20) for n in range(some(300))],
            known[some(500):some(560)] + small[:some(60)], 10))
        contents["receipt-d.jsonl.zst"] = subprocess.run(
            ["zstd", "-qc"], input=plain, check=True, capture_output=True).stdout
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return Dataset(folder, tuple(sorted(contents)))


def joined(lines: list[bytes], end: bytes = b"\n") -> bytes:
    return b"".join(line + end for line in lines)


def packed(content: bytes, members: int) -> bytes:
    """Gzip with this number of concatenated members."""
    size = len(content) // members + 1
    out = io.BytesIO()
    for start in range(0, len(content), size):
        out.write(gzip.compress(content[start:start + size], mtime=0))
    return out.getvalue()
