"""The lines of a rich history, for a scene of the report test: each number gives one line, the same every day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from data import Record as Line


class History:
    """Two applications, many users and a month: purchases of all kinds, subscriptions, levels, items, events."""

    HOUR = 3_600_000

    def __init__(self, today: datetime) -> None:
        first = (today.replace(day=1) - timedelta(days=100)).replace(day=20)
        self.start = int(first.timestamp()) * 1000
        # The months from the first one to the present one, so that retention drops the first.
        self.months = (today.year - first.year) * 12 + today.month - first.month

    def time(self, days: float = 0, hours: float = 0) -> int:
        return self.start + int((days * 24 + hours) * self.HOUR)

    @staticmethod
    def price(currency: str, minor: int) -> str:
        digits = {"JPY": 0, "KWD": 3}.get(currency, 2)
        return f"{minor / 10 ** digits:.{digits}f}"

    def purchase(self, n: int, **more: object) -> Line:
        currency = ("USD", "USD", "JPY", "KWD", "USD")[n % 5]
        price = "-1" if n % 11 == 0 else "0" if n % 13 == 0 else self.price(currency, 100 + n * 37 % 977)
        return {
            "paymentSeq": f"p{n}", "appId": "ab"[n % 2], "userId": f"u{n * 7 % 17}", "currency": currency,
            "price": price,
            "gamebaseProductId": ("gem", "pack", None)[n % 3], "storeCode": ("GG", "AS", "GG", None)[n % 4],
            "productType": "CONSUMABLE", "sandboxPayment": {0: True, 1: False}.get(n % 8),
            "promotionPayment": {0: True, 1: False}.get(n % 10),
            "purchaseTime": self.time(hours=n * (9 + 13 / 60))} | more

    def subscription(self, n: int) -> Line:
        bought = n // 6 * 5 * 24 + n * 5
        return {
            "paymentSeq": f"s{n}", "appId": "ab"[n % 2], "userId": f"u{n % 6}", "currency": "USD",
            "price": "0" if n < 7 else "5.00", "gamebaseProductId": "platinum" if n % 7 == 0 else "gold",
            "storeCode": "GG" if n % 3 else "AS", "productType": "AUTO_RENEWABLE",
            "paymentId": {0: f"apple{n}", 1: f"GPA.{n % 6}..{n}"}.get(n % 4),
            "originalPaymentId": f"apple{n % 6}" if n % 4 == 0 else None,
            "purchaseTime": self.time(hours=5 + bought), "expiryTime": self.time(days=5, hours=6 + bought)}

    def character(self, n: int, user: int, **more: object) -> Line:
        return {
            "appId": "ab"[n % 2], "userId": f"u{user}", "channelId": ("x", "y", None)[n % 3],
            "characterId": f"c{n % 3}" if n % 4 == 0 else None} | more

    def level_up(self, n: int, **more: object) -> Line:
        return self.character(
            n, n * 5 % 19, userLevel=1 + n // 8, levelUpTime=self.time(hours=n * 11)) | more

    def snapshot(self, n: int, **more: object) -> Line:
        return self.character(
            n, n * 3 % 21, userLevel=1 + n // 9, classId=("k", "l", None)[n % 3],
            eventTime=None if n % 8 == 0 else self.time(hours=n * 11)) | more

    def event(self, n: int) -> Line:
        push = f"m{n % 4}" if n % 5 else None
        category, data = (
            ("observerLaunching", {"code": 303}), ("observerLaunching", {"code": 200}),
            ("pushReceivedMessage", {"id": push}),
            ("pushClickMessage", {"id": push}),
            ("pushClickAction", {"actionType": ("REPLY", "OPEN_APP", None)[n % 3], "message": {"id": push}}),
            ("idPRevoked", {"code": 600, "idPType": "appleid"}), ("serverPushAppKickoutMessageReceived", None),
            ("serverPushAppKickout", None), ("serverPushTransferKickout", None))[n // 3 % 9]
        return {
            "eventId": f"e{n}", "appId": "ab"[n % 2], "userId": f"u{n % 11}" if n % 7 else None,
            "category": category, "data": data, "eventTime": self.time(hours=n * (3 + 7 / 60))}

    def item(self, n: int, **more: object) -> Line:
        currency = ("USD", "JPY", "USD", None)[n % 4]
        return {
            "appId": "ab"[n % 2], "storeCode": ("GG", "AS", None)[n % 3],
            "gamebaseProductId": ("gem", "pack", None)[n // 3 % 3], "marketItemId": "m",
            "itemSeq": None if n % 5 else n % 2, "currency": currency,
            "price": self.price(currency, 100 + n // 9 * 10) if currency and n % 11 else None,
            "productType": ("CONSUMABLE", None)[n // 20 % 2], "itemName": f"name {n // 30}",
            "isActive": n % 13 > 0, "eventTime": None if n % 9 == 0 else self.time(hours=n * 7)} | more

    def third(self, part: int) -> dict[str, list[Line]]:
        """Every third line of each stream."""
        def numbers(last: int) -> Iterable[int]:
            return (n for n in range(1, last + 1) if n % 3 == part)
        return {
            "receipt": [*map(self.purchase, numbers(60)), *map(self.subscription, numbers(24))],
            "levelup": list(map(self.level_up, numbers(48))), "gameuser": list(map(self.snapshot, numbers(48))),
            "event": list(map(self.event, numbers(135))),
            "item": list(map(self.item, numbers(72)))}
