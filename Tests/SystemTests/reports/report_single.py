"""The views of single rows and of hours, computed from the facts."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable

from report_basis import Basis, users
from report_calendar import HOUR
from report_facts import Row

HIDDEN = ("at", "stream")


def _rows(stream: str) -> Callable[[Basis], list[Row]]:
    def view(basis: Basis) -> list[Row]:
        return [{name: value for name, value in row.items() if name not in HIDDEN}
                | {"day": None if row["at"] is None else basis.day(row["at"])} for row in basis.facts.rows[stream]]
    return view


def _hour(row: Row) -> int:
    hour: int = row["at"] // HOUR * HOUR
    return hour


def revenue_by_hour(basis: Basis) -> list[Row]:
    groups = defaultdict(list)
    for row in basis.paid:
        groups[_hour(row), row["app_id"], row["currency"]].append(row)
    return [{
        "hour": hour, "app_id": app, "currency": currency, "paid_count": len(rows), "payer_count": len(users(rows)),
        "amount_minor": sum(row["amount_minor"] for row in rows),
        "amount": basis.major(sum(row["amount_minor"] for row in rows), currency),
    } for (hour, app, currency), rows in groups.items()]


def event_by_hour(basis: Basis) -> list[Row]:
    groups = defaultdict(list)
    for row in basis.facts.rows["event"]:
        groups[_hour(row), row["app_id"], row["category"], row["event_group"], row["code"]].append(row["user_id"])
    return [{
        "hour": hour, "app_id": app, "category": category, "event_group": group, "code": code,
        "event_count": len(rows), "user_count": len(set(rows) - {None}),
    } for (hour, app, category, group, code), rows in groups.items()]


def _text(written: str, field: str) -> str | None:
    """A member as text: numbers as written, of a repeated member the last one."""
    value = json.loads(written, parse_float=str, parse_int=str).get(field)
    if value is None or isinstance(value, str):
        return value
    return json.dumps(json.loads(written)[field])


def exposed_field(basis: Basis) -> list[Row]:
    found = []
    for exposure in basis.facts.ledger.get("field_exposure", []):
        stream, field = exposure["stream"], exposure["field"]
        for row in basis.facts.ledger[f"extra_{stream}"]:
            value = _text(row["extra"], field)
            if value is not None:
                found.append({"stream": stream, "natural_key": row["key"], "field": field, "value": value})
    return found


VIEWS = {
    "exposed_field": ("stream natural_key field", exposed_field),
    "revenue_by_hour": ("hour app_id currency", revenue_by_hour),
    "event_by_hour": ("hour app_id category event_group code", event_by_hour),
    "level_up": ("app_id user_id character_id user_level leveled_up_at", _rows("level_up")),
    "game_user_snapshot": ("app_id user_id channel_id character_id observed_at", _rows("game_user")),
    "event": ("occurred_at app_id event_id", _rows("event")),
}
