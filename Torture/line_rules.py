"""The rules for a line of each stream: the row that its fields give, or the reason of its refusal."""

from __future__ import annotations

from collections.abc import Callable

import values
from json_lines import Pairs, canonical_json, record_members
from masking import mask_extra
from parsed_file import ParsedFile, Settings
from streams import SPELLINGS, Row
from values import OracleError, Refusal


class _Line:
    """The known fields of a line, each with its spelling in the line."""

    def __init__(self, stream: str, members: Pairs) -> None:
        self.given: dict[str, list[tuple[str, object]]] = {}
        self.unknown = Pairs()
        names = {
            name: field for field, spellings in SPELLINGS[stream].items() for name in spellings}
        self.first_names = {field: spellings[0] for field, spellings in SPELLINGS[stream].items()}
        for name, value in members:
            if name in names:
                self.given.setdefault(names[name], []).append((name, value))
            else:
                self.unknown.append((name, value))

    def value(self, field: str, rule: Callable[[object, str], object]) -> object:
        """The value of the field. Two spellings with different values refuse the line."""
        found = self.given.get(field) or [(self.first_names[field], None)]
        if len(found) == 1:
            return rule(found[0][1], found[0][0])
        results = [(name, rule(value, name)) for name, value in found]
        first = next((result for _, result in results if result is not None), None)
        for name, result in results:
            if result is not None and result != first:
                raise Refusal("ambiguous_field", name)
        return first


def row_of_line(line: bytes, number: int, parsed: ParsedFile, settings: Settings) -> Row:
    members = record_members(line, settings.unwrap)
    fields = _Line(parsed.stream, members)
    if fields.unknown:
        parsed.unknown_names[number] = frozenset(name for name, _ in fields.unknown)
    row = _ENCODERS[parsed.stream](fields, settings)
    extra, repaired = _extra(parsed.stream, members)
    row["extra"] = extra
    row["text_repaired"] = bool(row.get("text_repaired")) or repaired
    return row


def _extra(stream: str, members: Pairs) -> tuple[str | None, bool]:
    """The fields without a column, as one canonical text in line order with purchase tokens masked."""
    known = {name for spellings in SPELLINGS[stream].values() for name in spellings}
    if stream != "game_user":
        known.discard("eventTime")
    kept = Pairs(
        (name, value) for name, value in members
        if name not in known and not (name == "eventTime" and values.is_absent(value)))
    if not kept:
        return None, False
    text = canonical_json(kept)
    mended = values.repaired_text(text)
    return mask_extra(mended), mended != text


# No line breaks two rules, so the order of these calls does not matter.


def _receipt(line: _Line, settings: Settings) -> Row:
    row: Row = {
        "payment_seq": line.value("payment_seq", values.mandatory_identifier),
        "user_id": line.value("user_id", values.user_id),
        "app_id": line.value("app_id", values.identifier) or settings.app_id,
        "item_seq": line.value("item_seq", values.item_number),
    }
    for name in (
        "gamebase_product_id", "market_item_id", "store_code", "payment_id", "original_payment_id",
    ):
        row[name] = line.value(name, values.identifier)
    kind = line.value("product_type", values.product_type)
    assert isinstance(kind, tuple)
    row["product_type"], row["product_type_raw"] = kind
    purchased_at = line.value(
        "purchased_at", lambda value, name: values.mandatory_time(value, name, settings.now))
    assert isinstance(purchased_at, int)
    code = line.value("currency", lambda value, name: values.currency(value, name, purchased_at))
    assert isinstance(code, str)
    price = line.value("price", lambda value, name: values.price(value, name, code))
    assert isinstance(price, values.Price)
    row |= {
        "purchased_at": purchased_at, "currency": code, "amount_minor": price.amount,
        "price_raw": price.raw, "price_repaired": price.repaired,
        "price_imprecise": price.imprecise,
        "expires_at": line.value("expires_at", values.expiry_time),
        "purchase_token_sha256": line.value("token", values.token_digest),
    }
    payload = line.value("payload", values.free_text)
    assert isinstance(payload, tuple)
    row["payload"], row["text_repaired"] = payload
    said = line.value("purchase_type", values.purchase_type)
    for name, word in (("is_sandbox", "test"), ("is_promotion", "promotion")):
        value = line.value(name, values.flag)
        if said == word:
            if value is False:
                raise OracleError("a flag against purchaseType")
            value = True
        row[name] = value
    line.value("event_time", lambda value, name: values.event_time(value, name, settings.now))
    return row


def _level_up(line: _Line, settings: Settings) -> Row:
    line.value("event_time", lambda value, name: values.event_time(value, name, settings.now))
    return _player(line, settings) | {
        "leveled_up_at": line.value(
            "leveled_up_at",
            lambda value, name: values.mandatory_time(value, name, settings.now)),
    }


def _game_user(line: _Line, settings: Settings) -> Row:
    time = line.value(
        "event_time", lambda value, name: values.event_time(value, name, settings.now))
    return _player(line, settings) | {
        "observed_at": settings.observed_at if time is None else time,
        "observed_at_source": "option" if time is None else "line",
    }


def _player(line: _Line, settings: Settings) -> Row:
    row: Row = {
        "user_id": line.value("user_id", values.user_id),
        "app_id": line.value("app_id", values.identifier) or settings.app_id,
        "user_level": line.value("user_level", values.level),
    }
    for name in ("channel_id", "character_id", "class_id"):
        row[name] = line.value(name, values.identifier)
    return row


_ENCODERS: dict[str, Callable[[_Line, Settings], Row]] = {
    "receipt": _receipt, "level_up": _level_up, "game_user": _game_user,
}
