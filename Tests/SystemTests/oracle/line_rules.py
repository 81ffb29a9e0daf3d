"""The rules for a line of each stream: the row that its fields give, or the reason of its refusal."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field as dataclass_field
from typing import Any

from json_lines import Pairs, canonical_json, parse_object, record_members
from masking import digest_of, mask_text, masked_or_none
from streams import COLUMNS, Row
from values import (
    OracleError, Refusal, Value, ascii_upper, currency, event_time, expiry_time, flag, free_text, full_identifier,
    identifier, integer, is_absent, item_number, level, optional_user_id, price, product_type, purchase_type,
    repaired_text, require, shown_price, token_digest, user_id)


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


class Field:
    """A field of a record: its rule, and its spellings, of which a refusal for a missing field names the first.

    The rule may depend on another column, or on the start of the load (`now`).
    """

    def __init__(self, rule: Callable[..., Any], *spellings: str, needed: bool = False, by: str | None = None) -> None:
        self.rule, self.spellings, self.needed, self.by = rule, spellings, needed, by


Fields = dict[str, Field]
# Rules for which an empty text is not absent.
EMPTY_IS_WRONG = (flag, shown_price)


class Line:
    """The known fields of a record, each with its spelling in the record, and the columns that are read from them.

    Streams with a time of their own keep the first time of the event with the unknown fields.
    """

    def __init__(self, fields: Fields, members: Pairs, now: int = 0, keeps_event_time: bool = False) -> None:
        self.fields, self.members, self.now = fields, members, now
        self.row: Row = {"text_repaired": False}
        self.unknown_in_receipt: set[str] = set()
        # By spelling: the field.
        self.names = {name: field for field, one in fields.items() for name in one.spellings}
        self.given = {field: [one for one in members if self.names.get(one[0]) == field] for field in fields}
        self.unknown = Pairs(one for one in members if one[0] not in self.names)
        time = self.first("event_time") if keeps_event_time else None
        self.extra = Pairs(one for at, one in enumerate(members) if one[0] not in self.names or at == time)

    def first(self, field: str) -> int | None:
        """The place of the field's first value among the members."""
        return next((at for at, (name, value) in enumerate(self.members)
                     if self.names.get(name) == field and not is_absent(value)), None)

    def written(self, field: str) -> str:
        """The field's first value as the record has it."""
        place = self.first(field)
        assert place is not None
        return self.members.written(place)

    def value(self, field: str) -> Any:
        """The value of the field. Null and an empty text beside a value are absent; two values refuse the line."""
        known = self.fields[field]
        more = () if known.by is None else (self.now if known.by == "now" else self.take(known.by),)
        found = self.given[field] or [(known.spellings[0], None)]
        results = [
            (name, _judged(known.rule, name, value, *more)) for name, value in found
            if value is not None and (value != "" or known.rule in EMPTY_IS_WRONG)]
        require(results or not known.needed, "missing_field", found[0][0])
        first = results[0][1] if results else None
        for name, result in results[1:]:
            if _is_none(result) != _is_none(first):
                raise OracleError("a value that stands for none beside another")
            if result != first:
                names = [one for one, _ in results]
                if len({*names}) > 1 and names != [one for one in known.spellings if one in names]:
                    raise OracleError("a refusal that may name one of several spellings")
                raise Refusal("ambiguous_field", name)
        return first

    def take(self, field: str) -> Any:
        """Reads a field into its columns, and returns its value."""
        if field not in self.row:
            found = self.value(field)
            self.add({field: found.value, **found.columns} if isinstance(found, Value) else {field: found})
        return self.row[field]

    def take_all(self) -> None:
        for field in self.fields:
            self.take(field)

    def add(self, columns: Row) -> None:
        """Adds columns; a row is repaired where one of its texts is."""
        self.row |= columns | {"text_repaired": self.row["text_repaired"] or columns.get("text_repaired", False)}


def _judged(rule: Callable[..., Any], name: str, *values: object) -> Any:
    try:
        return rule(*values)
    except Refusal as refusal:
        raise Refusal(refusal.code, refusal.field or name) from None


def _is_none(value: object) -> bool:
    return (value.value if isinstance(value, Value) else value) is None


