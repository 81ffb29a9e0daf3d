"""The rules for values of lines, written only from docs/data-contract.md.

The rules cover the shapes that `data.py` generates. Any other shape is an `OracleError`, because a guess would make
the oracle as doubtful as the program.
"""

from __future__ import annotations

import hashlib
import re
import struct
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, getcontext

from masking import mask_text


class OracleError(Exception):
    """The oracle has no rule for a shape."""


class Refusal(Exception):
    """The refusal of a line."""

    def __init__(self, code: str, field: str | None) -> None:
        super().__init__(f"{code} {field}")
        self.code = code
        self.field = field


class Number(str):
    """A JSON number, as written in the line."""


# Digits of the minor unit, and the last day of withdrawn codes.
CURRENCIES: dict[str, tuple[int | None, date | None]] = {
    "USD": (2, None), "EUR": (2, None), "JPY": (0, None), "KRW": (0, None), "KWD": (3, None),
    "CLF": (4, None), "TWD": (2, None), "HRK": (2, date(2022, 12, 31)), "XAU": (None, None),
}
NO_CURRENCIES = {"ZZZ", "US", "EURO", "12A"}
GRACE_DAYS = 400
getcontext().prec = 100

DAY = 86_400_000
YEAR_2000 = 946_684_800_000
YEAR_2100 = 4_102_444_800_000

MAX_IDENTIFIER = 512
BLANK = " \t\r\n"

PRODUCT_TYPES = ("UNKNOWN", "CONSUMABLE", "AUTO_RENEWABLE", "CONSUMABLE_AUTO_RENEWABLE")
PRODUCT_TYPE_NAMES = {name: name for name in PRODUCT_TYPES} | {
    "AUTORENEWABLE": "AUTO_RENEWABLE", "AUTO_SUBSCRIPTION": "AUTO_RENEWABLE",
}
FLAGS = {"true": True, "false": False, "1": True, "0": False}

DIGITS = re.compile(r"[0-9]+\Z")
JSON_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?\Z")
RFC3339 = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|[-+]\d\d:\d\d)?\Z")


def is_absent(value: object) -> bool:
    return value is None or value == "" and not isinstance(value, Number)


def given_text(value: object, field: str) -> str | None:
    """The text, or None for an absent one."""
    if is_absent(value):
        return None
    if not isinstance(value, str) or isinstance(value, Number):
        raise Refusal("wrong_type", field)
    return value


def in_range(number: int, low: int, end: int, field: str) -> int:
    if not low <= number < end:
        raise Refusal("integer_out_of_range", field)
    return number


def identifier(value: object, field: str) -> str | None:
    """The text unchanged, or the digits of a whole JSON number."""
    if isinstance(value, Number):
        if "." in value or "e" in value.lower():
            raise Refusal("not_an_integer", field)
        if value.startswith("-"):
            raise Refusal("integer_out_of_range", field)
        text = str(value)
    elif is_absent(value):
        return None
    elif isinstance(value, str):
        text = value
    else:
        raise Refusal("wrong_type", field)
    if "\0" in text or any(0xD800 <= ord(character) < 0xE000 for character in text):
        raise Refusal("invalid_character", field)
    if len(text.encode()) > MAX_IDENTIFIER:
        raise Refusal("identifier_too_long", field)
    return text


def mandatory_identifier(value: object, field: str) -> str:
    text = identifier(value, field)
    if text is None:
        raise Refusal("missing_field", field)
    if not text.strip(BLANK):
        raise Refusal("empty_identifier", field)
    return text


def user_id(value: object, field: str) -> str:
    text = mandatory_identifier(value, field)
    if text == "0":
        raise Refusal("not_logged_in", field)
    return text


def optional_user_id(value: object, field: str) -> str | None:
    """The user, or none; "0" is none."""
    found = identifier(value, field)
    return None if found == "0" else found


def event_code(value: object, field: str) -> int | None:
    if is_absent(value):
        return None
    if not isinstance(value, Number):
        raise Refusal("wrong_type", field)
    return in_range(whole(value, field), -(2**63), 2**63, field)


