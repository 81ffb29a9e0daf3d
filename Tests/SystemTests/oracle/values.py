"""The rules for values of lines, written only from docs/data-contract.md.

The recorded fixtures check the rules (`test_fixtures.py`). A shape that neither they nor the contract decide is an
`OracleError`, because a guess would make the oracle as doubtful as the program.

A rule takes a value that is given, the name of its member, and what the value depends on.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field as dataclass_field
from datetime import date
from fractions import Fraction

# The other modules take the error from here.
from masking import OracleError as OracleError
from masking import digest, mask_text


class Refusal(Exception):
    """The refusal of a line."""

    def __init__(self, code: str, field: str | None) -> None:
        super().__init__(f"{code} {field}")
        self.code = code
        self.field = field


class Number(str):
    """A JSON number, as written in the line."""


@dataclass(frozen=True)
class Value:
    """A value, and the columns that tell how the line has it. Two spellings of one value are equal."""

    value: str | int | None
    columns: dict[str, object] = dataclass_field(default_factory=dict, compare=False)


# The digits of the minor unit; None for codes that name no money. Codes of ISO 4217 that are not here have no rule.
MINOR_UNITS = {
    **dict.fromkeys(("JPY", "KRW"), 0), "KWD": 3, "CLF": 4,
    **dict.fromkeys(
        ("USD", "EUR", "TWD", "HUF", "IDR", "COP", "PKR", "MGA", "SLE", "VED", "VES", "XCG", "HRK", "DEM", "ROL"), 2),
    **dict.fromkeys(("XAU", "XAG", "XDR", "XXX", "XTS")),
}
FIRST_DAYS = {"SLE": date(2022, 4, 1), "VED": date(2021, 10, 1), "VES": date(2018, 8, 20), "XCG": date(2025, 3, 31)}
LAST_DAYS = {"HRK": date(2022, 12, 31), "DEM": date(2002, 3, 31), "ROL": date(2006, 12, 31)}
# Codes that ISO 4217 does not have.
NO_CURRENCIES = {"ZZZ"}
GRACE_DAYS = 400
# By minor unit: the amounts from which a 32-bit float has no room for the smallest coin.
IMPRECISE_FROM = {0: 16_777_216, 2: 131_072 * 100, 3: 16_384 * 1000, 4: 1024 * 10_000}

DAY = 86_400_000
YEAR_2000 = 946_684_800_000
YEAR_2100 = 4_102_444_800_000

MAX_IDENTIFIER = 512
BLANK = " \t\r\n"

PRODUCT_TYPE_NAMES = {"AUTORENEWABLE": "AUTO_RENEWABLE", "AUTO_SUBSCRIPTION": "AUTO_RENEWABLE"} | {
    name: name for name in ("UNKNOWN", "CONSUMABLE", "AUTO_RENEWABLE", "CONSUMABLE_AUTO_RENEWABLE")}
FLAGS = {"true": True, "false": False, "1": True, "0": False}
PURCHASE_TYPES = {"Test": "test", "Promo": "promotion", "Promotion": "promotion"}

CURRENCY = re.compile("[A-Za-z]{3}")
NOT_STORABLE = re.compile("[\0\ud800-\udfff]")
DIGITS = re.compile(r"[0-9]+\Z")
JSON_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?\Z")
RFC3339 = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|([-+])(\d\d):(\d\d))?\Z", re.ASCII)
# Python reads no longer numbers.
MAX_DIGITS = 4_000


def is_absent(value: object) -> bool:
    return value is None or value == ""


def text_of(value: object, field: str) -> str:
    if not isinstance(value, str) or isinstance(value, Number):
        raise Refusal("wrong_type", field)
    return value


# Numbers


def exact(number: str) -> Fraction:
    """The value of a number. A huge exponent is shortened, which leaves the value beyond all ranges."""
    if len(number) > MAX_DIGITS:
        raise OracleError("a number of thousands of digits")
    digits, _, exponent = number.lower().partition("e")
    limit = len(number) + 100
    return Fraction(digits) * Fraction(10) ** max(-limit, min(int(exponent or 0), limit))


def integer(value: object, field: str, low: int = -(2**63), end: int = 2**63) -> int:
    """The integer value of a number in any notation."""
    if not isinstance(value, Number):
        raise Refusal("wrong_type", field)
    number = exact(value)
    if number.denominator != 1:
        raise Refusal("not_an_integer", field)
    if not low <= number < end:
        raise Refusal("integer_out_of_range", field)
    return number.numerator


def item_number(value: object, field: str) -> int:
    if isinstance(value, Number) or not isinstance(value, str):
        return integer(value, field)
    if not DIGITS.match(value):
        raise Refusal("not_an_integer", field)
    return integer(Number(value), field)


def level(value: object, field: str) -> int:
    return integer(value, field, 0, 2**31)


def flag(value: object, field: str) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in FLAGS:
        return FLAGS[value]
    raise Refusal("invalid_flag", field)


# Identifiers


def identifier(value: object, field: str) -> str:
    """The text unchanged, or the digits of a whole JSON number."""
    if not isinstance(value, str):
        raise Refusal("wrong_type", field)
    if isinstance(value, Number) and value.startswith("-"):
        raise Refusal("integer_out_of_range", field)
    if isinstance(value, Number) and not DIGITS.match(value):
        raise Refusal("not_an_integer", field)
    if NOT_STORABLE.search(value):
        raise Refusal("invalid_character", field)
    text = mask_text(str(value))
    if len(text.encode()) > MAX_IDENTIFIER:
        raise Refusal("identifier_too_long", field)
    return text


def full_identifier(value: object, field: str) -> str:
    text = identifier(value, field)
    if not text.strip(BLANK):
        raise Refusal("empty_identifier", field)
    return text


def user_id(value: object, field: str) -> str:
    text = full_identifier(value, field)
    if text == "0":
        raise Refusal("not_logged_in", field)
    return text


def optional_user_id(value: object, field: str) -> str | None:
    """The user, or none; "0" is none."""
    found = identifier(value, field)
    return None if found == "0" else found


# Times


def time_of_text(text: str, field: str) -> int:
    """Milliseconds of an RFC 3339 text, in integer arithmetic."""
    found = RFC3339.match(text)
    if not found:
        raise Refusal("invalid_time", field)
    year, month, day, hour, minute, second = (int(part) for part in found.groups()[:6])
    fraction, zone, sign, offset_hours, offset_minutes = found.groups("")[6:]
    offset = int(offset_hours or 0) * 60 + int(offset_minutes or 0)
    if year == 0:
        raise OracleError("the year 0")
    try:
        days = date(year, month, day).toordinal() - date(1970, 1, 1).toordinal()
    except ValueError:
        raise Refusal("invalid_time", field) from None
    if hour > 23 or minute > 59 or second > 59 or offset >= 24 * 60 or int(offset_minutes or 0) > 59:
        raise Refusal("invalid_time", field)
    if not zone:
        raise Refusal("time_without_zone", field)
    if fraction[3:].strip("0"):
        raise Refusal("time_too_precise", field)
    seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset * (-60 if sign == "-" else 60)
    return seconds * 1000 + int((fraction[:3] + "000")[:3])


def time_of_number(text: str, field: str) -> int:
    number = exact(text)
    first = YEAR_2000 // 1000
    for factor, end, code in (
        (1, 10**10, "time_in_seconds"), (10**6, 10**16, "time_in_microseconds"), (10**9, 10**19, "time_in_nanoseconds"),
    ):
        if first * factor <= number < end:
            raise Refusal(code, field)
    if number > 0 and number.denominator != 1:
        raise Refusal("time_too_precise", field)
    return number.numerator


def _time(value: object, field: str, latest: int) -> int:
    is_number = isinstance(value, Number) or isinstance(value, str) and DIGITS.match(value)
    time = time_of_number(str(value), field) if is_number else time_of_text(text_of(value, field), field)
    if not YEAR_2000 <= time <= latest:
        raise Refusal("time_out_of_range", field)
    return time


def event_time(value: object, field: str, now: int) -> int:
    return _time(value, field, now + DAY)


def expiry_time(value: object, field: str) -> int | None:
    """The time, or none; a number up to 0 is none."""
    if (isinstance(value, Number) or isinstance(value, str) and DIGITS.match(value)) and exact(value) <= 0:
        return None
    return _time(value, field, YEAR_2100)


# Money


def currency(value: object, field: str, at: int) -> str:
    """The code in upper case; it must be valid on the day of the purchase, or of the item."""
    text = text_of(value, field)
    code = text.upper()
    if not CURRENCY.fullmatch(text) or code in NO_CURRENCIES:
        raise Refusal("invalid_currency", field)
    if code not in MINOR_UNITS:
        raise OracleError(f"the currency {code}")
    if MINOR_UNITS[code] is None:
        raise Refusal("currency_without_minor_unit", field)
    day = at // DAY + date(1970, 1, 1).toordinal()
    first, last = FIRST_DAYS.get(code, date.min), LAST_DAYS.get(code, date.max)
    if not first.toordinal() <= day <= last.toordinal() + GRACE_DAYS:
        raise Refusal("currency_not_valid_at_time", field)
    return code


def _float32(number: Fraction) -> bytes:
    return struct.pack("<f", float(number))


def price(value: object, field: str, code: str | None) -> Value:
    """The amount in the minor unit, or none for the vendor's "no price" (-1); any other price needs a currency.

    By decimal arithmetic on the text of the number; the error of a 32-bit float is rounded off.
    """
    if not isinstance(value, str):
        raise Refusal("wrong_type", field)
    text = str(value)
    if not JSON_NUMBER.match(text):
        raise Refusal("invalid_price", field)
    number = exact(text)
    if number == -1:
        return Value(None)
    if code is None:
        raise Refusal("missing_field", "currency")
    if number < 0:
        raise Refusal("negative_price", field)
    minor_unit = MINOR_UNITS[code]
    assert minor_unit is not None
    scaled = number * 10**minor_unit
    amount = int(scaled + Fraction(1, 2))
    if amount >= 2**63:
        raise Refusal("price_out_of_range", field)
    repaired = scaled != amount
    if repaired and (amount == 0 or _float32(number) != _float32(Fraction(amount, 10**minor_unit))):
        raise Refusal("price_too_precise", field)
    imprecise = amount >= IMPRECISE_FROM[minor_unit]
    return Value(amount, {
        "price_raw": text if repaired or imprecise else None, "price_repaired": repaired, "price_imprecise": imprecise})


def shown_price(value: object, field: str, code: str | None) -> Value:
    """The price of an item, for which an empty text is not absent."""
    return price(value, field, code)


# Texts


def repaired_text(text: str) -> str:
    return NOT_STORABLE.sub("\ufffd", text)


def free_text(value: object, field: str) -> Value:
    """The text without tokens, in which U+FFFD replaces NULs and unpaired surrogates."""
    text = text_of(value, field)
    mended = repaired_text(text)
    return Value(mask_text(mended), {"text_repaired": mended != text})


def ascii_upper(text: str) -> str:
    """The text in upper case, where only letters of ASCII have cases."""
    return text.upper() if text.isascii() else text


def product_type(value: object, field: str) -> Value:
    """One of the four types, and the text of the line if it differs."""
    text = free_text(value, field)
    name = PRODUCT_TYPE_NAMES.get(ascii_upper(str(text.value)).replace(" ", "_").replace("-", "_"), "UNKNOWN")
    return Value(name, {"product_type_raw": None if name == text.value else text.value, **text.columns})


def purchase_type(value: object, field: str) -> str:
    if not isinstance(value, str) or value not in PURCHASE_TYPES:
        raise Refusal("invalid_purchase_type", field)
    return PURCHASE_TYPES[value]


def token_digest(value: object, field: str) -> bytes:
    text = text_of(value, field)
    if NOT_STORABLE.search(text):
        raise Refusal("invalid_character", field)
    return bytes.fromhex(digest(text).removeprefix("sha256:"))
