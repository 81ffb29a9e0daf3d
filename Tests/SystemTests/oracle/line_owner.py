"""The owner of a line, by docs/data-contract.md. An erasure deletes and suppresses the lines of their owner."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from data import text
from json_lines import record_members
from line_rules import line_of, owner_of_receipt, rows_of
from parsing import ParsedFile, Reject
from streams import Row
from values import Refusal, optional_user_id, user_id


@dataclass(frozen=True)
class Owner:
    """The owner of a line: one user, or every user that the line names if its user cannot be read."""

    user: str | None
    app: str = ""
    line: bytes = b""

    def is_of(self, user: str, app: str | None) -> bool:
        if self.user is None:
            return _is_named(user, self.line)
        return self.user == user and app in (None, self.app)


def owner_of(parsed: ParsedFile, row: Row | None = None, reject: Reject | None = None) -> Owner:
    if row is not None:
        # The user of an item is not stored, and the empty text is no user.
        return Owner(str(row.get("user_id") or row.get("asked_by") or ""), str(row["app_id"]))
    assert reject is not None
    return _owner_of_line(reject.line_bytes, parsed.stream, parsed.unwrap, parsed.app_id)


def owners_of_row(parsed: ParsedFile, row: Row) -> list[Owner]:
    """The owner of a line, and that of the receipt within it."""
    rows = [one for _, one in rows_of(parsed.stream, row)]
    owners = [(one.get("user_id") or one.get("asked_by"), str(one["app_id"])) for one in rows]
    return [Owner(str(user), app) for user, app in owners if user]


@functools.lru_cache(maxsize=65536)
def _owner_of_line(line: bytes, stream: str, unwrap: str | None, app_id: str) -> Owner:
    try:
        members = record_members(line, unwrap)
        # An item or an event may lack a user.
        users = {user_id(value, name) for name, value in members
                 if name == "userId" and not (stream in ("item", "event") and _is_no_user(value))}
        apps = [str(value) for name, value in members if name == "appId" and value]
        owners = {(user, apps[0] if apps else app_id) for user in users}
        if stream == "event":
            receipt = owner_of_receipt(line_of(stream, members), app_id)
            owners |= set() if receipt is None else {receipt}
        if len(owners) == 1:
            return Owner(*owners.pop())
    except Refusal:
        pass
    return Owner(None, line=line)


def _is_named(user: str, line: bytes) -> bool:
    """True when the line has the user, also in a string, or in a string within a string."""
    once = text(user)
    return any(one.encode() in line for one in (user, once, text(once)[1:-1]))


def _is_no_user(value: object) -> bool:
    return optional_user_id(value, "userId") is None
