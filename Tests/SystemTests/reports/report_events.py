"""The views of events, of hours and of single rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from report_basis import VIEWS, Basis, amounts, grouped, users, view
from report_calendar import DAY, HOUR, rate
from report_facts import Row
from streams import KEYS

ACTIONS = {"OPEN_APP": "open_app_count", "OPEN_URL": "open_url_count", "REPLY": "reply_count",
           "DISMISS": "dismiss_count"}
RECEIVED = "serverPushAppKickoutMessageReceived"
# The names of codes that the files of the report test have.
NAMES = {
    ("observerLaunching", 200): "IN_SERVICE", ("observerLaunching", 303): "INSPECTING_SERVICE",
    ("observerHeartbeat", 6): "INVALID_MEMBER", ("observerNetwork", -1): "NotReachable / TYPE_NOT",
    ("observerHeartbeat", 999): "SOCKET_UNKNOWN_ERROR / UNKNOWN_ERROR", ("idPRevoked", 600): "WITHDRAW",
}


def _counts(basis: Basis, rows: Iterable[Row], name: str, *columns: str) -> list[Row]:
    """The events with equal values in these columns, and their users."""
    dated = (row | {"day": basis.day(row["at"]), "hour": row["at"] // HOUR * HOUR} for row in rows)
    return [key | {name: len(some), "user_count": _users(some)} for key, some in grouped(dated, *columns)]


def _users(rows: list[Row]) -> int:
    return len({row["user_id"] for row in rows} - {None})


def _of(basis: Basis, *categories: str) -> list[Row]:
    return [row for row in basis.facts.rows["event"] if row["category"] in categories]


def _named(rows: list[Row], category: str = "") -> list[Row]:
    """The rows with the names of their codes."""
    return [row | {"code_name": NAMES.get((category or row["category"], row["code"]))} for row in rows]


@view("day app_id category event_group code")
def event_by_day(basis: Basis) -> list[Row]:
    return _named(_counts(basis, basis.facts.rows["event"], "event_count",
                          "day", "app_id", "category", "event_group", "code"))


@view("hour app_id category event_group code")
def event_by_hour(basis: Basis) -> list[Row]:
    return _counts(basis, basis.facts.rows["event"], "event_count", "hour", "app_id", "category", "event_group", "code")


@view("day app_id code")
def service_status_by_day(basis: Basis) -> list[Row]:
    return _named(_counts(basis, _of(basis, "observerLaunching"), "report_count", "day", "app_id", "code"),
                  "observerLaunching")


@view("day app_id idp_type code")
def idp_revocation_by_day(basis: Basis) -> list[Row]:
    return _named(_counts(basis, _of(basis, "idPRevoked"), "event_count", "day", "app_id", "idp_type", "code"),
                  "idPRevoked")


@view("day app_id kind")
def kickout_by_day(basis: Basis) -> list[Row]:
    closed = "serverPushAppKickout"
    events = [row | {"day": basis.day(row["at"]), "kind": kind} for kind, categories in (
        ("app", (RECEIVED, closed)), ("transfer", ("serverPushTransferKickout",))) for row in _of(basis, *categories)]
    found = []
    for key, some in grouped(events, "day", "app_id", "kind"):
        messages = [row for row in some if row["category"] != closed]
        popups = [row for row in some if row["category"] == closed]
        found.append(key | {
            "message_count": len(messages), "message_user_count": _users(messages),
            "close_count": len(popups), "close_user_count": _users(popups)})
    return found


def _pushes(basis: Basis, *columns: str) -> Iterator[tuple[Row, list[Row], list[Row], list[Row]]]:
    """By these columns: the received messages, the clicks and the actions."""
    categories = ("pushReceivedMessage", "pushClickMessage", "pushClickAction")
    dated = [row | {"day": basis.day(row["at"])} for row in _of(basis, *categories)]
    for key, rows in grouped(dated, *columns, "app_id", "push_id"):
        received, clicked, actions = ([row for row in rows if row["category"] == one] for one in categories)
        yield key, received, clicked, actions


@view("day app_id push_id")
def push_by_day(basis: Basis) -> list[Row]:
    found = []
    for key, received, clicked, actions in _pushes(basis, "day"):
        counts = dict.fromkeys([*ACTIONS.values(), "other_action_count"], 0)
        for row in actions:
            counts[ACTIONS.get(row["push_action_type"], "other_action_count")] += 1
        found.append(key | counts | {
            "received_count": len(received), "received_user_count": _users(received), "clicked_count": len(clicked),
            "clicked_user_count": _users(clicked), "action_count": len(actions)})
    return found


@view("app_id push_id")
def push_performance(basis: Basis) -> list[Row]:
    found = []
    for key, received, clicked, _ in _pushes(basis):
        if key["push_id"] is None:
            continue
        first = min((row["at"] for row in received or clicked), default=0)
        seen, clicks = ([row for row in rows if first <= row["at"] < first + 7 * DAY]
                        for rows in (received + clicked, clicked))
        is_cut = any(stream == "event" and start <= first < end + 31 * DAY
                     for stream, start, end in basis.facts.dropped)
        found.append(key | {
            "first_received_at": first if received else None,
            "received_user_count": _users(seen), "clicked_user_count": _users(clicks),
            "click_rate": None if is_cut else rate(_users(clicks), _users(seen))})
    return found


@view("hour app_id currency")
def revenue_by_hour(basis: Basis) -> list[Row]:
    return [key | {
        "paid_count": len(rows), "payer_count": len(users(rows)), **amounts(basis, rows, key["currency"]),
    } for key, rows in grouped(({"hour": row["at"] // HOUR * HOUR} | row for row in basis.paid),
                               "hour", "app_id", "currency")]


# Single rows

def _rows(stream: str) -> Callable[[Basis], list[Row]]:
    return lambda basis: [
        {name: value for name, value in row.items() if name not in ("at", "stream")}
        | {"day": None if row["at"] is None else basis.day(row["at"])} for row in basis.facts.rows[stream]]


VIEWS |= {
    "level_up": (" ".join(KEYS["level_up"]), _rows("level_up")), "event": (" ".join(KEYS["event"]), _rows("event")),
    "game_user_snapshot": (" ".join(KEYS["game_user"]), _rows("game_user"))}