def line_of(stream: str, members: Pairs, settings: Settings) -> Line:
    fields = FIELDS[stream]
    # An old name counts only where the line has no category.
    if stream == "event" and all(is_absent(value) for name, value in members if name == "category"):
        old = functools.partial(_category, is_old=True)
        fields = fields | {"category": Field(old, "category", "type", needed=True)}
    return Line(fields, members, settings.now, keeps_event_time=stream in ("receipt", "level_up"))


def row_of_line(line: bytes, stream: str, settings: Settings, unknown: set[str]) -> Row:
    """The row; the unknown names of the line are added to `unknown`, also for a line that is refused."""
    fields = line_of(stream, record_members(line, settings.unwrap), settings)
    unknown |= {_shown_name(name) for name, _ in fields.unknown}
    row = _row(stream, fields, settings)
    # The receipt within a refused line is not read.
    unknown |= fields.unknown_in_receipt
    return row


def _shown_name(name: str) -> str:
    """An unknown name in the ledger: the name of a token stays, any other text is kept without tokens."""
    text = repaired_text(name)
    kept = masked_or_none(f"{canonical_json(text)}:null")
    return digest_of(text.encode()) if kept is None else json.loads(kept.removesuffix(":null"), strict=False)


def _row(stream: str, line: Line, settings: Settings) -> Row:
    """The row of a line, in which the fields without a column are one canonical text in line order."""
    if stream == "event":
        _event(line, settings)
    else:
        if stream in ("game_user", "item"):
            _observed(line, settings)
        line.take_all()
    if stream == "receipt":
        _mark(line.row)
    if stream == "item":
        ids = (line.row[name] for name in ("gamebase_product_id", "market_item_id", "item_seq"))
        require(any(one is not None for one in ids), "missing_field", "gamebaseProductId")
    line.add(_kept_json("extra", line.extra or None))
    row = DEFAULTS[stream] | line.row
    return row | {"app_id": row["app_id"] or settings.app_id}


def _observed(line: Line, settings: Settings) -> None:
    times = (("line", line.take("event_time")), ("option", settings.observed_at), ("load_start", settings.now))
    source, first = next((source, one) for source, one in times if one is not None)
    line.add({"observed_at": first, "observed_at_source": source})


def _mark(row: Row) -> None:
    """A type of the purchase is a flag in other words."""
    for name, word in (("is_sandbox", "test"), ("is_promotion", "promotion")):
        if row["purchase_type"] == word:
            require(row[name] is not False, "ambiguous_field", "purchaseType")
            row[name] = True


def rows_of(stream: str, row: Row) -> list[tuple[str, Row]]:
    """The rows that a line brings: its own, and that of the receipt within it."""
    receipt = row.get("receipt")
    return [(stream, row)] + ([("receipt", receipt)] if isinstance(receipt, dict) else [])


def _kept_json(column: str, value: object) -> Row:
    """A column of JSON without tokens, as canonical text, and whether it was repaired.

    An object is taken member by member. The digest of a member covers its bytes as written, which are known of texts
    and numbers without escapes only.
    """
    if value is None:
        return {column: None}
    kept = ("{" + ",".join(_kept_member(name, member) for name, member in value) + "}" if isinstance(value, Pairs)
            else _kept_member("", value).removeprefix('"":'))
    text = canonical_json(value)
    return {column: kept, "text_repaired": repaired_text(text) != text}


def _kept_member(name: str, value: object) -> str:
    name, written = canonical_json(repaired_text(name)), canonical_json(value)
    kept = masked_or_none(f"{name}:{repaired_text(written)}")
    if kept is not None:
        return kept
    if "\\" in written or isinstance(value, (list, Pairs)):
        raise OracleError("the digest of a member that is written in several ways")
    digest = f'"{digest_of(written.encode())}"'
    return masked_or_none(f"{name}:{digest}") or f'"{digest_of(json.loads(name).encode())}":{digest}'


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
# Values of `type`, a spelling of a category that counts only on lines without a category.
OLD_NAMES = {
    "APPKICKOUT": "serverPushAppKickout", "TRANSFERKICKOUT": "serverPushTransferKickout",
    "LAUNCHING": "observerLaunching", "NETWORK": "observerNetwork", "HEARTBEAT": "observerHeartbeat"}
