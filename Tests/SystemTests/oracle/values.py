"""The rules for values of lines, written only from docs/data-contract.md.

The recorded fixtures check the rules (`test_fixtures.py`). A shape that neither they nor the contract decide is an
`OracleError`, because a guess would make the oracle as doubtful as the program.

A rule takes a value that is given, and what the value depends on. The line names the member of a refused value.
"""

from __future__ import annotations

import functools
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field as dataclass_field
from datetime import date, datetime, timedelta, timezone
from fractions import Fraction
from typing import Any

# The other modules take the error from here.
from masking import OracleError as OracleError
from masking import NOT_STORABLE, digest, mask_text


class Refusal(Exception):
    """The refusal of a line. A rule leaves the field to its caller, unless it is another one than that of the value."""

    def __init__(self, code: str, field: str | None = None) -> None:
        super().__init__(f"{code} {field}")
        self.code = code
        self.field = field


def require(holds: object, code: str, field: str | None = None) -> None:
    """Refuses the line where a condition does not hold."""
    if not holds:
        raise Refusal(code, field)


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

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
DAY = 86_400_000
YEAR_2000 = 946_684_800_000
YEAR_2100 = 4_102_444_800_000

MAX_IDENTIFIER = 512
BLANK = " \t\r\n"

PRODUCT_TYPE_NAMES = {"AUTORENEWABLE": "AUTO_RENEWABLE", "AUTO_SUBSCRIPTION": "AUTO_RENEWABLE"} | {
    name: name for name in ("UNKNOWN", "CONSUMABLE", "AUTO_RENEWABLE", "CONSUMABLE_AUTO_RENEWABLE")}
FLAGS: dict[object, bool] = {True: True, False: False, "true": True, "false": False, "1": True, "0": False}
PURCHASE_TYPES: dict[object, str] = {"Test": "test", "Promo": "promotion", "Promotion": "promotion"}

CURRENCY = re.compile("[A-Za-z]{3}")
DIGITS = re.compile(r"[0-9]+\Z")
JSON_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?\Z")
RFC3339 = re.compile(
    r"(\d{4})-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.(\d+))?(Z|[-+](?:[01]\d|2[0-3]):[0-5]\d)?\Z", re.ASCII)
# Python reads no longer numbers.
MAX_DIGITS = 4_000


def is_absent(value: object) -> bool:
    return value is None or value == ""


def is_text(value: object) -> bool:
    return isinstance(value, str) and not isinstance(value, Number)


def is_number(value: object) -> bool:
    """True for a number, and for its digits in a string."""
    return isinstance(value, Number) or isinstance(value, str) and DIGITS.match(value) is not None


# Numbers


def exact(number: str) -> Fraction:
    """The value of a number. A huge exponent is shortened, which leaves the value beyond all ranges."""
    if len(number) > MAX_DIGITS:
        raise OracleError("a number of thousands of digits")
    digits, _, exponent = number.lower().partition("e")
    limit = len(number) + 100
    return Fraction(digits) * Fraction(10) ** max(-limit, min(int(exponent or 0), limit))


def integer(value: Any, low: int = -(2**63), end: int = 2**63) -> int:
    """The integer value of a number in any notation."""
    require(isinstance(value, Number), "wrong_type")
    number = exact(value)
    require(number.denominator == 1, "not_an_integer")
    require(low <= number < end, "integer_out_of_range")
    return number.numerator


def item_number(value: Any) -> int:
    require(not is_text(value) or is_number(value), "not_an_integer")
    return integer(Number(value) if is_text(value) else value)


level = functools.partial(integer, low=0, end=2**31)


def chosen(value: Any, values: Mapping[object, Any], code: str) -> Any:
    """What a value stands for."""
    require(isinstance(value, (bool, str)) and value in values, code)
    return values[value]


flag = functools.partial(chosen, values=FLAGS, code="invalid_flag")
purchase_type = functools.partial(chosen, values=PURCHASE_TYPES, code="invalid_purchase_type")


# Identifiers


def identifier(value: Any) -> str:
    """The text unchanged, or the digits of a whole JSON number."""
    require(isinstance(value, str), "wrong_type")
    if isinstance(value, Number):
        require(not value.startswith("-"), "integer_out_of_range")
        require(is_number(str(value)), "not_an_integer")
    require(not NOT_STORABLE.search(value), "invalid_character")
    text = mask_text(str(value))
    require(len(text.encode()) <= MAX_IDENTIFIER, "identifier_too_long")
    return text


def full_identifier(value: Any) -> str:
    text = identifier(value)
    require(text.strip(BLANK), "empty_identifier")
    return text


def user_id(value: Any) -> str:
    text = full_identifier(value)
    require(text != "0", "not_logged_in")
    return text


