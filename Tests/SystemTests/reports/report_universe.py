"""Small input files for the test of the reports: few users, chains of renewals, equal instants, edges of days.

The same seed gives the same bytes. A record occurs in several files, complete, with less, or contradicting.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass

from report_calendar import DAY, HOUR, Calendar, utc

USERS = ("u1", "u2", "u3", "u4", "u5")
APPS = ("game-a", "game-a", "game-b", "")
ZONES = ("UTC", "Asia/Seoul", "America/New_York")
# By currency: prices, of zero, two and three digits.
PRICES = {
    "JPY": ("120", "1000", "16777217"), "USD": ("4.99", "0.99", "10", "4.989999771118164", "131072.01"),
    "KWD": ("1.525", "0.305"), "KRW": ("1200", "5900"),
}
PRODUCTS = ("gem", "month", "year", None)
STORES = ("AS", "GG", None)
LENGTHS = (1, 3, 5, 7, 7, 14, 14, 28, 30, 31, 60, 91, 182, 365)
# From the end of a period to the next purchase.
GAPS = (-2 * DAY, -1000, 0, 0, 0, 3 * DAY, 16 * DAY, 16 * DAY + 1000, 20 * DAY, -40 * DAY)
SPAN = 70 * DAY
# Members that a line can leave out.
OPTIONAL = ("gamebaseProductId", "storeCode", "productType", "expiryTime", "paymentId", "appId",
            "originalPaymentId", "sandboxPayment", "promotionPayment", "classId", "channelId",
            "marketItemId", "itemSeq")

# Members that no stream has a column for.
FIELDS = ("guild", "Guild", "score")

Line = dict[str, object]


@dataclass(frozen=True)
class InputFile:
    name: str
    stream: str
    content: bytes
    options: tuple[str, ...]


def _milliseconds(instant: int) -> int:
    return instant // 1000


def present(members: Line) -> Line:
    """The members with a value."""
    return {name: value for name, value in members.items() if value is not None}


class ReportUniverse:
    def __init__(self, seed: str, now: int) -> None:
        self.random = random.Random(f"report universe {seed}")
        self.start = self._start(now)
        self.moments = self._moments()
        self.count = 0
        self.records: dict[str, list[Line]] = {"receipt": [], "level_up": [], "game_user": [], "item": [], "event": []}
        for _ in range(self.random.randrange(4, 9)):
            self._add_chain()
        for _ in range(self.random.randrange(12, 24)):
            self._add_purchase()
        for _ in range(self.random.randrange(20, 40)):
            self._add_level("level_up")
        for _ in range(self.random.randrange(10, 25)):
            self._add_level("game_user")
        for _ in range(self.random.randrange(10, 30)):
            self._add_item()
        for _ in range(self.random.randrange(15, 40)):
            self._add_event()

    def some(self, *choices: object) -> object:
        return self.random.choice(choices)

    # Times

    def _start(self, now: int) -> int:
        """The begin of the times: before a change of the clock in New York, or anywhere in the last year."""
        york = Calendar("America/New_York")
        if self.random.random() < 0.5:
            for back in range(40, 400):
                instant = now - back * DAY
                day = york.day(instant)
                if york.end(day) - york.start(day) != DAY and self.random.random() < 0.6:
                    return york.start(day) - self.random.randrange(5, 30) * DAY
        return now - SPAN - self.random.randrange(5, 250) * DAY

    def _moments(self) -> list[int]:
        """Instants around the edges of days in all zones; some are a long time before the others."""
        found = []
        for _ in range(9):
            midnight = self.start // DAY * DAY + self.random.randrange(SPAN // DAY) * DAY
            edge = midnight + int(str(self.some(0, -9 * HOUR, 4 * HOUR, 5 * HOUR)))
            found += [edge, edge - 1000, edge + self.random.randrange(DAY) // 1000 * 1000]
        if self.random.random() < 0.2:
            found.append(self.start - self.random.choice([30, 110, 200, 366]) * DAY)
        return found

    def moment(self) -> int:
        return self.random.choice(self.moments)

    # Records

    def _receipt(self, user: str, app: str, at: int, currency: str, price: str, **more: object) -> None:
        members: Line = {
            "paymentSeq": f"{self.random.randrange(10 ** 6):06}", "userId": user, "appId": app,
            "purchaseTime": _milliseconds(at), "currency": currency, "price": price}
        members["sandboxPayment"] = self.random.choice([None, None, False, False, False, False, True])
        members["promotionPayment"] = self.random.choice([None, None, False, False, True])
        self.records["receipt"].append(present(members | present(more)))

    def _price(self, currency: str) -> str:
        return self.random.choice(PRICES[currency])

    def _add_purchase(self) -> None:
        currency = self.random.choice(list(PRICES))
        price = str(self.some(*[self._price(currency)] * 5, "0", "-1"))
        at = self.moment()
        # Some have an expiry without a type of a subscription.
        expires = _milliseconds(at + 30 * DAY) if self.random.random() < 0.15 else None
        self._receipt(
            self.random.choice(USERS), self.random.choice(APPS), at, currency, price,
            gamebaseProductId=self.some(*PRODUCTS), storeCode=self.some(*STORES), expiryTime=expires,
            marketItemId=self.some(None, "com.x.gem"), itemSeq=self.some(None, 5),
            productType=self.some(None, "CONSUMABLE", "GIFT"), paymentId=self.some(None, "x1", "x2"))

    def _add_chain(self) -> None:
        """The receipts of a subscription, linked in one of the ways."""
        way = self.random.choice(["original", "google", "payment", "product", "mixed"])
        number = self.random.randrange(3)
        first_id = f"GPA.{number}" if way in ("google", "mixed") else f"pay-{number}"
        user, app = self.random.choice(USERS), self.random.choice(APPS[:3])
        currency, product = self.random.choice(list(PRICES)), self.random.choice(PRODUCTS[1:])
        store, length = self.some(*STORES), self.random.choice(LENGTHS)
        price = self._price(currency)
        # Early enough for some renewals.
        at = min(self.moment() for _ in range(3))
        end = at
        is_trial = False
        for place in range(self.random.randrange(1, 7)):
            if place:
                at = max(self.start, end + self.random.choice(GAPS))
            if at > self.start + SPAN:
                break
            if place and self.random.random() < 0.22:
                product, length = self.random.choice(PRODUCTS), self.random.choice(LENGTHS)
            end = max(at, end) + length * DAY
            if self.random.random() < 0.08:
                end = at + int(str(self.some(-DAY, 0, DAY)))
            payment, original = self._ids(way, first_id, place)
            # Trials in a row, and one after other periods.
            is_trial = self.random.random() < (0.4 if place == 0 else 0.5 if is_trial else 0.05)
            if self.random.random() < 0.1:
                price = self._price(currency)
            self._receipt(
                user, app, at, currency, "0" if is_trial else str(self.some(
                    *[price] * 9, "-1")),
                gamebaseProductId=product, storeCode=store, expiryTime=_milliseconds(end),
                productType=self.some(*["AUTO_RENEWABLE"] * 9, "CONSUMABLE_AUTO_RENEWABLE", None),
                paymentId=payment, originalPaymentId=original,
                **({} if self.random.random() < 0.4 else {
                    "sandboxPayment": False, "promotionPayment": self.random.random() < 0.1}))

    def _ids(self, way: str, first_id: str, place: int) -> tuple[str | None, str | None]:
        numbered = first_id if place == 0 else f"{first_id}..{place - 1}"
        if way == "google":
            return numbered, None
        if way == "payment":
            return first_id, None
        if way == "original":
            return (first_id if place == 0 else f"{first_id}-{place}"), first_id
        if way == "mixed":
            return self.random.choice([
                (numbered, None), (numbered, first_id), (None, first_id), (None, None), (None, numbered)])
        return None, None

    def _add_level(self, stream: str) -> None:
        members: Line = {
            "userId": self.random.choice(USERS[:4]), "appId": self.random.choice(APPS),
            "userLevel": self.random.randrange(1, 7), "classId": self.some("mage", "monk"),
            "characterId": self.some(None, None, "c1", "c2"), "channelId": self.some(None, "s1", "s2")}
        if self.random.random() < 0.15:
            # The instant of a purchase of the user.
            bought = self.random.choice(self.records["receipt"])
            time = bought["purchaseTime"]
            members |= {"userId": bought["userId"], "appId": bought["appId"]}
        else:
            time = _milliseconds(self.moment())
        if stream == "level_up":
            members["levelUpTime"] = time
        elif self.random.random() < 0.75:
            members["eventTime"] = time
        self.records[stream].append(present(members))

    def _add_item(self) -> None:
        """An item, often of a product that is bought, at a few times and prices."""
        currency = self.random.choice(list(PRICES))
        members: Line = {
            "appId": self.random.choice(APPS), "gamebaseProductId": self.some(*PRODUCTS),
            "marketItemId": self.some("com.x.gem", "com.x.gem", None), "itemSeq": self.some(None, None, 5),
            "storeCode": self.some(*STORES), "isActive": self.some(True, True, False, None),
            "itemName": self.some("a", "b", None), "localizedTitle": self.some("A", None),
            "productType": self.some(None, "CONSUMABLE", "GIFT")}
        if self.random.random() < 0.9:
            members |= {"currency": currency, "price": str(self.some(*[self._price(currency)] * 6, "-1"))}
        if members["gamebaseProductId"] is None and members["marketItemId"] is None:
            members["itemSeq"] = 7
        if self.random.random() < 0.2:
            # The instant of a purchase.
            members["eventTime"] = self.random.choice(self.records["receipt"])["purchaseTime"]
        elif self.random.random() < 0.8:
            members["eventTime"] = _milliseconds(self.moment())
        self.records["item"].append(present(members))

    def _add_event(self) -> None:
        category, data = self.random.choice([
            ("observerLaunching", {"code": 303}), ("observerLaunching", {"code": 200}),
            ("observerHeartbeat", {"code": 6}), ("observerNetwork", {"code": -1}),
            ("idPRevoked", {"code": 600, "idPType": self.some("appleid", None)}), ("idPRevoked", {"code": 700}),
            ("pushReceivedMessage", {"id": self.some("m1", "m2")}), ("pushClickMessage", {"id": self.some("m1", "m2")}),
            ("pushClickAction", {"actionType": self.some("REPLY", "DISMISS", "OTHER"), "message": {"id": "m1"}}),
            ("serverPushAppKickoutMessageReceived", {}), ("serverPushAppKickout", {}),
            ("serverPushAppKickout", {}), ("serverPushTransferKickout", {}), ("loggedOut", {}), ("newest", {})])
        members: Line = {
            "userId": self.some(*USERS[:4], None), "appId": self.random.choice(APPS), "category": category,
            "eventTime": _milliseconds(self.moment() + self.random.choice([0, 0, HOUR, 23 * HOUR])),
            "data": self.some(data, json.dumps(data)) if data else None,
            "eventId": self.some(None, str(self.random.randrange(10 ** 6)))}
        self.records["event"].append(present(members))

    # Files

    def _line(self, stream: str, record: Line) -> bytes:
        members = dict(record)
        way = self.random.random()
        # Members without a column.
        for name in FIELDS:
            if self.random.random() < 0.3:
                members[name] = self.random.choice(["red", "", 7, 1.5, True, None, {"a": 1}])
        if stream == "event":
            return json.dumps(members).encode()
        if way < 0.2 and stream == "item":
            for name in ("itemName", "productType", "isActive"):
                members.pop(name, None)
        elif way < 0.2:
            for name in self.random.sample(OPTIONAL, 3):
                if name != "appId" or stream == "receipt":
                    members.pop(name, None)
            if stream == "receipt" and self.random.random() < 0.3:
                members["price"] = "-1"
        elif way < 0.3:
            members |= self._contradiction(stream, record)
        return json.dumps(members).encode()

    def _contradiction(self, stream: str, record: Line) -> Line:
        if stream == "item":
            currency = str(record.get("currency", "USD"))
            return self.random.choice([
                {"itemName": "other"}, {"isActive": self.some(True, False)},
                {"currency": currency, "price": self._price(currency)} if currency in PRICES else {}])
        if stream != "receipt":
            return {"classId": "bard", "userLevel": 9 if stream == "game_user" else record["userLevel"]}
        currency = str(record["currency"])
        return self.random.choice([
            {"price": self._price(currency)}, {"sandboxPayment": self.some(True, False)},
            {"promotionPayment": self.some(True, False)}, {"purchaseTime": _milliseconds(self.moment())},
            {"expiryTime": _milliseconds(self.moment() + 40 * DAY)}, {"originalPaymentId": "other"},
            {"gamebaseProductId": "year"}])

    def _bad_line(self, stream: str) -> bytes:
        return self.random.choice([
            b'{"userId":', b'{"userId":"u1"}',
            json.dumps(self.random.choice(self.records[stream]) | {
                "userId": 1.5 if stream in ("item", "event") else "0"}).encode()])

    def file(self, stream: str | None = None) -> InputFile:
        stream = stream or self.random.choice(["receipt", "receipt", "receipt", "level_up", "game_user", "item", "event"])
        self.count += 1
        chosen = self.random.sample(
            self.records[stream], min(len(self.records[stream]), self.random.choice([2, 5, 8, 12, 16, 20, 26])))
        lines = [self._line(stream, record) for record in chosen]
        if self.random.random() < 0.25:
            lines += [self._bad_line(stream) for _ in range(2)]
        self.random.shuffle(lines)
        options = ["--max-rejects", "unlimited"]
        observed_at = self.start
        if stream in ("game_user", "item") and self.random.random() < 0.3:
            observed_at = self.moment()
            options += ["--observed-at", _rfc3339(observed_at)]
        if self.random.random() < 0.1:
            # Lines after this time are refused until a replay.
            options += ["--as-of", _rfc3339(max(self.moment(), observed_at))]
        return InputFile(
            f"{stream.replace('_', '')}-{self.count:03}.jsonl", stream, b"\n".join(lines) + b"\n", tuple(options))

    def rates(self, base: str) -> str:
        """A file of exchange rates of the other currencies; some days have none."""
        first = utc(self.start).date()
        rows = ["currency,valid_on,rate"]
        for currency in [one for one in PRICES if one != base]:
            for _ in range(self.random.randrange(1, 6)):
                day = first.fromordinal(first.toordinal() + self.random.randrange(70))
                row = f"{currency},{day},{self.random.randrange(1, 10 ** 6) / 1000}"
                if not any(other.startswith(f"{currency},{day},") for other in rows):
                    rows.append(row)
        return "\n".join(rows) + "\n"


def _rfc3339(instant: int) -> str:
    return utc(instant).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
