"""Hand-worked cases of subscriptions, for the test of the recomputation itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from fractions import Fraction

from report_calendar import DAY
from report_rows import at, column, receipt, subscription, view


def kinds(*rows: Row) -> list[str | None]:
    found = {row["payment_seq"]: row["period_kind"] for row in view("subscription_period", *rows)}
    return [found[row["payment_seq"]] for row in rows]


def renewals_before_at_and_after_the_expiry() -> bool:
    first = subscription("1", "07-01", "07-31", original_payment_id="o", payment_id="o")

    def after(time: str) -> list[str | None]:
        return kinds(first, subscription("2", time, "12-31", original_payment_id="o"))
    return (after("07-30") == after("07-31") == after("08-16") == ["new", "renewal"]
            and after("08-16T00:01") == ["new", "resubscription"])


def an_early_renewal_starts_at_the_end_before() -> bool:
    rows = view("subscription_period", subscription("1", "07-01", "07-31"),
                subscription("2", "07-30", "08-30"))
    return column(rows, "starts_at", payment_seq="2") == [at("07-31")]


def google_ids_without_their_number_are_a_chain() -> bool:
    one = subscription("1", "07-01", "07-31", payment_id="GPA.1")
    two = subscription("2", "07-31", "08-31", payment_id="GPA.1..0")
    other = subscription("3", "07-31", "08-31", payment_id="GPA.2..4")
    rows = view("subscription_period", one, two, other)
    return (column(rows, "chain_id") == ["1", "1", "3"]
            and column(rows, "chain_rule") == ["google"] * 3
            and kinds(one, two, other) == ["new", "renewal", "continued"])


def rules_of_a_chain() -> bool:
    rows = view(
        "subscription_period", subscription("1", "07-01", "07-02", payment_id="x"),
        subscription("2", "07-02", "07-03", payment_id="x"),
        subscription("3", "07-03", "07-04", payment_id="y"), subscription("4", "07-04", "07-05"),
        subscription("5", "07-05", "07-06", store_code="AS"))
    return (column(rows, "chain_rule") == ["payment", "payment", "product", "product", "product"]
            and column(rows, "chain_id") == ["1", "1", "3", "3", "5"])


def an_unknown_original_is_continued() -> bool:
    return (kinds(subscription("1", "07-01", "07-31", original_payment_id="o", payment_id="p"))
            == ["continued"]
            and kinds(subscription("1", "07-01", "07-31", original_payment_id="o", payment_id="o"))
            == ["new"])


def a_trial_converts_once() -> bool:
    rows = view(
        "subscription_by_day", subscription("1", "07-01", "07-08", 0),
        subscription("2", "07-08", "08-08"), subscription("3", "08-08", "09-08"),
        receipt("4", "08-20"))
    return ([row["day"] for row in rows if row["converted_count"]] == [date(2025, 7, 8)]
            and column(rows, "active_trial", day=date(2025, 7, 7)) == [1]
            and column(rows, "active_paid", day=date(2025, 7, 7)) == [0]
            and sum(row["renewed_count"] for row in rows) == 2)


def another_product_cuts_a_period() -> bool:
    month = subscription("1", "07-01", "07-31", 300, original_payment_id="o", payment_id="o")
    year = subscription("2", "07-10", "07-11", 1200, original_payment_id="o",
                        gamebase_product_id="year", expires_at=at("07-10") + 365 * DAY)
    rows = view("subscription_period", month, year)
    mrr = view("mrr_by_day", month, year, receipt("3", "07-20"))
    days = view("subscription_by_day", month, year, receipt("3", "09-20"))
    return (column(rows, "ends_at", payment_seq="1") == [at("07-10")]
            and column(mrr, "amount_minor", day=date(2025, 7, 9)) == [300]
            and column(mrr, "amount_minor", day=date(2025, 7, 10)) == [100]
            and sum(row["expired_count"] for row in days) == 0)


def an_expiry_waits_for_a_renewal() -> bool:
    rows = view("subscription_by_day", subscription("1", "07-01", "07-31"), receipt("2", "08-16"))
    same = [row for row in rows if row["expired_count"]]
    return ([row["day"] for row in same] == [date(2025, 7, 31)]
            and not same[0]["is_expiry_final"]
            and column(rows, "is_expiry_final", day=date(2025, 7, 30)) == [True])


def an_overlapped_period_has_no_length() -> bool:
    rows = (subscription("1", "07-01", "08-31"), subscription("2", "07-05", "08-05"))
    days = view("subscription_by_day", *rows)
    return kinds(*rows) == ["new", None] and column(
        days, "overlapped_count", day=date(2025, 7, 5)) == [1]


def retention_of_subscriptions() -> bool:
    rows = view(
        "subscription_retention", subscription("1", "07-01", "07-31", user="x"),
        subscription("2", "07-31", "08-31", user="x"), subscription("3", "07-01", "07-31", user="y"),
        receipt("4", "08-20"))
    return [(row["renewal_number"], row["eligible"], row["retained"], row["rate"],
             row["is_mature"]) for row in rows] == [
        (1, 2, 1, Fraction(1, 2), True), (2, 0, 0, None, False)]


def mrr_by_length() -> bool:
    rows = view(
        "mrr_by_day", subscription("1", "07-01", "07-08", 700, user="x"),
        subscription("2", "07-01", "09-29", 100, user="y"),
        subscription("3", "07-01", "07-06", 100, user="z"), receipt("4", "07-03"))
    return (column(rows, "amount_minor", day=date(2025, 7, 1)) == [2833]
            and column(rows, "unknown_length_count", day=date(2025, 7, 1)) == [1])


def a_change_cuts_a_renewal_that_has_not_begun() -> bool:
    month = subscription("1", "07-01", "07-31", original_payment_id="o", payment_id="o")
    early = subscription("2", "07-20", "08-30", original_payment_id="o")
    other = subscription("3", "07-25", "08-25", original_payment_id="o",
                         gamebase_product_id="other")
    rows = view("subscription_period", month, early, other)
    return (kinds(month, early, other) == ["new", None, "renewal"]
            and column(rows, "starts_at") == [at("07-01"), at("07-25"), at("07-25")]
            and column(rows, "is_overlapped") == [False, True, False])


CASES: tuple[Callable[[], bool], ...] = (
    renewals_before_at_and_after_the_expiry,
    an_early_renewal_starts_at_the_end_before,
    google_ids_without_their_number_are_a_chain,
    rules_of_a_chain,
    an_unknown_original_is_continued,
    a_trial_converts_once,
    another_product_cuts_a_period,
    an_expiry_waits_for_a_renewal,
    an_overlapped_period_has_no_length,
    retention_of_subscriptions,
    mrr_by_length,
    a_change_cuts_a_renewal_that_has_not_begun)