NEEDS_DATA = ("purchase", "push", "observer", "idp_revoked")


def _event(line: Line, settings: Settings) -> None:
    for name in ("category", "occurred_at", "user_id", "app_id", "event_id"):
        line.take(name)
    category, given = line.row["category"], line.value("data")
    group = line.row["event_group"] = GROUPS.get(str(category), "other")
    line.row["event_id"] = line.row["event_id"] or _computed_id(line, given)
    if given is None:
        require(group not in NEEDS_DATA, "missing_field", "data")
        return
    if given.members is None and group == "other":
        line.add(_kept_json("data", given.value))
        return
    with _within("data"):
        if group == "purchase":
            _purchase(line, given.as_object(), settings)
            return
        data = _typed_action(given.as_object()) if category == "pushClickAction" else _typed(given.as_object(), group)
    line.add(data.row)
    line.add(_kept_json("data", data.unknown or None))


def _category(value: object, is_old: bool = False) -> Value:
    """The category's present name, and the text of the line if it differs."""
    text = full_identifier(value)
    name = CONSTANTS.get(text, text)
    if is_old:
        name = OLD_NAMES.get(ascii_upper(text), name)
    return Value(name, {"category_raw": None if name == text else text})


@dataclass(frozen=True)
class Data:
    """The data of an event, or the message in it. An object and the text of one are equal."""

    value: object = dataclass_field(compare=False)
    # None for a value that is no object, and no text of one; then the code of a refusal for it.
    members: Pairs | None = dataclass_field(compare=False)
    code: str = dataclass_field(compare=False)
    compared: str

    def as_object(self) -> Pairs:
        if self.members is None:
            raise Refusal(self.code)
        return self.members


def _data(value: object) -> Data:
    members, code = value if isinstance(value, Pairs) else None, "invalid_event_data"
    if isinstance(value, str):
        try:
            members = parse_object(value)
        except Refusal as refusal:
            code = refusal.code if refusal.code == "nesting_too_deep" else code
    return Data(value, members, code, canonical_json(value if members is None else members))


def _computed_id(line: Line, data: Data | None) -> str:
    """The digest of the message. It covers the text of a string, and any other value as the line has it."""
    text = ""
    if data is not None:
        text = repaired_text(data.value) if isinstance(data.value, str) else line.written("data")
        if masked_or_none(text) is None and data.members is not None:
            raise OracleError("the number of an event whose data is masked member by member")
    return digest_of(f"{line.row['category']}\0{line.row['user_id'] or ''}\0{mask_text(text)}".encode())


@contextmanager
def _within(name: str) -> Iterator[None]:
    """Names the field of a refusal like that of a member of this one."""
    try:
        yield
    except Refusal as refusal:
        raise Refusal(refusal.code, f"{name}.{refusal.field}" if refusal.field else name) from None


def _typed(members: Pairs, group: str) -> Line:
    """The members of data, of which some have a column."""
    line = Line(FIELDS.get(group, {}), members)
    line.take_all()
    return line


def _typed_action(members: Pairs) -> Line:
    """The members of a click on an action, with the columns of the push in its message."""
    line = _typed(members, "push_action")
    message = line.row.pop("push")
    if isinstance(message, Data):
        with _within("message"):
            push = _typed(message.as_object(), "push")
        line.add(push.row)
        # What is left of the message keeps its place.
        place = line.first("push")
        line.unknown = Pairs(
            (name, push.unknown if at == place else value) for at, (name, value) in enumerate(members)
            if name not in line.names or at == place and push.unknown)
    return line


def _string_list(value: Any) -> Value:
    require(type(value) is list and all(type(one) is str for one in value), "wrong_type")
    kept = _kept_json("", value)
    return Value(str(kept.pop("")), kept)


def _purchase(line: Line, members: Pairs, settings: Settings) -> None:
    """The payment of the event, and the row of its receipt under the name `receipt`."""
    carried = Pairs(members)
    for name, value in (("userId", line.row["user_id"]), ("appId", line.row["app_id"])):
        if value is not None and all(other != name or is_absent(one) for other, one in members):
            carried.append((name, value))
    inner = line_of("receipt", carried, settings)
    receipt = _row("receipt", inner, settings)
    line.row |= {"payment_seq": receipt["payment_seq"], "receipt": receipt}
    line.unknown_in_receipt = {f"data.{_shown_name(name)}" for name, _ in inner.unknown}


