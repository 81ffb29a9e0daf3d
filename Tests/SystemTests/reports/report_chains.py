"""Subscriptions: receipts become chains, and the receipts of a chain become periods with a kind."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

from report_calendar import DAY
from report_facts import Row, user_of

TYPES = ("AUTO_RENEWABLE", "CONSUMABLE_AUTO_RENEWABLE")
# A purchase later than this after the latest end is a resubscription.
GAP = 16 * DAY


@dataclass(eq=False)
class Period:
    """The time that one receipt paid for, half open."""

    receipt: Row
    chain_id: str
    chain_rule: str
    starts_at: int
    ends_at: int
    # The end before a change of the product cut it.
    uncut_end: int
    kind: str | None = None
    is_converted: bool = False

    @property
    def is_overlapped(self) -> bool:
        return self.ends_at <= self.starts_at

    @property
    def is_trial(self) -> bool:
        return self.receipt["amount_minor"] == 0 and self.receipt["is_promotion"] is not True

    @property
    def is_paid(self) -> bool:
        return bool(self.receipt["is_paid"])


@dataclass
class Chain:
    app: str
    user: str
    # In the order of the chain, overlapped ones included.
    periods: list[Period] = field(default_factory=list)

    @property
    def with_length(self) -> list[Period]:
        return [one for one in self.periods if not one.is_overlapped]


def is_subscription(row: Row) -> bool:
    return (row["is_sandbox"] is not True and row["expires_at"] is not None and row["product_type"] in TYPES)


def is_google(name: str | None) -> bool:
    return name is not None and name.startswith("GPA.")


def is_numbered(name: str | None) -> bool:
    """True for a Google id with the number of a renewal."""
    return is_google(name) and re.search(r"\.\.[0-9]+\Z", name or "") is not None


def stripped(name: str) -> str:
    """The id without the number of a renewal."""
    return re.sub(r"\.\.[0-9]+\Z", "", name) if is_google(name) else name


def ids(row: Row) -> set[str]:
    """The ids that link the receipt with others."""
    return {stripped(one) for one in (row["payment_id"], row["original_payment_id"]) if one}


def rule_of(row: Row, others: list[Row]) -> str:
    """The first rule that applies to the receipt; the others are of the same application and user."""
    if row["original_payment_id"] is not None:
        return "original"
    if is_google(row["payment_id"]):
        return "google"
    if row["payment_id"] is not None and any(
            row["payment_id"] in (other["payment_id"], other["original_payment_id"])
            for other in others if other is not row):
        return "payment"
    return "product"


def chains_of(receipts: list[Row]) -> list[Chain]:
    """The chains of all receipts; other receipts than those of subscriptions only tell which ids are known."""
    by_user = defaultdict(list)
    for row in receipts:
        by_user[user_of(row)].append(row)
    chains = []
    for (app, user), rows in by_user.items():
        known = {row["payment_id"] for row in rows if row["payment_id"] is not None}
        for members in _linked([row for row in rows if is_subscription(row)]):
            chains.append(Chain(app, user, _periods(members, known)))
    return chains


def _linked(rows: list[Row]) -> list[list[tuple[Row, str]]]:
    """The receipts with their rules, grouped into chains by their links."""
    groups: list[tuple[set[object], list[tuple[Row, str]]]] = []
    for row in rows:
        rule = rule_of(row, rows)
        links: set[object] = (
            {("product", row["gamebase_product_id"], row["store_code"])} if rule == "product" else set(ids(row)))
        joined = [group for group in groups if group[0] & links]
        groups = [group for group in groups if not group[0] & links]
        groups.append((
            links.union(*(group[0] for group in joined)),
            [(row, rule), *(one for group in joined for one in group[1])]))
    return [members for _, members in groups]


def _periods(members: list[tuple[Row, str]], known: set[str]) -> list[Period]:
    chain_id = min((row["payment_seq"] for row, _ in members), key=str.encode)
    members = sorted(members, key=lambda member: (
        member[0]["at"], member[0]["expires_at"], member[0]["payment_seq"].encode()))
    periods: list[Period] = []
    latest: int | None = None
    for row, rule in members:
        if any(earlier.receipt["gamebase_product_id"] != row["gamebase_product_id"]
               and earlier.ends_at > row["at"] for earlier in periods):
            # All periods that have not ended are of one product, because a change ended the others. One that would
            # have begun later moves with the end of the one before it, and has no length.
            for earlier in periods:
                earlier.starts_at = min(earlier.starts_at, row["at"])
                earlier.ends_at = min(earlier.ends_at, row["at"])
            latest = row["at"]
        start = row["at"] if latest is None else max(row["at"], latest)
        end = max(start, row["expires_at"])
        periods.append(Period(row, chain_id, rule, start, end, end))
        latest = end if latest is None else max(latest, end)
    _name_kinds([one for one in periods if not one.is_overlapped], known)
    return periods


def _name_kinds(periods: list[Period], known: set[str]) -> None:
    """Gives each period its kind; `known` has the payment ids of all receipts of the user."""
    after_trial = False
    for place, one in enumerate(periods):
        if place == 0:
            one.kind = "continued" if _continues(one.receipt, known) else "new"
        else:
            # Of periods with a length: all of these have one.
            late = one.receipt["at"] - max(earlier.ends_at for earlier in periods[:place]) > GAP
            one.kind = "resubscription" if late else "renewal"
        if one.is_trial:
            after_trial = True
        elif one.is_paid:
            one.is_converted = after_trial and one.kind == "renewal"
            after_trial = False


def _continues(row: Row, known: set[str]) -> bool:
    """True when the first receipt of a chain continues a subscription whose beginning is unknown."""
    original = row["original_payment_id"]
    if is_numbered(row["payment_id"]):
        return True
    return (original is not None and original != row["payment_id"] and not known & {original, stripped(original)})
