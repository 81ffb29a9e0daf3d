"""The views of subscriptions: periods, days, retention by renewal, and monthly recurring revenue."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from fractions import Fraction

from report_basis import Basis
from report_calendar import DAY, rate, rounded
from report_chains import GAP, Chain, Period
from report_facts import Row

# Days of a period, and the periods in a month.
# The horizon of a feed without an event.
BEFORE_ALL = -10 ** 18
FACTORS = (
    (range(1, 2), Fraction(30)), (range(3, 4), Fraction(10)), (range(7, 8), Fraction(4)),
    (range(14, 15), Fraction(2)), (range(28, 32), Fraction(1)), (range(59, 63), Fraction(1, 2)),
    (range(89, 94), Fraction(1, 3)), (range(180, 187), Fraction(1, 6)),
    (range(360, 371), Fraction(1, 12)))


def subscription_period(basis: Basis) -> list[Row]:
    return [{
        **{name: one.receipt[name] for name in (
            "payment_seq", "app_id", "user_id", "gamebase_product_id", "store_code", "currency",
            "amount_minor")},
        "amount": None if one.receipt["amount_minor"] is None else basis.major(
            one.receipt["amount_minor"], one.receipt["currency"]),
        "chain_id": one.chain_id, "chain_rule": one.chain_rule, "starts_at": one.starts_at,
        "ends_at": one.ends_at, "period_kind": one.kind, "is_trial": one.is_trial,
        "is_paid": one.is_paid, "is_overlapped": one.is_overlapped,
    } for one in basis.periods.values()]


def expired(chain: Chain, horizon: int) -> list[Period]:
    """The periods whose end is an expiry, as far as is known."""
    found = []
    periods = chain.with_length
    for place, one in enumerate(periods):
        is_renewed = any(
            later.kind == "renewal" and later.receipt["at"] - one.ends_at <= GAP
            for later in periods[place + 1:])
        if one.ends_at <= horizon and not is_renewed:
            found.append(one)
    return found


def _horizon(basis: Basis, app: str) -> int:
    horizon = basis.horizon(app, ["receipt"])
    return BEFORE_ALL if horizon is None else horizon


def is_active(one: Period, end: int) -> bool:
    """True when the period is active at the end of a day."""
    return one.starts_at < end <= one.ends_at


def subscription_by_day(basis: Basis) -> list[Row]:
    groups = defaultdict(list)
    for one in basis.periods.values():
        row = one.receipt
        groups[row["app_id"], row["gamebase_product_id"], row["store_code"]].append(one)
    ended = {one.receipt["payment_seq"] for chain in basis.chains
             for one in expired(chain, _horizon(basis, chain.app))}
    found = []
    for (app, product, store), periods in groups.items():
        for day in basis.spine(app, "day"):
            end = basis.calendar.end(day)
            active = [one for one in periods if is_active(one, end)]
            begun = [one for one in periods if basis.day(one.starts_at) == day]
            found.append({
                "app_id": app, "gamebase_product_id": product, "store_code": store, "day": day,
                "active_paid": sum(one.is_paid for one in active),
                "active_trial": sum(one.is_trial for one in active),
                "active_other": sum(not one.is_paid and not one.is_trial for one in active),
                "new_count": sum(one.kind == "new" for one in begun),
                "continued_count": sum(one.kind == "continued" for one in begun),
                "converted_count": sum(one.is_converted for one in begun),
                "renewed_count": sum(one.kind == "renewal" for one in begun),
                "resubscribed_count": sum(one.kind == "resubscription" for one in begun),
                "expired_count": sum(
                    one.receipt["payment_seq"] in ended and basis.day(one.ends_at) == day
                    for one in periods),
                "overlapped_count": sum(
                    one.is_overlapped and one.receipt["day"] == day for one in periods),
                "is_complete": basis.is_complete(app, "day", day),
                "is_expiry_final": end + GAP <= _horizon(basis, app)})
    return found


def unbroken(chain: Chain) -> list[Period]:
    """The first period and its renewals, up to the first resubscription."""
    found: list[Period] = []
    for one in chain.with_length:
        if found and one.kind != "renewal":
            break
        found.append(one)
    return found


def subscription_retention(basis: Basis) -> list[Row]:
    groups: dict[tuple[str, str | None, date, str, int], list[tuple[Period, bool, int]]] = (
        defaultdict(list))
    for chain in basis.chains:
        periods = unbroken(chain)
        if not periods or periods[0].kind != "new":
            continue
        month = basis.day(periods[0].starts_at).replace(day=1)
        product = periods[0].receipt["gamebase_product_id"]
        started = "trial" if periods[0].is_trial else "paid" if periods[0].is_paid else "other"
        for number, one in enumerate(periods, 1):
            groups[chain.app, product, month, started, number].append(
                (one, number < len(periods), _horizon(basis, chain.app)))
    found = []
    for (app, product, month, started, number), periods in groups.items():
        ripe = [is_renewed for one, is_renewed, horizon in periods if one.ends_at + GAP <= horizon]
        found.append({
            "app_id": app, "gamebase_product_id": product, "month": month,
            "started_as": started, "renewal_number": number, "eligible": len(ripe), "retained": sum(ripe),
            "rate": rate(sum(ripe), len(ripe)), "is_mature": len(ripe) == len(periods)})
    return found


def factor(one: Period) -> Fraction | None:
    """The number of such periods in a month; None for a length that no store sells."""
    length = int(rounded(Fraction(one.uncut_end - one.starts_at, DAY), 0))
    return next((per_month for lengths, per_month in FACTORS if length in lengths), None)


def mrr_by_day(basis: Basis) -> list[Row]:
    found = []
    for app, currencies in basis.currencies.items():
        for currency in currencies:
            periods = [one for one in basis.periods.values() if one.is_paid
                       and one.receipt["app_id"] == app and one.receipt["currency"] == currency]
            for day in basis.spine(app, "day"):
                active = [one for one in periods if is_active(one, basis.calendar.end(day))]
                monthly = [one.receipt["amount_minor"] * per_month for one in active
                           if (per_month := factor(one)) is not None]
                minor = int(rounded(sum(monthly, Fraction()), 0))
                found.append({
                    "app_id": app, "currency": currency, "day": day, "amount_minor": minor,
                    "amount": basis.major(minor, currency),
                    "unknown_length_count": len(active) - len(monthly),
                    "is_complete": basis.is_complete(app, "day", day)})
    return found


VIEWS = {
    "subscription_period": ("payment_seq", subscription_period),
    "subscription_by_day": ("app_id gamebase_product_id store_code day", subscription_by_day),
    "subscription_retention": (
        "app_id gamebase_product_id month started_as renewal_number", subscription_retention),
    "mrr_by_day": ("app_id currency day", mrr_by_day),
}
