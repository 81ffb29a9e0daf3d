"""The views of revenue, payers and products, computed from the facts."""

from __future__ import annotations

import math
from collections import defaultdict
from datetime import date
from fractions import Fraction

from report_basis import Basis, users
from report_calendar import PERIODS, rate, rounded
from report_facts import Row, user_of
from report_observed import observed_in

TOP_SHARES = tuple(map(Fraction, ("0.01", "0.05", "0.1", "0.25", "0.5", "1")))


def grouped(rows: list[Row], *columns: str) -> dict[tuple, list[Row]]:  # type: ignore[type-arg]
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[name] for name in columns)].append(row)
    return groups


def total(rows: list[Row]) -> int:
    return sum(row["amount_minor"] or 0 for row in rows)


def paid_of(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row["is_paid"]]


def revenue_by_day(basis: Basis) -> list[Row]:
    flagged = [row | {"promotion": row["is_promotion"] is True} for row in basis.production]
    return [{
        "day": day, "app_id": app, "currency": currency, "store_code": store,
        "gamebase_product_id": product, "is_promotion": promotion,
        "purchase_count": len(rows), "paid_count": len(paid_of(rows)),
        "payer_count": len(users(paid_of(rows))),
        "free_count": sum(row["amount_minor"] == 0 for row in rows),
        "unpriced_count": sum(row["amount_minor"] is None for row in rows),
        "imprecise_count": sum(row["price_imprecise"] for row in rows),
        "unknown_sandbox_count": sum(row["is_sandbox"] is None for row in rows),
        "amount_minor": total(paid_of(rows)), "amount": basis.major(total(paid_of(rows)), currency),
        "promotion_amount": basis.major(
            total([row for row in rows if row["promotion"]]), currency),
    } for (day, app, currency, store, product, promotion), rows in grouped(
        flagged, "day", "app_id", "currency", "store_code", "gamebase_product_id",
        "promotion").items()]


def sandbox_revenue_by_day(basis: Basis) -> list[Row]:
    sandbox = [row for row in basis.receipts if row["is_sandbox"] is True]
    return [{
        "day": day, "app_id": app, "currency": currency, "store_code": store,
        "gamebase_product_id": product, "purchase_count": len(rows),
        "payer_count": len(users(rows)), "amount_minor": total(rows),
        "amount": basis.major(total(rows), currency),
    } for (day, app, currency, store, product), rows in grouped(
        sandbox, "day", "app_id", "currency", "store_code", "gamebase_product_id").items()]


def _in_period(basis: Basis, rows: list[Row], period: str, start: date) -> list[Row]:
    return [row for row in rows if basis.calendar.period_start(period, row["day"]) == start]


def payers_by_period(basis: Basis) -> list[Row]:
    found = []
    for app in basis.apps:
        paid = [row for row in basis.paid if row["app_id"] == app]
        for period in PERIODS:
            for start in basis.spine(app, period):
                rows = _in_period(basis, paid, period, start)
                new = users([row for row in rows if basis.is_new(row, period, start)])
                found.append({
                    "period": period, "period_start": start, "app_id": app,
                    "payer_count": len(users(rows)), "new_payer_count": len(new),
                    "repeat_payer_count": len(users(rows) - new),
                    "is_complete": basis.is_complete(app, period, start)})
    return found


def payers_by_day(basis: Basis) -> list[Row]:
    return [{
        "day": row["period_start"],
        **{name: value for name, value in row.items() if name not in ("period", "period_start")},
    } for row in payers_by_period(basis) if row["period"] == "day"]


