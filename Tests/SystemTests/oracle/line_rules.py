"""The rules for a line of each stream: the row that its fields give, or the reason of its refusal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field as dataclass_field
from typing import Any

import values
from json_lines import Pairs, canonical_json, parse_object, record_members
from masking import digest_of, mask_text, masked_or_none
from streams import COLUMNS, DATA_SPELLINGS, OLD_CATEGORY, SPELLINGS, Row, Spellings
from values import OracleError, Refusal


@dataclass(frozen=True)
class Settings:
    """The loader options that affect parsing; times in epoch milliseconds."""

    # The time of game users and items without one; None stands for the start of the load.
    observed_at: int | None
    # The start of the load.
    now: int
    # The application of lines without one.
    app_id: str = ""
    # The field that holds the record of a line.
    unwrap: str | None = None


class Line:
    """The known fields of a record, each with its spelling in the record.

    Streams with a time of their own keep the first time of the event with the unknown fields.
    """

    def __init__(self, spellings: Spellings, members: Pairs, keeps_event_time: bool = False) -> None:
        self.spellings = spellings
        self.members = members
        self.given: dict[str, list[tuple[str, object]]] = {}
        self.unknown = Pairs()
        self.extra = Pairs()
        names = {name: field for field, spelled in spellings.items() for name in spelled}
        for name, value in members:
            if name not in names:
                self.unknown.append((name, value))
                self.extra.append((name, value))
                continue
            given = self.given.setdefault(names[name], [])
            if names[name] == "event_time" and keeps_event_time and not values.is_absent(value) and (
                    all(values.is_absent(other) for _, other in given)):
                self.extra.append((name, value))
            given.append((name, value))

    def value(self, field: str, rule: Callable[..., Any], *more: object) -> Any:
        """The value of the field. Null and an empty text beside a value are absent; two values refuse the line."""
        found = self.given.get(field) or [(self.spellings[field][0], None)]
        present = [one for one in found if one[1] is not None and (one[1] != "" or rule in EMPTY_IS_WRONG)]
        results = [(name, rule(value, name, *more)) for name, value in present or found[:1]]
        first = results[0][1]
        for name, result in results[1:]:
            if _is_none(result) != _is_none(first):
                raise OracleError("a value that stands for none beside another")
            if result != first:
                names = [one for one, _ in results]
                if len({*names}) > 1 and names != [one for one in self.spellings[field] if one in names]:
                    raise OracleError("a refusal that may name one of several spellings")
                raise Refusal("ambiguous_field", name)
        return first

    def written(self, field: str) -> str:
        """The first value of the field as the record has it."""
        return self.members.written(next(
            index for index, (name, value) in enumerate(self.members)
            if name in self.spellings[field] and not values.is_absent(value)))

    def identifiers(self, *fields: str) -> Row:
        return {field: self.value(field, values.identifier) for field in fields}

    def texts(self, *fields: str) -> Row:
        """Free texts, and whether one of them was repaired."""
        found = {field: self.value(field, values.free_text) for field in fields}
        return {field: text and text.value for field, text in found.items()} | {
            "text_repaired": any(text and text.repaired for text in found.values())}


# Rules for which an empty text is not absent.
EMPTY_IS_WRONG = (values.flag, values.shown_price)


def _is_none(value: object) -> bool:
    return (value.amount if isinstance(value, values.Price) else value) is None


def line_of(stream: str, members: Pairs) -> Line:
    spellings = SPELLINGS[stream]
    # An old name counts only where the line has no category.
    if stream == "event" and all(values.is_absent(value) for name, value in members if name == "category"):
        spellings = spellings | {"category": (*spellings["category"], OLD_CATEGORY)}
    return Line(spellings, members, keeps_event_time=stream in ("receipt", "level_up"))


def row_of_line(line: bytes, stream: str, settings: Settings, unknown: set[str]) -> Row:
    """The row; the unknown names of the line are added to `unknown`, also for a line that is refused."""
    fields = line_of(stream, record_members(line, settings.unwrap))
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
    """The row with the fields without a column, as one canonical text in line order."""
    return _together(row, _kept_json("extra", line.extra or None))


def _kept_json(column: str, value: object) -> Row:
    """A column of JSON without tokens, as canonical text, and whether it was repaired.

    An object is taken member by member. The digest of a member covers its bytes as written, which are known of texts
    and numbers without escapes only.
    """
    if value is None:
        return {column: None}
    if not isinstance(value, Pairs):
        text = _kept_member("", value)
        return {column: text.removeprefix('"":'), "text_repaired": _is_repaired(value)}
    members = [_kept_member(name, member) for name, member in value]
    return {column: "{" + ",".join(members) + "}", "text_repaired": _is_repaired(value)}


def _is_repaired(value: object) -> bool:
    text = canonical_json(value)
    return values.repaired_text(text) != text


def _kept_member(name: str, value: object) -> str:
    name, written = canonical_json(values.repaired_text(name)), canonical_json(value)
    kept = masked_or_none(f"{name}:{values.repaired_text(written)}")
    if kept is not None:
        return kept
    if "\\" in written or isinstance(value, (list, Pairs)):
        raise OracleError("the digest of a member that is written in several ways")
    digest = f'"{digest_of(written.encode())}"'
    return masked_or_none(f"{name}:{digest}") or f'"{digest_of(json.loads(name).encode())}":{digest}'


def _together(*parts: Row) -> Row:
    """The row of all parts, which is repaired where one of them is."""
    row: Row = {}
    for part in parts:
        row |= part
    return row | {"text_repaired": any(part.get("text_repaired") for part in parts)}


# Only the short lines of the fault file-grows break several rules: a receipt's first one is that of its number.


def _price(price: values.Price) -> Row:
    return {"amount_minor": price.amount, "price_raw": price.raw, "price_repaired": price.repaired,
            "price_imprecise": price.imprecise}


def _product_type(line: Line) -> Row:
    kind = line.value("product_type", values.product_type)
    if kind is None:
        return {"product_type": None, "product_type_raw": None}
    return {"product_type": kind.value, "product_type_raw": kind.raw, "text_repaired": kind.repaired}


def _receipt(line: Line, settings: Settings) -> Row:
    payment_seq = line.value("payment_seq", values.mandatory_identifier)
    line.value("event_time", values.event_time, settings.now)
    purchased_at = line.value("purchased_at", values.mandatory_time, settings.now)
    code = line.value("currency", values.currency, purchased_at)
    row = _together({
        "payment_seq": payment_seq, "user_id": line.value("user_id", values.user_id),
        "app_id": line.value("app_id", values.identifier) or settings.app_id,
        "item_seq": line.value("item_seq", values.item_number), "purchased_at": purchased_at, "currency": code,
        "expires_at": line.value("expires_at", values.expiry_time),
        "purchase_token_sha256": line.value("token", values.token_digest),
        **_price(line.value("price", values.price, code)),
        **line.identifiers("gamebase_product_id", "market_item_id", "store_code", "payment_id", "original_payment_id"),
    }, line.texts("payload"), _product_type(line))
    said = line.value("purchase_type", values.purchase_type)
    for name, word in (("is_sandbox", "test"), ("is_promotion", "promotion")):
        row[name] = line.value(name, values.flag)
        if said == word:
            if row[name] is False:
                raise Refusal("ambiguous_field", "purchaseType")
            row[name] = True
    return row


def _level_up(line: Line, settings: Settings) -> Row:
    leveled_up_at = line.value("leveled_up_at", values.mandatory_time, settings.now)
    line.value("event_time", values.event_time, settings.now)
    return {"leveled_up_at": leveled_up_at, **_player(line, settings)}


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
    times = (("line", time), ("option", settings.observed_at), ("load_start", settings.now))
    source, first = next((source, one) for source, one in times if one is not None)
    return {"observed_at": first, "observed_at_source": source}


def _item(line: Line, settings: Settings) -> Row:
    row = _observed(line, settings) | {
        "app_id": line.value("app_id", values.identifier) or settings.app_id,
        "item_seq": line.value("item_seq", values.item_number), "is_active": line.value("is_active", values.flag),
        # No column: only erasures look at it.
        "asked_by": line.value("user", values.optional_user_id),
        **line.identifiers("store_code", "gamebase_product_id", "market_item_id")}
    if (row["gamebase_product_id"], row["market_item_id"], row["item_seq"]) == (None, None, None):
        raise Refusal("missing_field", "gamebaseProductId")
    row["currency"] = line.value("currency", values.shown_currency, row["observed_at"])
    return _together(
        row, _price(line.value("price", values.shown_price, row["currency"])), _product_type(line),
        line.texts("item_name", "localized_price", "localized_title", "localized_description"))


# Events

GROUPS = {
    "loggedOut": "logged_out", "idPRevoked": "idp_revoked", "purchaseUpdated": "purchase",
    **dict.fromkeys(("serverPushAppKickout", "serverPushAppKickoutMessageReceived", "serverPushTransferKickout"),
                    "server_push"),
    **dict.fromkeys(("observerLaunching", "observerNetwork", "observerHeartbeat", "observerWebview",
                     "observerIntrospect"), "observer"),
    **dict.fromkeys(("pushReceivedMessage", "pushClickMessage", "pushClickAction"), "push"),
}
# The names of the iOS constants. Two categories are of Unity only.
CONSTANTS = {f"kTCGB{name[0].upper()}{name[1:]}": name for name in GROUPS if name not in (
    "observerWebview", "observerIntrospect")}
OLD_NAMES = {
    "APPKICKOUT": "serverPushAppKickout", "TRANSFERKICKOUT": "serverPushTransferKickout",
    "LAUNCHING": "observerLaunching", "NETWORK": "observerNetwork", "HEARTBEAT": "observerHeartbeat"}
NEEDS_DATA = ("purchase", "push", "observer", "idp_revoked")


def _event(line: Line, settings: Settings) -> Row:
    category = line.value("category", _category)
    group = GROUPS.get(category.value, "other")
    user = line.value("user_id", values.optional_user_id)
    app = line.value("app_id", values.identifier)
    occurred_at = line.value("event_time", values.mandatory_time, settings.now)
    event_id = line.value("event_id", values.identifier)
    given = line.value("data", _data)
    row: Row = dict.fromkeys(COLUMNS["event"]) | {
        "occurred_at": occurred_at, "app_id": app or settings.app_id,
        "user_id": user, "category": category.value, "category_raw": category.raw, "event_group": group,
        "event_id": event_id or _computed_id(category.value, user, given, line)}
    if given is None:
        if group in NEEDS_DATA:
            raise Refusal("missing_field", "data")
        return row
    if given.members is None and group == "other":
        return _together(row, _kept_json("data", given.value))
    members = given.object_in("data")
    with _within("data"):
        if group == "purchase":
            return row | _purchase(members, settings, user, app)
        if category.value == "pushClickAction":
            typed, rest = _typed_action(members)
        else:
            typed, rest = _typed(members, group)
    return _together(row, typed, _kept_json("data", rest or None))


def _category(value: object, field: str) -> values.Spelled:
    """The category's present name, and the text of the line if it differs."""
    text = values.mandatory_identifier(value, field)
    name = CONSTANTS.get(text, text)
    if field == OLD_CATEGORY:
        name = OLD_NAMES.get(values.ascii_upper(text), name)
    return values.Spelled(name, None if name == text else text)


