"""Subscriptions: receipts become chains, and the receipts of a chain become periods with a kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from report_calendar import DAY
from report_facts import Row, by_user, where

TYPES = ("AUTO_RENEWABLE", "CONSUMABLE_AUTO_RENEWABLE")
# A purchase later than this after the latest end is a resubscription.
GAP = 16 * DAY


# A period is the time that one receipt paid for, half open: the receipt's row with the columns that are added here. A
# chain has its periods in order; an overlapped one has no length.
Chain = list[Row]


NUMBER = re.compile(r"\.\.[0-9]+\Z")


def is_google(name: str | None) -> bool:
    return name is not None and name.startswith("GPA.")


def stripped(name: str) -> str:
    """The id without the number of a renewal that Google gives."""
    return NUMBER.sub("", name) if is_google(name) else name


def periods_of(receipts: list[Row]) -> Iterator[Row]:
    """The periods of all chains; other receipts than those of subscriptions only tell which ids are known."""
    for rows in by_user(receipts).values():
        known = {row["payment_id"] for row in rows if row["payment_id"] is not None}
        of_chains = [row for row in rows if row["is_sandbox"] is not True and row["expires_at"] is not None
                     and row["product_type"] in TYPES]
        for members in _linked(of_chains):
            yield from _chain(members, known)


def _linked(rows: list[Row]) -> list[list[Row]]:
    """The receipts of a user with their rules, grouped into chains by their links."""
    groups: list[tuple[set[object], list[Row]]] = []
    for row in rows:
        rule = _rule_of(row, rows)
        links: set[object] = {stripped(one) for one in (row["payment_id"], row["original_payment_id"]) if one}
        if rule == "product":
            links = {("product", row["gamebase_product_id"], row["store_code"])}
        joined = [group for group in groups if group[0] & links]
        groups = [group for group in groups if not group[0] & links]
        groups.append((
            links.union(*(group[0] for group in joined)),
            [row | {"chain_rule": rule}, *(one for group in joined for one in group[1])]))
    return [members for _, members in groups]


def _rule_of(row: Row, others: list[Row]) -> str:
    """The first rule that applies to the receipt; the others are of the same application and user."""
    if row["original_payment_id"] is not None:
        return "original"
    if is_google(row["payment_id"]):
        return "google"
    is_known = row["payment_id"] is not None and any(
        row["payment_id"] in (other["payment_id"], other["original_payment_id"])
        for other in others if other is not row)
    return "payment" if is_known else "product"


def _chain(members: list[Row], known: set[str]) -> Chain:
    """The periods of a chain; `known` has the payment ids of all receipts of the user."""
    chain_id = min((row["payment_seq"] for row in members), key=str.encode)
    chain: Chain = []
    for row in sorted(members, key=lambda row: (row["at"], row["expires_at"], row["payment_seq"].encode())):
        if any(earlier["gamebase_product_id"] != row["gamebase_product_id"] and earlier["ends_at"] > row["at"]
               for earlier in chain):
            # All periods that have not ended are of one product, because a change ended the others. One that would
            # have begun later moves with the end of the one before it, and has no length.
            for earlier in chain:
                earlier["starts_at"] = min(earlier["starts_at"], row["at"])
                earlier["ends_at"] = min(earlier["ends_at"], row["at"])
        start = max([row["at"], *(earlier["ends_at"] for earlier in chain)])
        end = max(start, row["expires_at"])
        # The uncut end is the one before a change of the product.
        chain.append(row | {
            "chain_id": chain_id, "starts_at": start, "ends_at": end, "uncut_end": end, "period_kind": None,
            "is_trial": row["amount_minor"] == 0 and row["is_promotion"] is not True, "is_converted": False})
    for one in chain:
        one["is_overlapped"] = one["ends_at"] <= one["starts_at"]
    periods = where(chain, is_overlapped=False)
    _name_kinds(periods, known)
    for place, one in enumerate(periods):
        one["is_renewed"] = any(later["period_kind"] == "renewal" and later["at"] - one["ends_at"] <= GAP
                                for later in periods[place + 1:])
    return chain


def _name_kinds(periods: list[Row], known: set[str]) -> None:
    """Gives each period with a length its kind."""
    for place, one in enumerate(periods):
        if place == 0:
            one["period_kind"] = "continued" if _continues(one, known) else "new"
        else:
            late = one["at"] - max(earlier["ends_at"] for earlier in periods[:place]) > GAP
            one["period_kind"] = "resubscription" if late else "renewal"
        counted = [earlier for earlier in periods[:place] if earlier["is_trial"] or earlier["is_paid"]]
        is_after_trial = bool(counted) and counted[-1]["is_trial"]
        one["is_converted"] = is_after_trial and one["is_paid"] and one["period_kind"] == "renewal"


def _continues(row: Row, known: set[str]) -> bool:
    """True when the first receipt of a chain continues a subscription whose beginning is unknown."""
    original = row["original_payment_id"]
    if is_google(row["payment_id"]) and NUMBER.search(row["payment_id"]):
        return True
    return original is not None and original != row["payment_id"] and not known & {original, stripped(original)}
