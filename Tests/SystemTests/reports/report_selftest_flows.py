"""Hand-worked cases of flows by month, for the test of the recomputation itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from fractions import Fraction

from report_facts import Row
from report_rows import column, receipt, subscription, view

JULY, AUGUST, SEPTEMBER = date(2025, 7, 1), date(2025, 8, 1), date(2025, 9, 1)


def trials_of(*rows: Row) -> list[tuple[object, ...]]:
    return [(row["month"].month, row["trial_count"], row["converted_count"], row["lost_count"], row["pending_count"],
             row["rate"], row["is_mature"]) for row in view("trial_conversion_by_month", *rows)]


def trials_in_a_row_are_one() -> bool:
    rows = (subscription("1", "07-25", "08-01", 0), subscription("2", "08-01", "08-08", 0),
            subscription("3", "08-08", "09-08", 100, is_promotion=True), subscription("4", "09-08", "10-08"))
    return (trials_of(*rows) == [(7, 1, 1, 0, 0, 1, True)]
            and trials_of(*rows[:2], receipt("5", "08-24", user="x")) == [(7, 1, 0, 1, 0, 0, True)]
            and trials_of(*rows[:2], receipt("5", "08-23T23:59", user="x")) == [(7, 1, 0, 0, 1, None, False)])


def a_late_payment_converts_no_trial() -> bool:
    return trials_of(subscription("1", "07-01", "07-08", 0), subscription("2", "07-24T00:01", "08-24")) == [
        (7, 1, 0, 1, 0, 0, True)]


def churned(*rows: Row) -> dict[str, tuple[object, ...]]:
    return {f"{row['gamebase_product_id']} {row['month'].month}": (
        row["active_at_start"], row["churned_count"], row["rate"], row["is_complete"])
        for row in view("churn_by_month", *rows)}


def a_chain_is_active_before_its_renewal() -> bool:
    first = subscription("1", "07-01", "07-25", payment_id="o")
    late = churned(first, subscription("2", "08-05", "09-05", original_payment_id="o", gamebase_product_id="q"),
                   receipt("3", "09-17", user="x"))
    alone = churned(first, receipt("3", "08-17", user="x"))
    return (late == {"p 7": (0, 0, None, True), "p 8": (1, 0, 0, True), "p 9": (0, 0, None, False),
                     "q 7": (0, 0, None, True), "q 8": (0, 0, None, True), "q 9": (1, 1, 1, False)}
            and alone == {"p 7": (0, 0, None, True), "p 8": (0, 0, None, False)})


def the_newest_instant_ends_the_last_month() -> bool:
    one = subscription("1", "07-10", "08-10")
    return (churned(one, receipt("2", "08-09T23:59", user="x"))["p 8"] == (1, 0, 0, False)
            and churned(one, receipt("2", "08-10", user="x"))["p 8"] == (1, 1, 1, False)
            and churned(one, subscription("2", "08-10", "09-10"))["p 8"] == (1, 0, 0, False))


def movements_of_a_month() -> bool:
    rows = view(
        "mrr_movement_by_month", subscription("1", "07-01", "07-31", 100, user="a"),
        subscription("2", "08-03", "09-02", 150, user="a"), subscription("3", "07-05", "08-04", 100, user="b"),
        subscription("4", "08-04", "09-03", 300, user="b"), subscription("5", "07-06", "08-05", 70, user="c"),
        receipt("6", "09-02", user="x"))

    def of(month: date) -> list[object]:
        return [row[f"{name}_amount"] * 100 for row in rows if row["month"] == month for name in (
            "starting", "new", "reactivated", "expansion", "contraction", "churned", "ending")]
    # In September the 150 end at the newest instant.
    return (of(JULY) == [0, 170, 0, 0, 0, 0, 170] and of(AUGUST) == [170, 0, 150, 200, 0, 70, 450]
            and of(SEPTEMBER) == [450, 0, 0, 0, 0, 150, 300]
            and column(rows, "is_complete") == [True, True, False])


def rounded_movements_add_up() -> bool:
    rows = view(
        "mrr_movement_by_month", subscription("1", "07-15", "09-13", 101, user="a"),
        subscription("2", "07-15", "09-13", 101, user="b"), subscription("3", "08-02", "10-01", 101, user="c"),
        receipt("4", "08-15", user="x"))
    return ([(row["starting_amount"] * 100, row["new_amount"] * 100, row["ending_amount"] * 100) for row in rows]
            == [(0, 101, 101), (101, 51, 152)] and Fraction(101, 2) * 3 == Fraction(303, 2))


CASES: tuple[Callable[[], bool], ...] = (
    trials_in_a_row_are_one, a_late_payment_converts_no_trial, a_chain_is_active_before_its_renewal,
    the_newest_instant_ends_the_last_month, movements_of_a_month, rounded_movements_add_up)
