"""The rules for a line of each stream: the row that its fields give, or the reason of its refusal."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import values
from json_lines import Pairs, canonical_json, parse_object, record_members
from masking import mask_text
from streams import COLUMNS, OLD_CATEGORY, SPELLINGS, Row
from values import OracleError, Refusal


@dataclass(frozen=True)
class Settings:
    """The loader options that affect parsing; times in epoch milliseconds."""

    observed_at: int
    now: int
    # The application of lines without one.
    app_id: str = ""
    # The field that holds the record of a line.
    unwrap: str | None = None


class Line:
    """The known fields of a line, each with its spelling in the line."""

    def __init__(self, stream: str, members: Pairs) -> None:
        self.given: dict[str, list[tuple[str, object]]] = {}
        self.unknown = Pairs()
        names = {name: field for field, spellings in SPELLINGS[stream].items() for name in spellings}
        # An old name counts only where the line has no category.
        self.has_old_category = stream == "event" and not any(
            name == "category" and not values.is_absent(value) for name, value in members)
        if self.has_old_category:
            names[OLD_CATEGORY] = "category"
        self.first_names = {field: spellings[0] for field, spellings in SPELLINGS[stream].items()}
        # eventTime is checked in every stream; those with a time of their own keep it with the unknown fields.
        self.extra = Pairs()
        for name, value in members:
            if name in names:
                self.given.setdefault(names[name], []).append((name, value))
            else:
                self.unknown.append((name, value))
            if name not in names or name == "eventTime" and stream in ("receipt", "level_up") and not (
                    values.is_absent(value)):
                self.extra.append((name, value))

    def value(self, field: str, rule: Callable[..., Any], *more: object) -> Any:
        """The value of the field. Two spellings with different values refuse the line."""
        found = self.given.get(field) or [(self.first_names[field], None)]
        if len(found) == 1:
            return rule(found[0][1], found[0][0], *more)
        results = [(name, rule(value, name, *more)) for name, value in found]
        first = next((result for _, result in results if result is not None), None)
        for name, result in results:
            if result is not None and result != first:
                raise Refusal("ambiguous_field", name)
        return first

    def identifiers(self, *fields: str) -> Row:
        return {field: self.value(field, values.identifier) for field in fields}


def row_of_line(line: bytes, stream: str, settings: Settings, unknown: set[str]) -> Row:
    """The row; the unknown names of the line are added to `unknown`, also for a line that is refused."""
    fields = Line(stream, record_members(line, settings.unwrap))
    unknown |= {name for name, _ in fields.unknown}
    row = _with_extra(_RULES[stream](fields, settings), fields)
    # The receipt within a refused line is not read.
    unknown |= row.pop("unknown_in_receipt", set())  # type: ignore[arg-type]
    return row


def rows_of(stream: str, row: Row) -> list[tuple[str, Row]]:
    """The rows that a line brings: its own, and that of the receipt within it."""
    receipt = row.get("receipt")
    return [(stream, row)] + ([("receipt", receipt)] if isinstance(receipt, dict) else [])


def _with_extra(row: Row, line: Line) -> Row:
    """The row with the fields without a column, as one canonical text in line order with purchase tokens masked."""
    text = canonical_json(line.extra)
    mended = values.repaired_text(text)
    return row | {"extra": mask_text(mended) if line.extra else None,
                  "text_repaired": bool(row.get("text_repaired")) or mended != text}


# Only the short lines of the fault file-grows break several rules: a receipt's first one is that of its number.


def _price(price: values.Price) -> Row:
    return {"amount_minor": price.amount, "price_raw": price.raw, "price_repaired": price.repaired,
            "price_imprecise": price.imprecise}


def _product_type(line: Line) -> Row:
    kind, raw = line.value("product_type", values.product_type)
    return {"product_type": kind, "product_type_raw": raw}


def _receipt(line: Line, settings: Settings) -> Row:
    payment_seq = line.value("payment_seq", values.mandatory_identifier)
    line.value("event_time", values.event_time, settings.now)
    purchased_at = line.value("purchased_at", values.mandatory_time, settings.now)
    code = line.value("currency", values.currency, purchased_at)
    payload, is_repaired = line.value("payload", values.free_text)
    row: Row = {
        "payment_seq": payment_seq, "user_id": line.value("user_id", values.user_id),
        "app_id": line.value("app_id", values.identifier) or settings.app_id,
        "item_seq": line.value("item_seq", values.item_number), "purchased_at": purchased_at, "currency": code,
        "expires_at": line.value("expires_at", values.expiry_time),
        "purchase_token_sha256": line.value("token", values.token_digest), "payload": payload,
        "text_repaired": is_repaired, **_price(line.value("price", values.price, code)), **_product_type(line),
        **line.identifiers("gamebase_product_id", "market_item_id", "store_code", "payment_id", "original_payment_id"),
    }
    said = line.value("purchase_type", values.purchase_type)
    for name, word in (("is_sandbox", "test"), ("is_promotion", "promotion")):
        row[name] = line.value(name, values.flag)
        if said == word:
            if row[name] is False:
                raise OracleError("a flag against purchaseType")
            row[name] = True
    return row


def _level_up(line: Line, settings: Settings) -> Row:
    line.value("event_time", values.event_time, settings.now)
    return _player(line, settings) | {"leveled_up_at": line.value("leveled_up_at", values.mandatory_time, settings.now)}


def _game_user(line: Line, settings: Settings) -> Row:
    return _player(line, settings) | _observed(line, settings)


def _player(line: Line, settings: Settings) -> Row:
    return {
        "user_id": line.value("user_id", values.user_id),
        "app_id": line.value("app_id", values.identifier) or settings.app_id,
        "user_level": line.value("user_level", values.level),
        **line.identifiers("channel_id", "character_id", "class_id")}


def _observed(line: Line, settings: Settings) -> Row:
    time = line.value("event_time", values.event_time, settings.now)
    return {"observed_at": settings.observed_at if time is None else time,
            "observed_at_source": "option" if time is None else "line"}


def _item(line: Line, settings: Settings) -> Row:
    row = _observed(line, settings) | {
        "app_id": line.value("app_id", values.identifier) or settings.app_id,
        "item_seq": line.value("item_seq", values.item_number), "is_active": line.value("is_active", values.flag),
        # No column: only erasures look at it.
        "asked_by": line.value("user", values.optional_user_id), "text_repaired": False, **_product_type(line),
        **line.identifiers("store_code", "gamebase_product_id", "market_item_id")}
    if (row["gamebase_product_id"], row["market_item_id"], row["item_seq"]) == (None, None, None):
        raise Refusal("missing_field", "gamebaseProductId")
    row["currency"] = line.value("currency", values.shown_currency, row["observed_at"])
    row |= _price(line.value("price", values.shown_price, row["currency"]))
    for name in ("item_name", "localized_price", "localized_title", "localized_description"):
        row[name], is_repaired = line.value(name, values.free_text)
        row["text_repaired"] = row["text_repaired"] or is_repaired
    return row


# Events

GROUPS = {
    "loggedOut": "logged_out", "idPRevoked": "idp_revoked", "purchaseUpdated": "purchase",
    "observerLaunching": "observer", "observerNetwork": "observer", "pushReceivedMessage": "push",
    "pushClickMessage": "push",
}
OLD_NAMES = {"launching": "observerLaunching", "network": "observerNetwork"}
NEEDS_DATA = ("purchase", "push", "observer", "idp_revoked")
# The members of the data with a column: by group the member, the column and its rule.
MEMBERS: dict[str, dict[str, tuple[str, Callable[[object, str], object]]]] = {
    "observer": {"code": ("code", values.event_code), "message": ("message", values.masked_text)},
    "logged_out": {"message": ("message", values.masked_text)},
    "push": {"id": ("push_id", values.identifier), "identifier": ("push_id", values.identifier),
             "title": ("push_title", values.masked_text), "body": ("push_body", values.masked_text),
             "isForeground": ("push_is_foreground", values.flag)},
}
# Those that no member of the generated lines gives, too.
COLUMNS_OF_DATA = {
    "code", "message", "idp_type", "auth_mapping_list", "push_id", "push_title", "push_body", "push_is_foreground",
    "push_action_type", "push_user_text", "payment_seq", "data"}


def _event(line: Line, settings: Settings) -> Row:
    name, category = _category(line)
    group = GROUPS.get(category, "other")
    user = line.value("user_id", values.optional_user_id)
    app = line.value("app_id", values.identifier)
    given = _data(line)
    row: Row = dict.fromkeys(COLUMNS_OF_DATA) | {
        "occurred_at": line.value("event_time", values.mandatory_time, settings.now), "app_id": app or settings.app_id,
        "user_id": user, "category": category, "event_group": group, "category_raw": None if category == name else name,
        "event_id": line.value("event_id", values.identifier) or _computed_id(category, user, given)}
    assert set(COLUMNS["event"]) <= {*row, "text_repaired", "extra"}
    if given is None:
        if group in NEEDS_DATA:
            raise Refusal("missing_field", "data")
        return row
    members = _object(given)
    if members is None:
        if group != "other":
            raise Refusal("invalid_event_data", "data")
        return row | {"data": mask_text(canonical_json(given))}
    return row | (_purchase(members, settings, user, app) if group == "purchase" else _typed(members, group))


def _data(line: Line) -> object:
    return line.value("data", lambda value, _: None if values.is_absent(value) else value)


def _category(line: Line) -> tuple[str, str]:
    """The category as the line names it, and its present name."""
    name: str = line.value("category", values.mandatory_identifier)
    constant = name[5:6].lower() + name[6:]
    if name.startswith("kTCGB") and constant in GROUPS:
        return name, constant
    return name, OLD_NAMES.get(name.lower(), name) if line.has_old_category else name


def _computed_id(category: str, user: object, data: object) -> str:
    # Objects in events without a number are written without white space and escapes.
    text = data if isinstance(data, str) else "" if data is None else canonical_json(data)
    key = f"{category}\0{user or ''}\0{mask_text(text)}"
    return f"sha256:{hashlib.sha256(key.encode()).hexdigest()}"


def _object(data: object) -> Pairs | None:
    if isinstance(data, Pairs):
        return data
    return parse_object(data) if isinstance(data, str) else None


def _typed(members: Pairs, group: str) -> Row:
    row: Row = {}
    rest = Pairs()
    for name, value in members:
        column, rule = MEMBERS.get(group, {}).get(name, ("", None))
        if rule is None:
            rest.append((name, value))
        else:
            row[column] = rule(value, f"data.{name}")
    if group == "observer" and row.get("code") is None:
        raise Refusal("missing_field", "data.code")
    return row | {"data": mask_text(canonical_json(rest)) if rest else None}


def _purchase(members: Pairs, settings: Settings, user: object, app: object) -> Row:
    """The payment of the event, and the row of its receipt under the name `receipt`."""
    carried = Pairs(members)
    for name, value in (("userId", user), ("appId", app)):
        if value is not None and all(other != name or values.is_absent(one) for other, one in members):
            carried.append((name, value))
    line = Line("receipt", carried)
    try:
        receipt = _with_extra(_receipt(line, settings), line)
    except Refusal as refusal:
        raise Refusal(refusal.code, f"data.{refusal.field}") from None
    return {"payment_seq": receipt["payment_seq"], "receipt": receipt,
            "unknown_in_receipt": {f"data.{name}" for name, _ in line.unknown}}


def owner_of_receipt(line: Line, default_app: str) -> tuple[str, str] | None:
    """The user and the application of the receipt within a line; None if it names neither of its own."""
    given = _data(line)
    if given is None or GROUPS.get(_category(line)[1]) != "purchase":
        return None
    members = _object(given)
    if members is None:
        raise Refusal("invalid_event_data", "data")
    users = {values.user_id(value, name) for name, value in members if name == "userId" and not values.is_absent(value)}
    apps = [str(value) for name, value in members if name == "appId" and value]
    if not users and apps:
        users = {user for user in [line.value("user_id", values.optional_user_id)] if user}
    if not users:
        return None
    if len(users) > 1:
        raise Refusal("conflicting_fields", "data.userId")
    return users.pop(), apps[0] if apps else str(line.value("app_id", values.identifier) or default_app)


_RULES: dict[str, Callable[[Line, Settings], Row]] = {
    "receipt": _receipt, "level_up": _level_up, "game_user": _game_user, "item": _item, "event": _event}
