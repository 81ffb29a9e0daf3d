"""The rules for a line of each stream: the row that its fields give, or the reason of its refusal."""

from __future__ import annotations

from collections.abc import Callable

import values
from event_rules import event
from json_lines import Pairs, canonical_json, record_members
from masking import mask_text
from parsed_file import ParsedFile, Settings
from streams import OLD_CATEGORY, SPELLINGS, Row
from values import OracleError, Refusal


class Line:
    """The known fields of a line, each with its spelling in the line."""

    def __init__(self, stream: str, members: Pairs) -> None:
        self.given: dict[str, list[tuple[str, object]]] = {}
        self.unknown = Pairs()
        names = {
            name: field for field, spellings in SPELLINGS[stream].items() for name in spellings}
        # An old name counts only where the line has no category.
        self.has_old_category = stream == "event" and not any(
            name == "category" and not values.is_absent(value) for name, value in members)
        if self.has_old_category:
            names[OLD_CATEGORY] = "category"
        # The text of the category, set by its rule.
        self.category = ""
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
    fields = Line(parsed.stream, members)
    unknown = frozenset(name for name, _ in fields.unknown)
    if unknown:
        parsed.unknown_names[number] = unknown
    row = _with_extra(_ENCODERS[parsed.stream](fields, settings), parsed.stream, members)
    # The receipt within a refused line is not read.
    inner = row.pop("unknown_in_receipt", None)
    if isinstance(inner, list) and inner:
        parsed.unknown_names[number] = unknown | frozenset(inner)
    return row


def _with_extra(row: Row, stream: str, members: Pairs) -> Row:
    extra, repaired = _extra(stream, members)
    row["extra"] = extra
    row["text_repaired"] = bool(row.get("text_repaired")) or repaired
    return row


def _extra(stream: str, members: Pairs) -> tuple[str | None, bool]:
    """The fields without a column, as one canonical text in line order with purchase tokens masked."""
    known = {name for spellings in SPELLINGS[stream].values() for name in spellings}
    if stream not in ("game_user", "item", "event"):
        known.discard("eventTime")
    if stream == "event" and all(
            name != "category" or values.is_absent(value) for name, value in members):
        known.add(OLD_CATEGORY)
    kept = Pairs(
        (name, value) for name, value in members
        if name not in known and not (name == "eventTime" and values.is_absent(value)))
    if not kept:
        return None, False
    text = canonical_json(kept)
    mended = values.repaired_text(text)
    return mask_text(mended), mended != text


EVENT_COLUMNS = (
    "occurred_at", "event_id", "user_id", "category", "category_raw", "event_group", "code",
    "message", "idp_type", "auth_mapping_list", "push_id", "push_title", "push_body",
    "push_is_foreground", "push_action_type", "push_user_text", "payment_seq", "data")

# No line breaks two rules, so the order of these calls does not matter.


def _receipt(line: Line, settings: Settings) -> Row:
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


def _level_up(line: Line, settings: Settings) -> Row:
    line.value("event_time", lambda value, name: values.event_time(value, name, settings.now))
    return _player(line, settings) | {
        "leveled_up_at": line.value(
            "leveled_up_at",
            lambda value, name: values.mandatory_time(value, name, settings.now)),
    }


def _game_user(line: Line, settings: Settings) -> Row:
    time = line.value(
        "event_time", lambda value, name: values.event_time(value, name, settings.now))
    return _player(line, settings) | {
        "observed_at": settings.observed_at if time is None else time,
        "observed_at_source": "option" if time is None else "line",
    }


def _item(line: Line, settings: Settings) -> Row:
    time = line.value(
        "event_time", lambda value, name: values.event_time(value, name, settings.now))
    assert time is None or isinstance(time, int)
    shown_at = settings.observed_at if time is None else time
    row: Row = {
        "observed_at": shown_at, "observed_at_source": "option" if time is None else "line",
        "app_id": line.value("app_id", values.identifier) or settings.app_id,
        "item_seq": line.value("item_seq", values.item_number),
        "is_active": line.value("is_active", values.flag),
        # No column: only erasures look at it.
        "asked_by": line.value("user", values.optional_user_id), "text_repaired": False,
    }
    for name in ("store_code", "gamebase_product_id", "market_item_id"):
        row[name] = line.value(name, values.identifier)
    if (row["gamebase_product_id"], row["market_item_id"], row["item_seq"]) == (None, None, None):
        raise Refusal("missing_field", "gamebaseProductId")
    code = line.value(
        "currency",
        lambda value, name: None if values.is_absent(value) else values.currency(value, name, shown_at))
    assert code is None or isinstance(code, str)
    price = line.value("price", lambda value, name: values.shown_price(value, name, code))
    price = price or values.Price(None, None, False, False)
    assert isinstance(price, values.Price)
    kind = line.value("product_type", values.product_type)
    assert isinstance(kind, tuple)
    row["product_type"], row["product_type_raw"] = kind
    for name in ("item_name", "localized_price", "localized_title", "localized_description"):
        text = line.value(name, values.free_text)
        assert isinstance(text, tuple)
        row[name] = text[0]
        row["text_repaired"] = row["text_repaired"] or text[1]
    return row | {
        "currency": code, "amount_minor": price.amount, "price_raw": price.raw,
        "price_repaired": price.repaired, "price_imprecise": price.imprecise,
    }


def _player(line: Line, settings: Settings) -> Row:
    row: Row = {
        "user_id": line.value("user_id", values.user_id),
        "app_id": line.value("app_id", values.identifier) or settings.app_id,
        "user_level": line.value("user_level", values.level),
    }
    for name in ("channel_id", "character_id", "class_id"):
        row[name] = line.value(name, values.identifier)
    return row


def _receipt_within(members: Pairs, settings: Settings) -> Row:
    """The row of a receipt within an event, whose carrier has added its user and application."""
    return _with_extra(_receipt(Line("receipt", members), settings), "receipt", members)


def _event(line: Line, settings: Settings) -> Row:
    row = event(line, settings, _receipt_within)
    assert set(EVENT_COLUMNS) <= set(row)
    return row


_ENCODERS: dict[str, Callable[[Line, Settings], Row]] = {
    "receipt": _receipt, "level_up": _level_up, "game_user": _game_user, "item": _item,
    "event": _event,
}