def whole(value: Number, field: str) -> int:
    """The integer value of a number in any notation."""
    number = Decimal(value)
    if number != number.to_integral_value():
        raise Refusal("not_an_integer", field)
    return int(number)


def item_number(value: object, field: str) -> int | None:
    if is_absent(value):
        return None
    if isinstance(value, Number):
        number = whole(value, field)
    elif isinstance(value, str) and DIGITS.match(value):
        number = int(value)
    else:
        raise OracleError(f"item number {value!r}")
    return in_range(number, -(2**63), 2**63, field)


def level(value: object, field: str) -> int:
    if is_absent(value):
        raise Refusal("missing_field", field)
    if not isinstance(value, Number):
        raise Refusal("wrong_type", field)
    return in_range(whole(value, field), 0, 2**31, field)


def days_since_epoch(year: int, month: int, day: int) -> int:
    return date(year, month, day).toordinal() - date(1970, 1, 1).toordinal()


def time_of_text(text: str, field: str) -> int:
    """Milliseconds of an RFC 3339 text, in integer arithmetic."""
    found = RFC3339.match(text)
    if not found:
        raise Refusal("invalid_time", field)
    year, month, day, hour, minute, second = (int(part) for part in found.groups()[:6])
    if hour > 23 or minute > 59 or second > 59:
        raise Refusal("invalid_time", field)
    if found[8] is None:
        raise Refusal("time_without_zone", field)
    fraction = found[7] or ""
    if fraction[3:].strip("0"):
        raise Refusal("time_too_precise", field)
    offset = 0
    if found[8] != "Z":
        offset = (int(found[8][1:3]) * 60 + int(found[8][4:6])) * (-1 if found[8][0] == "-" else 1)
    seconds = days_since_epoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
    return (seconds - offset * 60) * 1000 + int((fraction[:3] + "000")[:3])


def time_of_number(text: str, field: str, has_sentinels: bool) -> int | None:
    number = Decimal(text)
    if number <= 0:
        if has_sentinels:
            return None
        raise Refusal("time_out_of_range", field)
    first = YEAR_2000 // 1000
    for factor, end, code in (
        (1, 10**10, "time_in_seconds"), (10**6, 10**16, "time_in_microseconds"), (10**9, 10**19, "time_in_nanoseconds"),
    ):
        if first * factor <= number < end:
            raise Refusal(code, field)
    if number != number.to_integral_value():
        raise Refusal("time_too_precise", field)
    return int(number)


def _time(value: object, field: str, latest: int, has_sentinels: bool) -> int | None:
    if is_absent(value):
        return None
    if isinstance(value, Number) or isinstance(value, str) and DIGITS.match(value):
        time = time_of_number(value, field, has_sentinels)
        if time is None:
            return None
    elif isinstance(value, str):
        time = time_of_text(value, field)
    else:
        raise Refusal("wrong_type", field)
    if not YEAR_2000 <= time <= latest:
        raise Refusal("time_out_of_range", field)
    return time


def event_time(value: object, field: str, now: int) -> int | None:
    return _time(value, field, now + DAY, has_sentinels=False)


def mandatory_time(value: object, field: str, now: int) -> int:
    time = event_time(value, field, now)
    if time is None:
        raise Refusal("missing_field", field)
    return time


def expiry_time(value: object, field: str) -> int | None:
    return _time(value, field, YEAR_2100, has_sentinels=True)


def currency(value: object, field: str, purchased_at: int) -> str:
    """The code in upper case; it must be valid on the day of the purchase."""
    text = given_text(value, field)
    if text is None:
        raise Refusal("missing_field", field)
    code = text.upper()
    if code in NO_CURRENCIES:
        raise Refusal("invalid_currency", field)
    if code not in CURRENCIES:
        raise OracleError(f"currency {value!r}")
    minor_unit, last_day = CURRENCIES[code]
    if minor_unit is None:
        raise Refusal("currency_without_minor_unit", field)
    day = purchased_at // DAY + date(1970, 1, 1).toordinal()
    if last_day and day > last_day.toordinal() + GRACE_DAYS:
        raise Refusal("currency_not_valid_at_time", field)
    return code