@dataclass(frozen=True)
class Data:
    """The data of an event, or the message in it. Two objects with the same members in any order are equal."""

    value: object = dataclass_field(compare=False)
    # None for a value that is no object, and no text of one; then the code of a refusal for it.
    members: Pairs | None = dataclass_field(compare=False)
    code: str = dataclass_field(compare=False)
    compared: str

    def object_in(self, field: str) -> Pairs:
        if self.members is None:
            raise Refusal(self.code, field)
        return self.members


def _data(value: object, field: str) -> Data | None:
    if values.is_absent(value):
        return None
    members, code = value if isinstance(value, Pairs) else None, "invalid_event_data"
    if isinstance(value, str):
        try:
            members = parse_object(value)
        except Refusal as refusal:
            code = refusal.code if refusal.code == "nesting_too_deep" else code
    return Data(value, members, code, canonical_json(value if members is None else members, is_ordered=False))


def _computed_id(category: str, user: object, data: Data | None, line: Line) -> str:
    """The digest of the message. It covers the text of a string, and any other value as the line has it."""
    if data is None:
        text = ""
    elif isinstance(data.value, str):
        text = values.repaired_text(data.value)
    else:
        text = line.written("data")
    if masked_or_none(text) is None and data and data.members is not None:
        raise OracleError("the number of an event whose data is masked member by member")
    key = f"{category}\0{user or ''}\0{mask_text(text)}"
    return f"sha256:{hashlib.sha256(key.encode()).hexdigest()}"


