"""The views of events by day, computed from the facts."""

from __future__ import annotations

from collections import defaultdict

from report_basis import Basis
from report_calendar import DAY, rate
from report_facts import Row

ACTIONS = {"OPEN_APP": "open_app_count", "OPEN_URL": "open_url_count", "REPLY": "reply_count",
           "DISMISS": "dismiss_count"}
RECEIVED = "serverPushAppKickoutMessageReceived"
# The names of codes that the files of the report test have.
NAMES = {
    ("observerLaunching", 200): "IN_SERVICE", ("observerLaunching", 303): "INSPECTING_SERVICE",
    ("observerHeartbeat", 6): "INVALID_MEMBER", ("observerNetwork", -1): "NotReachable / TYPE_NOT",
    ("observerHeartbeat", 999): "SOCKET_UNKNOWN_ERROR / UNKNOWN_ERROR", ("idPRevoked", 600): "WITHDRAW",
}


def _groups(basis: Basis, rows: list[Row], *names: str) -> dict[tuple, list[Row]]:  # type: ignore[type-arg]
    groups = defaultdict(list)
    for row in rows:
        groups[(basis.day(row["occurred_at"]), row["app_id"], *(row[name] for name in names))].append(row)
    return groups


def _users(rows: list[Row]) -> int:
    return len({row["user_id"] for row in rows} - {None})


def _of(basis: Basis, *categories: str) -> list[Row]:
    return [row for row in basis.facts.rows["event"] if row["category"] in categories]


def event_by_day(basis: Basis) -> list[Row]:
    return [{
        "day": day, "app_id": app, "category": category, "event_group": group, "code": code,
        "code_name": NAMES.get((category, code)), "event_count": len(rows), "user_count": _users(rows),
    } for (day, app, category, group, code), rows in _groups(
        basis, basis.facts.rows["event"], "category", "event_group", "code").items()]


def push_by_day(basis: Basis) -> list[Row]:
    found = []
    for (day, app, push), rows in _groups(
            basis, _of(basis, "pushReceivedMessage", "pushClickMessage", "pushClickAction"), "push_id").items():
        received = [row for row in rows if row["category"] == "pushReceivedMessage"]
        clicked = [row for row in rows if row["category"] == "pushClickMessage"]
        actions = [row for row in rows if row["category"] == "pushClickAction"]
        counts = dict.fromkeys([*ACTIONS.values(), "other_action_count"], 0)
        for row in actions:
            counts[ACTIONS.get(row["push_action_type"], "other_action_count")] += 1
        found.append({
            "day": day, "app_id": app, "push_id": push, "received_count": len(received),
            "received_user_count": _users(received), "clicked_count": len(clicked),
            "clicked_user_count": _users(clicked), "action_count": len(actions), **counts})
    return found


def push_performance(basis: Basis) -> list[Row]:
    messages = defaultdict(list)
    for row in _of(basis, "pushReceivedMessage", "pushClickMessage", "pushClickAction"):
        if row["push_id"] is not None:
            messages[row["app_id"], row["push_id"]].append(row)
    found = []
    for (app, push), rows in messages.items():
        first = min(row["at"] for row in rows)
        is_cut = any(stream == "event" and start <= first < end + 31 * DAY
                     for stream, start, end in basis.facts.dropped)
        clicked = [row for row in rows if row["category"] == "pushClickMessage"]
        received = [row for row in rows if row["category"] == "pushReceivedMessage"]
        found.append({
            "app_id": app, "push_id": push, "first_received_at": min((row["at"] for row in received), default=None),
            "received_user_count": _users(received + clicked), "clicked_user_count": _users(clicked),
            "click_rate": None if is_cut else rate(_users(clicked), _users(received + clicked))})
    return found


def service_status_by_day(basis: Basis) -> list[Row]:
    return [{
        "day": day, "app_id": app, "code": code, "code_name": NAMES.get(("observerLaunching", code)),
        "report_count": len(rows), "user_count": _users(rows),
    } for (day, app, code), rows in _groups(basis, _of(basis, "observerLaunching"), "code").items()]


def kickout_by_day(basis: Basis) -> list[Row]:
    received = _of(basis, RECEIVED)
    kickouts = [row | {"kind": "transfer"} for row in _of(basis, "serverPushTransferKickout")]
    kickouts += [row | {"kind": "app"} for row in received]
    kickouts += [row | {"kind": "app"} for row in _of(basis, "serverPushAppKickout") if not any(
        one["user_id"] is not None and (one["app_id"], one["user_id"]) == (row["app_id"], row["user_id"])
        and 0 <= row["occurred_at"] - one["occurred_at"] <= DAY for one in received)]
    return [{
        "day": day, "app_id": app, "kind": kind, "kickout_count": len(rows), "user_count": _users(rows),
    } for (day, app, kind), rows in _groups(basis, kickouts, "kind").items()]


def idp_revocation_by_day(basis: Basis) -> list[Row]:
    return [{
        "day": day, "app_id": app, "idp_type": idp, "code": code,
        "code_name": NAMES.get(("idPRevoked", code)), "event_count": len(rows), "user_count": _users(rows),
    } for (day, app, idp, code), rows in _groups(basis, _of(basis, "idPRevoked"), "idp_type", "code").items()]


VIEWS = {
    "event_by_day": ("day app_id category event_group code", event_by_day),
    "push_by_day": ("day app_id push_id", push_by_day),
    "push_performance": ("app_id push_id", push_performance),
    "service_status_by_day": ("day app_id code", service_status_by_day),
    "kickout_by_day": ("day app_id kind", kickout_by_day),
    "idp_revocation_by_day": ("day app_id idp_type code", idp_revocation_by_day),
}
