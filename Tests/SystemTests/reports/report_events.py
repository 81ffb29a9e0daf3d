"""The views of events and of single rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial

from report_basis import VIEWS, Basis, Figures, add_sum, view
from report_calendar import DAY, rate
from report_facts import ADDED, Row, count, grouped, least, users, where
from streams import KEYS

RECEIVED, CLICKED, ACTION = PUSHES = ("pushReceivedMessage", "pushClickMessage", "pushClickAction")
ACTIONS = ("OPEN_APP", "OPEN_URL", "REPLY", "DISMISS")
CLOSED = "serverPushAppKickout"
KICKOUTS = {CLOSED: "app", "serverPushAppKickoutMessageReceived": "app", "serverPushTransferKickout": "transfer"}
# The names of codes that the files of the report test have.
NAMES = {
    ("observerLaunching", 200): "IN_SERVICE", ("observerLaunching", 303): "INSPECTING_SERVICE",
    ("observerHeartbeat", 6): "INVALID_MEMBER", ("observerNetwork", -1): "NotReachable / TYPE_NOT",
    ("observerHeartbeat", 999): "SOCKET_UNKNOWN_ERROR / UNKNOWN_ERROR", ("idPRevoked", 600): "WITHDRAW",
}


def user_count(**values: object) -> Callable[[list[Row]], int]:
    """Counts the users of the events with these values."""
    return lambda rows: len(users(where(rows, **values)))


def events(basis: Basis, categories: Collection[str]) -> list[Row]:
    return [row for row in basis.rows["event"] if row["category"] in categories]


FIGURES: Figures = {
    "event_count": len, "report_count": len, "user_count": user_count(),
    "code_name": lambda rows: NAMES.get((rows[0]["category"], rows[0]["code"])),
    "message_count": partial(count, is_closed=False), "message_user_count": user_count(is_closed=False),
    "close_count": partial(count, is_closed=True), "close_user_count": user_count(is_closed=True),
    "received_count": partial(count, category=RECEIVED), "received_user_count": user_count(category=RECEIVED),
    "clicked_count": partial(count, category=CLICKED), "clicked_user_count": user_count(category=CLICKED),
    "action_count": partial(count, category=ACTION),
    **{f"{name.lower()}_count": partial(count, category=ACTION, push_action_type=name) for name in ACTIONS},
    "other_action_count": lambda rows: sum(
        row["push_action_type"] not in ACTIONS for row in where(rows, category=ACTION)),
}
add = partial(add_sum, FIGURES)
add("event_by_day", "day app_id category event_group code", "code_name event_count user_count",
    lambda basis: basis.rows["event"])
add("event_by_hour", "hour app_id category event_group code", "event_count user_count",
    lambda basis: basis.rows["event"])
add("service_status_by_day", "day app_id code", "code_name report_count user_count",
    lambda basis: events(basis, ["observerLaunching"]))
add("idp_revocation_by_day", "day app_id idp_type code", "code_name event_count user_count",
    lambda basis: events(basis, ["idPRevoked"]))
add("kickout_by_day", "day app_id kind", "message_count message_user_count close_count close_user_count",
    lambda basis: [row | {"kind": KICKOUTS[row["category"]], "is_closed": row["category"] == CLOSED}
                   for row in events(basis, KICKOUTS)])
add("push_by_day", "day app_id push_id", """received_count received_user_count clicked_count clicked_user_count
    action_count open_app_count open_url_count reply_count dismiss_count other_action_count""",
    lambda basis: events(basis, PUSHES))


@view("app_id push_id")
def push_performance(basis: Basis) -> Iterator[Row]:
    named = [row for row in events(basis, PUSHES) if row["push_id"] is not None]
    for key, rows in grouped(named, "app_id push_id"):
        received, clicked = (where(rows, category=one) for one in (RECEIVED, CLICKED))
        first = least("at", received or clicked) or 0
        seen, clicks = (len(users(row for row in some if first <= row["at"] < first + 7 * DAY))
                        for some in (received + clicked, clicked))
        is_cut = any(stream == "event" and start <= first < end + 31 * DAY for stream, start, end in basis.dropped)
        yield key | {"first_received_at": first if received else None, "received_user_count": seen,
                     "clicked_user_count": clicks, "click_rate": None if is_cut else rate(clicks, seen)}


# Single rows

def _rows(stream: str) -> Callable[[Basis], list[Row]]:
    hidden = {*ADDED} - {"day"}
    return lambda basis: [
        {name: value for name, value in row.items() if name not in hidden} for row in basis.rows[stream]]


VIEWS |= {
    name: (" ".join(KEYS[stream]), _rows(stream))
    for name, stream in (("level_up", "level_up"), ("event", "event"), ("game_user_snapshot", "game_user"))}
