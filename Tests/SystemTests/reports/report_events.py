"""The views of events and of single rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from report_basis import VIEWS, Basis, count, grouped, view
from report_calendar import DAY, rate
from report_facts import ADDED, Row
from streams import KEYS

ACTIONS = {"OPEN_APP": "open_app_count", "OPEN_URL": "open_url_count", "REPLY": "reply_count",
           "DISMISS": "dismiss_count"}
PUSHES = ("pushReceivedMessage", "pushClickMessage", "pushClickAction")
CLOSED = "serverPushAppKickout"
KICKOUTS = {CLOSED: "app", "serverPushAppKickoutMessageReceived": "app", "serverPushTransferKickout": "transfer"}
# The names of codes that the files of the report test have.
NAMES = {
    ("observerLaunching", 200): "IN_SERVICE", ("observerLaunching", 303): "INSPECTING_SERVICE",
    ("observerHeartbeat", 6): "INVALID_MEMBER", ("observerNetwork", -1): "NotReachable / TYPE_NOT",
    ("observerHeartbeat", 999): "SOCKET_UNKNOWN_ERROR / UNKNOWN_ERROR", ("idPRevoked", 600): "WITHDRAW",
}
CATEGORY = "app_id category event_group code"


def _users(rows: Iterable[Row]) -> int:
    return len({row["user_id"] for row in rows} - {None})


def _of(basis: Basis, categories: Iterable[str]) -> list[Row]:
    return [row for row in basis.facts.rows["event"] if row["category"] in categories]


def _counts(rows: list[Row], columns: str) -> list[Row]:
    """The events with equal values in these columns, and their users."""
    return [key | {"event_count": len(some), "user_count": _users(some)} for key, some in grouped(rows, columns)]


def _by_code(basis: Basis, category: str, columns: str) -> list[Row]:
    """The events of a category, with the names of their codes."""
    return [row | {"code_name": NAMES.get((category, row["code"]))} for row in _counts(_of(basis, [category]), columns)]


@view(f"day {CATEGORY}")
def event_by_day(basis: Basis) -> list[Row]:
    return [row | {"code_name": NAMES.get((row["category"], row["code"]))}
            for row in _counts(basis.facts.rows["event"], f"day {CATEGORY}")]


@view(f"hour {CATEGORY}")
def event_by_hour(basis: Basis) -> list[Row]:
    return _counts(basis.facts.rows["event"], f"hour {CATEGORY}")


@view("day app_id code")
def service_status_by_day(basis: Basis) -> list[Row]:
    return [{"report_count" if name == "event_count" else name: value for name, value in row.items()}
            for row in _by_code(basis, "observerLaunching", "day app_id code")]


@view("day app_id idp_type code")
def idp_revocation_by_day(basis: Basis) -> list[Row]:
    return _by_code(basis, "idPRevoked", "day app_id idp_type code")


@view("day app_id kind")
def kickout_by_day(basis: Basis) -> Iterator[Row]:
    events = [row | {"kind": KICKOUTS[row["category"]]} for row in _of(basis, KICKOUTS)]
    for key, some in grouped(events, "day app_id kind"):
        closed = [row for row in some if row["category"] == CLOSED]
        messages = [row for row in some if row["category"] != CLOSED]
        yield key | {"message_count": len(messages), "message_user_count": _users(messages),
                     "close_count": len(closed), "close_user_count": _users(closed)}


def _pushes(basis: Basis, columns: str) -> Iterator[tuple[Row, list[Row], list[Row], list[Row]]]:
    """By these columns: the received messages, the clicks and the actions."""
    for key, rows in grouped(_of(basis, PUSHES), columns):
        received, clicked, actions = ([row for row in rows if row["category"] == one] for one in PUSHES)
        yield key, received, clicked, actions


@view("day app_id push_id")
def push_by_day(basis: Basis) -> Iterator[Row]:
    for key, received, clicked, actions in _pushes(basis, "day app_id push_id"):
        named = {name: count(actions, push_action_type=kind) for kind, name in ACTIONS.items()}
        yield key | named | {
            "received_count": len(received), "received_user_count": _users(received), "clicked_count": len(clicked),
            "clicked_user_count": _users(clicked), "action_count": len(actions),
            "other_action_count": len(actions) - sum(named.values())}


@view("app_id push_id")
def push_performance(basis: Basis) -> Iterator[Row]:
    for key, received, clicked, _ in _pushes(basis, "app_id push_id"):
        if key["push_id"] is None:
            continue
        first = min((row["at"] for row in received or clicked), default=0)
        seen, clicks = (_users(row for row in rows if first <= row["at"] < first + 7 * DAY)
                        for rows in (received + clicked, clicked))
        is_cut = any(stream == "event" and start <= first < end + 31 * DAY
                     for stream, start, end in basis.facts.dropped)
        yield key | {"first_received_at": first if received else None, "received_user_count": seen,
                     "clicked_user_count": clicks, "click_rate": None if is_cut else rate(clicks, seen)}


# Single rows

def _rows(stream: str) -> Callable[[Basis], list[Row]]:
    hidden = {*ADDED} - {"day"}
    return lambda basis: [
        {name: value for name, value in row.items() if name not in hidden} for row in basis.facts.rows[stream]]


VIEWS |= {
    name: (" ".join(KEYS[stream]), _rows(stream))
    for name, stream in (("level_up", "level_up"), ("event", "event"), ("game_user_snapshot", "game_user"))}