@contextmanager
def _within(name: str) -> Iterator[None]:
    """Names the field of a refusal like that of a member of this one."""
    try:
        yield
    except Refusal as refusal:
        raise Refusal(refusal.code, f"{name}.{refusal.field}") from None


def _typed(members: Pairs, group: str) -> tuple[Row, Pairs]:
    """The columns of the members of data, and the members without a column."""
    line = Line(DATA_SPELLINGS.get(group, {}), members)
    parts = [DATA_RULES[column](line, column) for column in line.spellings]
    return _together(*parts), line.unknown


def _typed_action(members: Pairs) -> tuple[Row, Pairs]:
    """The columns of a click on an action, with those of the push in its message."""
    row, rest = _typed(members, "push_action")
    message = row.pop("push")
    if not isinstance(message, Data):
        return row, rest
    inner = message.object_in("message")
    with _within("message"):
        push, left = _typed(inner, "push")
    if left:
        # What is left of the message keeps its place.
        place = next(index for index, (name, value) in enumerate(members)
                     if name == "message" and not values.is_absent(value))
        before = _typed(Pairs(members[:place]), "push_action")[1]
        rest.insert(len(before), ("message", left))
    return _together(row, push), rest


def _by(rule: Callable[..., object]) -> Callable[[Line, str], Row]:
    return lambda line, column: {column: line.value(column, rule)}