def optional_user_id(value: Any) -> str | None:
    """The user, or none; "0" is none."""
    found = identifier(value)
    return None if found == "0" else found


# Times


def time_of_text(text: str) -> int:
    """Milliseconds of an RFC 3339 text, in integer arithmetic."""
    found = RFC3339.match(text)
    if not found:
        raise Refusal("invalid_time")
    year, fraction, zone = found.groups("")
    if year == "0000":
        raise OracleError("the year 0")
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise Refusal("invalid_time") from None
    require(zone, "time_without_zone")
    require(not fraction[3:].strip("0"), "time_too_precise")
    return (time - EPOCH) // timedelta(milliseconds=1)


def time_of_number(text: str) -> int:
    number = exact(text)
    first = YEAR_2000 // 1000
    for factor, end, unit in ((1, 10**10, "seconds"), (10**6, 10**16, "microseconds"), (10**9, 10**19, "nanoseconds")):
        require(not first * factor <= number < end, f"time_in_{unit}")
    require(number <= 0 or number.denominator == 1, "time_too_precise")
    return number.numerator


def _time(value: Any, latest: int) -> int:
    require(isinstance(value, str), "wrong_type")
    time = (time_of_number if is_number(value) else time_of_text)(str(value))
    require(YEAR_2000 <= time <= latest, "time_out_of_range")
    return time


def event_time(value: Any, now: int) -> int:
    return _time(value, now + DAY)


def expiry_time(value: Any) -> int | None:
    """The time, or none; a number up to 0 is none."""
    return None if is_number(value) and exact(value) <= 0 else _time(value, YEAR_2100)


# Money


def currency(value: Any, at: int) -> str:
    """The code in upper case; it must be valid on the day of the purchase, or of the item."""
    require(is_text(value), "wrong_type")
    code: str = value.upper()
    require(CURRENCY.fullmatch(value) and code not in NO_CURRENCIES, "invalid_currency")
    if code not in MINOR_UNITS:
        raise OracleError(f"the currency {code}")
    require(MINOR_UNITS[code] is not None, "currency_without_minor_unit")
    day = at // DAY + EPOCH.toordinal()
    first, last = FIRST_DAYS.get(code, date.min), LAST_DAYS.get(code, date.max)
    require(first.toordinal() <= day <= last.toordinal() + GRACE_DAYS, "currency_not_valid_at_time")
    return code


def _float32(number: Fraction) -> bytes:
    return struct.pack("<f", float(number))


def price(value: Any, code: str | None) -> Value:
    """The amount in the minor unit, or none for the vendor's "no price" (-1); any other price needs a currency.

    By decimal arithmetic on the text of the number; the error of a 32-bit float is rounded off.
    """
    require(isinstance(value, str), "wrong_type")
    text = str(value)
    require(JSON_NUMBER.match(text), "invalid_price")
    number = exact(text)
    if number == -1:
        return Value(None)
    require(code, "missing_field", "currency")
    require(number >= 0, "negative_price")
    minor_unit = MINOR_UNITS[str(code)]
    assert minor_unit is not None
    scaled = number * 10**minor_unit
    amount = int(scaled + Fraction(1, 2))
    require(amount < 2**63, "price_out_of_range")
    repaired = scaled != amount
    is_same_float = not repaired or amount > 0 and _float32(number) == _float32(Fraction(amount, 10**minor_unit))
    require(is_same_float, "price_too_precise")
    imprecise = amount >= IMPRECISE_FROM[minor_unit]
    return Value(amount, {
        "price_raw": text if repaired or imprecise else None, "price_repaired": repaired, "price_imprecise": imprecise})


# The price of an item, for which an empty text is not absent.
shown_price = functools.partial(price)


# Texts


def repaired_text(text: str) -> str:
    return NOT_STORABLE.sub("\ufffd", text)


def free_text(value: Any) -> Value:
    """The text without tokens, in which U+FFFD replaces NULs and unpaired surrogates."""
    require(is_text(value), "wrong_type")
    mended = repaired_text(value)
    return Value(mask_text(mended), {"text_repaired": mended != value})


def ascii_upper(text: str) -> str:
    """The text in upper case, where only letters of ASCII have cases."""
    return text.upper() if text.isascii() else text


def product_type(value: Any) -> Value:
    """One of the four types, and the text of the line if it differs."""
    text = free_text(value)
    name = PRODUCT_TYPE_NAMES.get(ascii_upper(str(text.value)).replace(" ", "_").replace("-", "_"), "UNKNOWN")
    return Value(name, {"product_type_raw": None if name == text.value else text.value, **text.columns})


def token_digest(value: Any) -> bytes:
    require(is_text(value), "wrong_type")
    require(not NOT_STORABLE.search(value), "invalid_character")
    return bytes.fromhex(digest(value).removeprefix("sha256:"))
