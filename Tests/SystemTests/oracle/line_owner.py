"""The owner of a line, by docs/data-contract.md. An erasure deletes and suppresses the lines of their owner."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from json_lines import Pairs, record_members
from line_rules import GROUPS, Settings, line_of, rows_of
from parsing import ParsedFile, Reject
from streams import Row
from values import Refusal, is_absent, optional_user_id, require, user_id


@dataclass(frozen=True)
class Owner:
    """The owner of a line: a user, or the empty text, and the application, or None if it names two."""

    user: str
    app: str | None

    def is_of(self, user: str, app: str | None) -> bool:
        return self.user == user and (app is None or self.app in (None, app))


NOBODY = Owner("", "")


@dataclass(frozen=True)
class Owners:
    """The owners that a refused line names, its own and that of the receipt within it.

    Its owner is None where one of them cannot be read, and where they are two users: no erasure can find the line.
    """

    named: tuple[Owner, ...] = ()
    owner: Owner | None = None


def owners_of_row(parsed: ParsedFile, row: Row) -> list[Owner]:
    """The owner of a line, and that of the receipt within it."""
    rows = [one for _, one in rows_of(parsed.stream, row)]
    # The user of an item is not stored.
    owners = [(one.get("user_id") or one.get("asked_by"), str(one["app_id"])) for one in rows]
    return [Owner(str(user), app) for user, app in owners if user]


def owners_of_reject(parsed: ParsedFile, reject: Reject) -> Owners:
    return _owners_of_line(reject.line_bytes, parsed.stream, parsed.settings)


def keeps_bytes(parsed: ParsedFile, reject: Reject) -> bool:
    """True when the line keeps its bytes after an erasure."""
    return parsed.stream != "item" and owners_of_reject(parsed, reject).owner is not None


@functools.lru_cache(maxsize=65536)
def _owners_of_line(line: bytes, stream: str, settings: Settings) -> Owners:
    own = carried = None
    with suppress(Refusal):
        members = record_members(line, settings.unwrap)
        with suppress(Refusal):
            own = _own(members, stream, settings)
        carried = _of_receipt(members, settings) if stream == "event" else NOBODY
    named = tuple(one for one in (own, carried) if one and one.user)
    if own is None or carried is None or len({one.user for one in named}) > 1:
        return Owners(named)
    if len({one.app for one in named}) > 1:
        return Owners(named, Owner(own.user, None))
    return Owners(named, named[0] if named else own)


def _named(members: Pairs, rule: Callable[[object], str | None]) -> tuple[set[str], list[str]]:
    """The users and the applications that the members name."""
    users = {rule(value) for name, value in members if name == "userId" and not is_absent(value)}
    return {user for user in users if user}, [str(value) for name, value in members if name == "appId" and value]


def _own(members: Pairs, stream: str, settings: Settings) -> Owner:
    is_optional = stream in ("item", "event")
    users, apps = _named(members, optional_user_id if is_optional else user_id)
    require(len(users) == 1 or not users and is_optional, "missing_field", "userId")
    return Owner(next(iter(users), ""), apps[0] if apps else settings.app_id)


def _of_receipt(members: Pairs, settings: Settings) -> Owner:
    """The owner of the receipt within an event, if the receipt names a user or an application of its own."""
    line = line_of("event", members, settings)
    is_purchase = line.first("category") is not None and GROUPS.get(line.value("category").value) == "purchase"
    data = line.value("data") if is_purchase else None
    users, apps = _named(data.as_object(), user_id) if data else (set(), [])
    if not users and apps:
        users = {user for user in [line.value("user_id")] if user}
    require(len(users) < 2, "conflicting_fields", "data.userId")
    return Owner(users.pop(), apps[0] if apps else line.value("app_id") or settings.app_id) if users else NOBODY