def shown_currency(value: object, field: str, shown_at: int) -> str | None:
    """The currency of an item, which is optional."""
    return None if is_absent(value) else currency(value, field, shown_at)


@dataclass(frozen=True)
class Price:
    """An amount in the minor unit; None for the vendor's "no price" (-1)."""

    amount: int | None = None
    raw: str | None = None
    repaired: bool = False
    imprecise: bool = False


IMPRECISE_FROM = {0: 16_777_216, 2: 131_072 * 100, 3: 16_384 * 1000, 4: 1024 * 10_000}


def _float32(number: Decimal) -> bytes:
    return struct.pack("<f", float(number))


def price(value: object, field: str, code: str) -> Price:
    """The price by decimal arithmetic on the text of the number; the error of a 32-bit float is rounded off."""
    if is_absent(value):
        raise Refusal("missing_field", field)
    if not isinstance(value, str):
        raise Refusal("wrong_type", field)
    text = str(value)
    if not JSON_NUMBER.match(text):
        raise Refusal("invalid_price", field)
    minor_unit = CURRENCIES[code][0]
    assert minor_unit is not None
    number = Decimal(text)
    if number == -1:
        return Price()
    if number < 0:
        raise Refusal("negative_price", field)
    exact = number.scaleb(minor_unit)
    amount = int(exact.quantize(Decimal(1), rounding=ROUND_HALF_UP))
    if amount >= 2**63 - 1:
        raise Refusal("price_out_of_range", field)
    repaired = exact != amount
    if repaired:
        rounded = Decimal(amount).scaleb(-minor_unit)
        if amount == 0 or _float32(number) != _float32(rounded):
            raise Refusal("price_too_precise", field)
    imprecise = amount >= IMPRECISE_FROM[minor_unit]
    return Price(amount, text if repaired or imprecise else None, repaired, imprecise)


def shown_price(value: object, field: str, code: str | None) -> Price:
    """The price of an item, which is optional; a price other than -1 needs a currency."""
    if value is None:
        return Price()
    if code is not None and value != "":
        return price(value, field, code)
    if not isinstance(value, str):
        raise Refusal("wrong_type", field)
    if not JSON_NUMBER.match(str(value)):
        raise Refusal("invalid_price", field)
    if Decimal(str(value)) != -1:
        raise Refusal("missing_field", "currency")
    return Price()


def product_type(value: object, field: str) -> tuple[str | None, str | None]:
    """One of the four types, and the text of the line if it differs."""
    text = given_text(value, field)
    if text is None:
        return None, None
    name = PRODUCT_TYPE_NAMES.get(text.upper().replace(" ", "_").replace("-", "_"), "UNKNOWN")
    return name, None if name == text else mask_text(text)


def flag(value: object, field: str) -> bool | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in FLAGS:
        return FLAGS[value]
    raise Refusal("invalid_flag", field)


def purchase_type(value: object, field: str) -> str | None:
    text = given_text(value, field)
    if text not in (None, "Test", "Promo", "Promotion"):
        raise Refusal("invalid_purchase_type", field)
    return text and ("test" if text == "Test" else "promotion")


def free_text(value: object, field: str) -> tuple[str | None, bool]:
    """The text without tokens, and whether a NUL or an unpaired surrogate was replaced."""
    text = given_text(value, field)
    if text is None:
        return None, False
    mended = repaired_text(text)
    return mask_text(mended), mended != text


def masked_text(value: object, field: str) -> str | None:
    return free_text(value, field)[0]


def repaired_text(text: str) -> str:
    return re.sub("[\0\ud800-\udfff]", "\ufffd", text)


def token_digest(value: object, field: str) -> bytes | None:
    if is_absent(value):
        return None
    if not isinstance(value, str) or isinstance(value, Number):
        raise OracleError(f"token in {field}")
    return hashlib.sha256(value.encode()).digest()
