"""The rules for event messages, and for the receipts within them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING

import values
from json_lines import Pairs, canonical_json, parse_object
from masking import mask_text
from parsed_file import Settings
from streams import SPELLINGS, Row
from values import Refusal

if TYPE_CHECKING:
    from line_rules import Line

GROUPS = {
    "loggedOut": "logged_out", "idPRevoked": "idp_revoked", "purchaseUpdated": "purchase",
    "observerLaunching": "observer", "observerNetwork": "observer",
    "pushReceivedMessage": "push", "pushClickMessage": "push",
}
OLD_NAMES = {"launching": "observerLaunching", "network": "observerNetwork"}
NEEDS_DATA = ("purchase", "push", "observer", "idp_revoked")
# The members with a column, by group: member, column.
MEMBERS: dict[str, dict[str, str]] = {
    "observer": {"code": "code", "message": "message"},
    "logged_out": {"message": "message"},
    "push": {"id": "push_id", "identifier": "push_id", "title": "push_title", "body": "push_body",
             "isForeground": "push_is_foreground"},
}
COLUMNS = (
    "code", "message", "idp_type", "auth_mapping_list", "push_id", "push_title", "push_body",
    "push_is_foreground", "push_action_type", "push_user_text", "payment_seq", "data")
ReceiptRule = Callable[[Pairs, Settings], Row]


def event(line: Line, settings: Settings, receipt_of: ReceiptRule) -> Row:
    category = _category(line)
    group = GROUPS.get(category, "other")
    user = line.value("user_id", values.optional_user_id)
    app = line.value("app_id", values.identifier)
    row: Row = {
        "occurred_at": line.value(
            "event_time", lambda value, name: values.mandatory_time(value, name, settings.now)),
        "app_id": app or settings.app_id, "user_id": user, "category": category,
        "event_group": group, "category_raw": None if category == line.category else line.category,
    } | {name: None for name in COLUMNS}
    given = line.value("data", lambda value, _: None if values.is_absent(value) else value)
    event_id = line.value("event_id", values.identifier)
    row["event_id"] = event_id or _computed_id(category, user, given)
    if given is None:
        if group in NEEDS_DATA:
            raise Refusal("missing_field", "data")
        return row
    members = _object(given)
    if members is None:
        if group != "other":
            raise Refusal("invalid_event_data", "data")
        row["data"] = mask_text(canonical_json(given))
        return row
    if group == "purchase":
        return row | _purchase(members, settings, receipt_of, user, app)
    return row | _typed(members, group)


def _category(line: Line) -> str:
    name = line.value("category", values.mandatory_identifier)
    assert isinstance(name, str)
    line.category = name
    constant = name[5:6].lower() + name[6:]
    if name.startswith("kTCGB") and constant in GROUPS:
        return constant
    if line.has_old_category and name.lower() in OLD_NAMES:
        return OLD_NAMES[name.lower()]
    return name


def _computed_id(category: str, user: object, data: object) -> str:
    # Objects in events without a number are written without white space and escapes.
    text = data if isinstance(data, str) else "" if data is None else canonical_json(data)
    text = mask_text(text)
    key = f"{category}\0{user or ''}\0{text}"
    return f"sha256:{hashlib.sha256(key.encode()).hexdigest()}"


def _object(data: object) -> Pairs | None:
    if isinstance(data, Pairs):
        return data
    return parse_object(data) if isinstance(data, str) else None


def _typed(members: Pairs, group: str) -> Row:
    row: Row = {}
    rest = Pairs()
    columns = MEMBERS.get(group, {})
    for name, value in members:
        column = columns.get(name)
        if column is None:
            rest.append((name, value))
        elif column == "code":
            row[column] = values.event_code(value, f"data.{name}")
        elif column == "push_is_foreground":
            row[column] = values.flag(value, f"data.{name}")
        elif column == "push_id":
            row[column] = values.identifier(value, f"data.{name}")
        else:
            row[column] = values.free_text(value, f"data.{name}")[0]
    if group == "observer" and row.get("code") is None:
        raise Refusal("missing_field", "data.code")
    row["data"] = mask_text(canonical_json(rest)) if rest else None
    return row


def _purchase(
    members: Pairs, settings: Settings, receipt_of: ReceiptRule, user: object, app: object,
) -> Row:
    """The payment of the event, and the row of its receipt under the name `receipt`."""
    carried = Pairs(members)
    for name, value in (("userId", user), ("appId", app)):
        if value is not None and all(
                other != name or values.is_absent(one) for other, one in members):
            carried.append((name, value))
    try:
        receipt = receipt_of(carried, settings)
    except Refusal as refusal:
        raise Refusal(refusal.code, f"data.{refusal.field}") from None
    known = {name for spellings in SPELLINGS["receipt"].values() for name in spellings}
    unknown = [f"data.{name}" for name, _ in carried if name not in known]
    return {"payment_seq": receipt["payment_seq"], "receipt": receipt, "unknown_in_receipt": unknown}


def owner_of_receipt(line: Line, default_app: str) -> tuple[str, str] | None:
    """The user and the application of the receipt within a line; None if it names neither of its own."""
    given = line.value("data", lambda value, _: None if values.is_absent(value) else value)
    if given is None or GROUPS.get(_category(line)) != "purchase":
        return None
    members = _object(given)
    if members is None:
        raise Refusal("invalid_event_data", "data")
    users = {values.user_id(value, name) for name, value in members
             if name == "userId" and not values.is_absent(value)}
    apps = [str(value) for name, value in members if name == "appId" and value]
    if not users and apps:
        users = {user for user in [line.value("user_id", values.optional_user_id)] if user}
    if not users:
        return None
    if len(users) > 1:
        raise Refusal("conflicting_fields", "data.userId")
    return users.pop(), apps[0] if apps else str(line.value("app_id", values.identifier) or default_app)


def rows_of(stream: str, row: Row) -> list[tuple[str, Row]]:
    """The rows that a line brings: its own, and that of the receipt within it."""
    receipt = row.get("receipt")
    return [(stream, row)] + ([("receipt", receipt)] if isinstance(receipt, dict) else [])