def _string_list(value: object, field: str) -> list[str] | None:
    if values.is_absent(value):
        return None
    if type(value) is not list or any(type(one) is not str for one in value):
        raise Refusal("wrong_type", field)
    return value


# By column of the data of events.
DATA_RULES: dict[str, Callable[[Line, str], Row]] = {
    "code": _by(values.event_code), "push_is_foreground": _by(values.flag), "push": _by(_data),
    **dict.fromkeys(("message", "push_title", "push_body", "push_user_text"), Line.texts),
    **dict.fromkeys(("idp_type", "push_id", "push_action_type"), Line.identifiers),
    "auth_mapping_list": lambda line, column: _kept_json(column, line.value(column, _string_list)),
}


def _purchase(members: Pairs, settings: Settings, user: object, app: object) -> Row:
    """The payment of the event, and the row of its receipt under the name `receipt`."""
    carried = Pairs(members)
    for name, value in (("userId", user), ("appId", app)):
        if value is not None and all(other != name or values.is_absent(one) for other, one in members):
            carried.append((name, value))
    line = line_of("receipt", carried)
    receipt = _with_extra(_receipt(line, settings), line)
    return {"payment_seq": receipt["payment_seq"], "receipt": receipt,
            "unknown_in_receipt": {f"data.{name}" for name, _ in line.unknown}}


def owner_of_receipt(line: Line, default_app: str) -> tuple[str, str] | None:
    """The user and the application of the receipt within a line; None if it names neither of its own."""
    category = line.value("category", _category) if any(
        not values.is_absent(value) for _, value in line.given.get("category", ())) else None
    given = line.value("data", _data) if category and GROUPS.get(category.value) == "purchase" else None
    if given is None:
        return None
    members = given.object_in("data")
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
