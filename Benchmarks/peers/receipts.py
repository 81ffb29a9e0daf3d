"""Receipts as in a handwritten loader: the row of a line, and the columns of many lines.

The four peers share this module. They fill the columns that need no knowledge of currencies or
secrets; every currency gets two digits, which is wrong for some. `extra` and the original texts stay
NULL.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import orjson

# By name, so that the table may have more columns; with PostgreSQL's types for the tools that need them.
COLUMNS = {
    "payment_seq": "text", "app_id": "text", "user_id": "text", "gamebase_product_id": "text",
    "market_item_id": "text", "item_seq": "int8", "product_type": "text", "store_code": "text",
    "currency": "text", "amount_minor": "int8", "price_repaired": "bool", "price_imprecise": "bool",
    "purchased_at": "timestamptz", "expires_at": "timestamptz", "payment_id": "text",
    "original_payment_id": "text", "payload": "text", "purchase_token_sha256": "bytea",
    "is_sandbox": "bool", "is_promotion": "bool", "text_repaired": "bool",
    "source_file_id": "int8", "line_number": "int8",
}
TYPES = {"CONSUMABLE", "AUTO_RENEWABLE", "CONSUMABLE_AUTO_RENEWABLE"}
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
MERGE = (
    f"insert into game.receipt ({', '.join(COLUMNS)}) select {', '.join(COLUMNS)} from {{staged}} "
    "on conflict do nothing")


def time(*values: Any) -> datetime | None:
    """A time from epoch milliseconds or RFC 3339; 0 and "" are absent."""
    for value in values:
        if value:
            if isinstance(value, str) and not value.isdigit():
                return datetime.fromisoformat(value)
            return EPOCH + timedelta(milliseconds=float(value))
    return None


def row(line: bytes, number: int) -> tuple[Any, ...]:
    """The values in the order of `COLUMNS`."""
    get = orjson.loads(line).get
    token = get("purchaseToken") or get("accessToken")
    sandbox, promotion = get("sandboxPayment"), get("promotionPayment")
    if sandbox is None:
        sandbox = get("isTestPurchase")
        if sandbox is None:
            sandbox = get("bIsTestPurchase")
    if promotion is None:
        promotion = get("isPromotion")
        if promotion is None:
            promotion = get("bIsPromotion")
    kind = get("productType")
    return (
        get("paymentSeq"), get("appId") or "", get("userId"), get("gamebaseProductId"),
        get("marketItemId") or get("productId"), get("itemSeq") or get("productSeq"),
        kind if kind in TYPES else "UNKNOWN", get("storeCode") or get("marketId"),
        get("currency"), round(get("price") * 100), False, False,
        time(get("purchaseTime"), get("purchaseTimeMillis")),
        time(get("expiryTime"), get("expiryTimeMillis")),
        get("paymentId"), get("originalPaymentId"), get("payload"),
        hashlib.sha256(token.encode()).digest() if token else None,
        sandbox, promotion, False, 0, number)


def rows(path: str) -> Iterator[tuple[Any, ...]]:
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            yield row(line, number)