# The fields


def _plain(rule: Callable[..., Any], *names: str, by: str | None = None) -> Fields:
    """Fields with one spelling, each with the column of its name."""
    return {re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name): Field(rule, name, by=by) for name in names}


COMMON = _plain(identifier, "appId") | _plain(event_time, "eventTime", by="now")
PLAYER = COMMON | _plain(identifier, "channelId", "characterId") | {
    "user_id": Field(user_id, "userId", needed=True), "user_level": Field(level, "userLevel", needed=True),
    "class_id": Field(identifier, "classId", "characterClassId")}
PRODUCT = COMMON | _plain(identifier, "gamebaseProductId") | _plain(product_type, "productType") | {
    "store_code": Field(identifier, "storeCode", "marketId"), "item_seq": Field(item_number, "itemSeq", "productSeq")}
# By stream and column. A field without a column is read all the same, since it may refuse the line.
FIELDS: dict[str, Fields] = {
    # Only the short lines of the fault file-grows break several rules: a receipt's first one is that of its number.
    "receipt": {"payment_seq": Field(full_identifier, "paymentSeq", needed=True)} | PRODUCT | _plain(
        identifier, "paymentId", "originalPaymentId") | _plain(free_text, "payload") | {
        "user_id": Field(user_id, "userId", needed=True),
        "market_item_id": Field(identifier, "marketItemId", "productId"),
        "purchased_at": Field(event_time, "purchaseTime", "purchaseTimeMillis", needed=True, by="now"),
        "currency": Field(currency, "currency", needed=True, by="purchased_at"),
        "amount_minor": Field(price, "price", needed=True, by="currency"),
        "expires_at": Field(expiry_time, "expiryTime", "expiryTimeMillis"),
        "purchase_token_sha256": Field(token_digest, "purchaseToken", "accessToken"),
        "is_sandbox": Field(flag, "sandboxPayment", "isTestPurchase", "bIsTestPurchase"),
        "is_promotion": Field(flag, "promotionPayment", "isPromotion", "bIsPromotion"),
        "purchase_type": Field(purchase_type, "purchaseType")},
    "level_up": {"leveled_up_at": Field(event_time, "levelUpTime", needed=True, by="now")} | PLAYER,
    "game_user": PLAYER,
    "item": PRODUCT | _plain(identifier, "marketItemId") | _plain(currency, "currency", by="observed_at") | _plain(
        free_text, "itemName", "localizedPrice", "localizedTitle", "localizedDescription") | {
        "amount_minor": Field(shown_price, "price", by="currency"), "is_active": Field(flag, "active", "isActive"),
        # The user of an item is no column: only erasures look at it.
        "asked_by": Field(optional_user_id, "userId")},
    "event": _plain(identifier, "appId", "eventId") | _plain(_data, "data") | {
        "category": Field(_category, "category", needed=True), "user_id": Field(optional_user_id, "userId"),
        "occurred_at": Field(event_time, "eventTime", needed=True, by="now")},
    # The members of the data of events, by group. A click on an action has members of its own, and those of a push in
    # its message.
    "observer": {"code": Field(integer, "code", needed=True), "message": Field(free_text, "message")},
    "idp_revoked": {
        "code": Field(integer, "code", needed=True), "idp_type": Field(identifier, "idPType"),
        "auth_mapping_list": Field(_string_list, "authMappingList")},
    "logged_out": _plain(free_text, "message"),
    "push": {
        "push_id": Field(identifier, "id", "identifier"), "push_title": Field(free_text, "title"),
        "push_body": Field(free_text, "body"), "push_is_foreground": Field(flag, "isForeground")},
    "push_action": {
        "push_action_type": Field(identifier, "actionType"), "push_user_text": Field(free_text, "userText"),
        "push": Field(_data, "message")},
}
DEFAULTS: dict[str, Row] = {
    stream: {name: False if name in ("price_repaired", "price_imprecise") else None for name in columns}
    for stream, columns in COLUMNS.items()}
