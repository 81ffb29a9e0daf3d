"""The owner of a line, by docs/data-contract.md. An erasure deletes and suppresses the lines of their owner."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from data import text
from json_lines import record_members
from parsed_file import ParsedFile, Reject
from streams import Row
from universe import USERS
from values import Refusal, user_id


@dataclass(frozen=True)
class Owner:
    """The owner of a line: one user, or every user that the line names if its user cannot be read."""

    user: str | None
    app: str = ""
    named: frozenset[str] = frozenset()

    def is_of(self, user: str, app: str | None) -> bool:
        if self.user is None:
            return user in self.named
        return self.user == user and app in (None, self.app)


def owner_of(parsed: ParsedFile, row: Row | None = None, reject: Reject | None = None) -> Owner:
    if row is not None:
        return Owner(str(row["user_id"]), str(row["app_id"]))
    assert reject is not None
    return _owner_of_line(reject.line_bytes, parsed.unwrap, parsed.app_id)


@functools.lru_cache(maxsize=65536)
def _owner_of_line(line: bytes, unwrap: str | None, app_id: str) -> Owner:
    try:
        members = record_members(line, unwrap)
        users = {user_id(value, name) for name, value in members if name == "userId"}
        apps = [str(value) for name, value in members if name == "appId" and value]
        if len(users) == 1:
            return Owner(users.pop(), apps[0] if apps else app_id)
    except Refusal:
        pass
    return Owner(None, named=frozenset(
        user for user in USERS if text(user).encode() in line or user.encode() in line))
