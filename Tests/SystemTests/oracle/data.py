"""Generates the lines of the model tester and of the fault suite, and its files; the same seed gives the same bytes.

The lines are in every vendor's spelling, repeat records with more, fewer and other values, and have every common
error. Every purchase token contains `MARKER`, which must appear only in these files.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import shutil
import struct
import subprocess
from dataclasses import dataclass, fields, replace
from pathlib import Path

MARKER = "TORTURE-TOKEN"
STREAMS = ("receipt", "level_up", "game_user", "item", "event")
TIME_NAMES = {"level_up": "levelUpTime", "game_user": "eventTime", "item": "eventTime", "event": "eventTime"}
APPS = ("", "game-a", "game-b")

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


PRICES = {
    "USD": ("4.99", "0.99", "99.99", "131072.01", "19.90"), "EUR": ("5.49", "109.99"),
    "JPY": ("120", "9800", "16777217"), "KRW": ("1200", "119000"), "KWD": ("1.525", "0.305"), "TWD": ("33", "170"),
}


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
        if stream == "item":
            return self.item_line()
        if stream == "event":
            return self.event_line()
        return self.line(self.receipt(self.purchase())) if stream == "receipt" else self.player_line(stream)

    def wrong_value(self, stream: str) -> bytes:
        if stream == "item":
            return self.bad_item()
        if stream == "event":
            return self.bad_event()
        return self.bad_receipt() if stream == "receipt" else self.bad_player(TIME_NAMES[stream])

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
            payload=payload,
            token=choice([None, self.token(), self.token()]), sandbox=choice([None, True, False]),
            promotion=choice([None, True, False]), app=choice([None, "app-1", None]))

    def less(self, facts: Facts) -> Facts:
        """The same purchase without some of its members."""
        optional = [one.name for one in fields(Facts) if str(one.type).endswith("| None")]
        dropped = self.random.sample(optional, 3)
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
            ("originalPaymentId", facts.original_payment_id),
            ("marketId" if server else "storeCode", facts.store),
            ("productId" if server else "marketItemId", facts.market_item),
            ("accessToken" if server else "purchaseToken", facts.token), ("payload", facts.payload),
        ]
        for name, value in optional:
            if value is not None:
                members.append((name, text(value)))
            elif self.random.random() < 0.3:
                members.append((name, "null"))
        if facts.item_seq is not None:
            number = str(facts.item_seq)
            members.append((
                "productSeq" if server else "itemSeq", [number, number + ".0", text(number), number, number][vendor]))
        if facts.product_type is not None:
            spelled = {
                "AUTO_RENEWABLE": ["AUTO_RENEWABLE", "AUTORENEWABLE", "auto renewable",
                                   "Auto-Renewable", "AUTO_SUBSCRIPTION"][vendor],
            }.get(facts.product_type, facts.product_type)
            members.append(("productType", text(spelled)))
        members.append(("currency", text(facts.currency.lower() if vendor == 3 else facts.currency)))
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

    # Players and items

    def player_line(self, stream: str) -> bytes:
        choice = self.random.choice
        user = self.user()
        members: Members = [
            ("userId", user if user.isdigit() and self.random.random() < 0.5 else text(user)),
            ("userLevel", choice(["3", "4.0"] if stream == "level_up" else ["7", "7", "7", "8e0"])),
            ("channelId", choice(
                ['"s1"', "null", '""', '"s2"' if stream == "game_user" else "null"])),
            ("characterId", choice(["null", '"c1"'])),
            (choice(["classId", "characterClassId"]),
             choice(['"mage"', '"monk"', '"bard"'] if self.random.random() < self.contradicting
                    else ["null", "null", '"mage"', '"mage"', '"monk"'])),
        ]
        app = self.app()
        if app is not None:
            members.append(("appId", text(app)))
        if stream == "level_up" or self.random.random() < 0.8:
            members.append((TIME_NAMES[stream], self.spelled_time(self.time(), self.random.randrange(5))))
        return self.line(members + self.unknown(secret="purchaseToken"))

    def item_line(self) -> bytes:
        choice = self.random.choice
        is_contradicting = self.random.random() < self.contradicting
        members: Members = [
            ("gamebaseProductId", choice(['"gem"', '"gem"', '"pass"', "7"])),
            ("marketItemId", choice(["null", '""', '"com.gem"'])),
            (choice(["itemSeq", "productSeq"]), choice(["null", "7", '"7"'])),
            (choice(["storeCode", "marketId"]), choice(["null", '"AS"', '"AS"', '"GG"'])),
            ("price", choice(["5.99"] if is_contradicting else [
                "4.99", "4.989999771118164", '"4.99"', "-1", "null"])),
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
        app = self.app()
        if app is not None:
            members.append(("appId", text(app)))
        if self.random.random() < 0.8:
            members.append(("eventTime", self.spelled_time(self.time(), self.random.randrange(5))))
        return self.line(members + self.unknown(secret="purchaseToken"))

    # Events

    def event_line(self) -> bytes:
        """An event; half of them bring a receipt."""
        members: Members = [("eventTime", str(self.time()))]
        user = self.random.choice([None, "0", self.user(), self.user()])
        if user is not None:
            members.append(("userId", text(user)))
        app = self.app()
        if app is not None:
            members.append(("appId", text(app)))
        return self.line(members + self.event(
            self.receipt(self.purchase()) if self.random.random() < 0.5 else None,
            range(6) if self.random.random() < 0.5 else None))

    def event(self, receipt: Members | None, numbers: range | None) -> Members:
        """The category and the data of an event, with a number of its own or without.

        A receipt makes it a `purchaseUpdated`.
        """
        choice = self.random.choice
        # The number of an event covers what is kept of its data, and the oracle has no rule for it without this text.
        category, data = "purchaseUpdated", receipt and [one for one in receipt if "PurchaseTOKEN=" not in one[1]]
        if receipt is None:
            category, data = choice([
                ("loggedOut", None), ("loggedOut", [("message", '"bye"')]),
                ("loggedOut", [("message", '"bye"'), ("reason", "5")]),
                ("observerNetwork", [("code", choice(["-1", "1"]))]),
                ("observerLaunching", [("code", "200"), ("message", '"ok"')]),
                ("pushReceivedMessage", [("id", '"p1"'), ("title", '"Sale"')]),
                ("pushClickMessage", [("identifier", '"p1"'), ("isForeground", "true")]), ("season", [("week", "3")]),
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
            # The key of an event without a number tells an object from its text: such events would hardly ever repeat.
            is_object = numbers is not None and self.random.random() < 0.5
            members.append(("data", json_text if is_object else text(json_text)))
        return members

    def bad_event(self) -> bytes:
        good: Members = [
            ("userId", text(self.user())), ("category", '"observerNetwork"'),
            ("eventTime", str(self.time())), ("data", '{"code":1}')]
        bad_price = text('{"paymentSeq":"bad","userId":%s,"purchaseTime":%s,"price":-2,"currency":"USD",'
                         '"purchaseToken":"%s"}' % (good[0][1], good[2][1], self.token()))
        changes: list[tuple[str, str | None]] = [
            ("category", None), ("category", "{}"), ("eventTime", None), ("eventTime", "1616649225"), ("eventId", "[]"),
            ("data", None), ("data", '"x"'), ("data", "[]"), ("data", '{"code":"1"}'), ("data", '{"code":1.5}'),
            ("data", '{"message":"m"}'), ("data", bad_price),
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
            ("paymentSeq", text(f"99{self.random.getrandbits(40)}")), ("userId", text(self.user())),
            ("purchaseTime", str(self.time())), ("price", "4.99"), ("currency", text("USD")), token,
        ]
        changes: list[tuple[str, str | None]] = [
            ("paymentSeq", None), ("paymentSeq", '"  "'), ("paymentSeq", "1.5"), ("paymentSeq", '"' + "9" * 513 + '"'),
            ("paymentSeq", '"a\\u0000"'), ("userId", None), ("userId", '"0"'), ("userId", '""'), ("userId", "true"),
            ("userId", '"\\ud800"'), ("purchaseTime", None), ("purchaseTime", "1616649225"),
            ("purchaseTime", "1616649225531000"), ("purchaseTime", "1616649225531000000"), ("purchaseTime", "0"),
            ("purchaseTime", "1616649225531.5"), ("purchaseTime", '"2021-03-25T14:13:45"'),
            ("purchaseTime", '"yesterday"'), ("purchaseTime", "946684799999"),
            ("purchaseTime", '"2021-03-25T14:13:45.1234Z"'), ("price", None), ("price", '"4,99"'), ("price", "-2"),
            ("price", "4.991"), ("price", "0.0001"), ("price", "1e30"), ("price", "false"), ("currency", None),
            ("currency", '"ZZZ"'), ("currency", '"XAU"'), ("currency", '"US"'), ("currency", "840"), ("itemSeq", "5.5"),
            ("itemSeq", "9223372036854775808"), ("sandboxPayment", '"yes"'), ("isPromotion", '""'),
            ("purchaseType", '"test"'), ("payload", "5"), ("storeCode", "[]"),
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
        good: Members = [("userId", text(self.user())), ("userLevel", "5"), ("channelId", '"s1"')]
        time = (time_name, str(self.time()))
        changes: list[tuple[str, str | None]] = [
            ("userId", None), ("userId", '"0"'), ("userLevel", None), ("userLevel", "5.5"), ("userLevel", "-1"),
            ("userLevel", "2147483648"), ("userLevel", '"5"'), (time_name, "1616649225"),
            (time_name, '"2021-03-25T14:13:45"'), (time_name, "-1"), ("channelId", "{}"), ("classId", "1.5"),
        ]
        name, value = self.random.choice(changes)
        kept = [member for member in [*good, time] if member[0] != name]
        kept.append(("purchaseToken", text(self.token())))
        return self.line(kept + ([(name, value)] if value is not None else []))

    def bad_item(self) -> bytes:
        good: Members = [
            ("userId", text(self.user())), ("gamebaseProductId", '"gem"'), ("price", "4.99"),
            ("currency", '"USD"'), ("eventTime", str(self.time()))]
        changes: list[tuple[str, str | None]] = [
            ("gamebaseProductId", None), ("gamebaseProductId", "{}"), ("itemSeq", "1.5"), ("storeCode", "[]"),
            ("currency", None), ("currency", '""'), ("currency", '"ZZZ"'), ("currency", '"XAU"'), ("price", '""'),
            ("price", '"free"'), ("price", "-2"), ("price", "4.991"), ("price", "true"), ("productType", "1"),
            ("itemName", "5"), ("active", '"yes"'), ("isActive", '""'), ("eventTime", "1616649225"), ("userId", "1.5"),
            ("userId", '"\\ud800"'),
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
    out = io.BytesIO()
    for start in range(0, len(content), size):
        out.write(gzip.compress(content[start:start + size], mtime=0))
    return out.getvalue()