def arppu_by_period(basis: Basis) -> list[Row]:
    found = []
    for app, currencies in basis.currencies.items():
        paid = [row for row in basis.paid if row["app_id"] == app]
        for period in PERIODS:
            for start in basis.spine(app, period):
                in_period = _in_period(basis, paid, period, start)
                observed = observed_in(basis, app, period, start)
                for currency in currencies:
                    rows = [row for row in in_period if row["currency"] == currency]
                    new = [row for row in rows if basis.is_new(row, period, start)]
                    amount, payers = basis.major(total(rows), currency), len(users(rows))
                    new_amount = basis.major(total(new), currency)
                    digits = basis.digits(currency)
                    found.append({
                        "period": period, "period_start": start, "app_id": app,
                        "currency": currency, "amount_minor": total(rows), "amount": amount,
                        "payer_count": payers, "new_payer_amount": new_amount,
                        "repeat_payer_amount": amount - new_amount,
                        "arppu": rounded(amount / payers, digits) if payers else None,
                        "amount_per_observed_user":
                            rounded(amount / observed, digits) if observed else None,
                        "is_complete": basis.is_complete(app, period, start)})
    return found


def product_by_day(basis: Basis) -> list[Row]:
    found = []
    for (day, app, currency), of_day in grouped(
            basis.production, "day", "app_id", "currency").items():
        for (product, store), rows in grouped(
                of_day, "gamebase_product_id", "store_code").items():
            paid = paid_of(rows)
            found.append({
                "day": day, "app_id": app, "currency": currency, "gamebase_product_id": product,
                "store_code": store, "purchase_count": len(rows), "paid_count": len(paid),
                "payer_count": len(users(paid)),
                "new_payer_count": len(users(
                    [row for row in paid if basis.is_new(row, "day", day)])),
                "amount_minor": total(paid), "amount": basis.major(total(paid), currency),
                "share_of_amount": rate(total(paid), total(paid_of(of_day)))})
    return found


def payer_concentration(basis: Basis) -> list[Row]:
    found = []
    monthly = [row | {"month": row["day"].replace(day=1)} for row in basis.paid]
    for (month, app, currency), rows in grouped(monthly, "month", "app_id", "currency").items():
        amounts = sorted(
            (total([row for row in rows if user_of(row) == user]) for user in users(rows)),
            reverse=True)
        for share in TOP_SHARES:
            top = amounts[:math.ceil(len(amounts) * share)]
            found.append({
                "month": month, "app_id": app, "currency": currency, "top_share": share,
                "payer_count": len(top), "amount_minor": sum(top),
                "amount": basis.major(sum(top), currency),
                "share_of_amount": rate(sum(top), sum(amounts)),
                "is_complete": basis.is_complete(app, "month", month)})
    return found


def revenue_converted_by_period(basis: Basis) -> list[Row]:
    found = []
    base = basis.facts.base_currency
    for app in basis.apps:
        paid = [row for row in basis.paid if row["app_id"] == app]
        for period in PERIODS:
            for start in basis.spine(app, period):
                rows = _in_period(basis, paid, period, start)
                amount, unconverted = basis.in_base_currency(rows)
                minor = None
                if base is not None and not unconverted:
                    minor = int(rounded(amount * 10 ** basis.facts.minor_unit[base], 0))
                found.append({
                    "period": period, "period_start": start, "app_id": app, "base_currency": base,
                    "paid_count": len(rows), "unconverted_count": unconverted, "amount_minor": minor,
                    "amount": None if base is None or minor is None else basis.major(minor, base),
                    "is_converted": minor is not None, "is_complete": basis.is_complete(app, period, start)})
    return found


def revenue_converted_by_day(basis: Basis) -> list[Row]:
    return [{"day": row["period_start"], **{name: row[name] for name in row if name not in ("period", "period_start")}}
            for row in revenue_converted_by_period(basis) if row["period"] == "day"]


VIEWS = {
    "revenue_by_day": (
        "day app_id currency store_code gamebase_product_id is_promotion", revenue_by_day),
    "sandbox_revenue_by_day": (
        "day app_id currency store_code gamebase_product_id", sandbox_revenue_by_day),
    "payers_by_period": ("period period_start app_id", payers_by_period),
    "payers_by_day": ("day app_id", payers_by_day),
    "arppu_by_period": ("period period_start app_id currency", arppu_by_period),
    "product_by_day": ("day app_id currency gamebase_product_id store_code", product_by_day),
    "payer_concentration": ("month app_id currency top_share", payer_concentration),
    "revenue_converted_by_period": ("period period_start app_id", revenue_converted_by_period),
    "revenue_converted_by_day": ("day app_id", revenue_converted_by_day),
}
