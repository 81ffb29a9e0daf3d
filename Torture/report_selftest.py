"""Tests of the recomputation itself: small hand-worked cases, one for each rule that is easy to get wrong."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from fractions import Fraction

from report_basis import Basis
from report_calendar import DAY, Calendar, instant_from_text, rounded
from report_compare import VIEWS
from report_facts import Facts, Kept, Row, with_time

UNITS = {"USD": 2, "JPY": 0, "KWD": 3, "KRW": 0}


def at(text: str) -> int:
    """The instant of a text such as 07-31 or 07-31T10:00, in UTC of 2025."""
    return instant_from_text(f"2025-{text}{'' if 'T' in text else 'T00:00'}:00+00:00")


def receipt(seq: str, time: str, amount: int | None = 100, user: str = "u", **more: object) -> Row:
    row: Row = dict.fromkeys((
        "gamebase_product_id", "market_item_id", "item_seq", "product_type", "product_type_raw",
        "store_code", "price_raw", "expires_at", "payment_id", "original_payment_id"))
    return with_time("receipt", row | {
        "payment_seq": seq, "app_id": "a", "user_id": user, "currency": "USD",
        "amount_minor": amount, "price_repaired": False, "price_imprecise": False,
        "purchased_at": at(time), "is_sandbox": False, "is_promotion": None,
        "text_repaired": False, "source_file_id": 1, "line_number": 1} | more)


def subscription(seq: str, time: str, end: str, amount: int | None = 100, **more: object) -> Row:
    return receipt(seq, time, amount, **{
        "expires_at": at(end), "product_type": "AUTO_RENEWABLE", "gamebase_product_id": "p"} | more)


def player(stream: str, level: int, time: str, user: str = "u", **more: object) -> Row:
    name = "leveled_up_at" if stream == "level_up" else "observed_at"
    source = {} if stream == "level_up" else {"observed_at_source": "line"}
    return with_time(stream, {
        "app_id": "a", "user_id": user, "user_level": level, name: at(time), "channel_id": None,
        "character_id": None, "class_id": None, "text_repaired": False, "source_file_id": 1,
        "line_number": 1} | source | more)


def facts(*rows: Row, **more: object) -> Facts:
    by_stream: dict[str, list[Row]] = {
        "receipt": [], "level_up": [], "game_user": [], "event": [], "item": []}
    for row in rows:
        by_stream[row["stream"]].append(row)
    file = {"source_file_id": 1, "load_id": 1, "loaded_at": at("12-01")}
    return Facts(by_stream, UNITS, ledger={  # type: ignore[arg-type]
        "file": [file], "reject": [], "failed_file": [], "failed_reject": [], "conflict": [],
        "load": [], "erased_line": [], "unknown_field": []}, **more)


def view(name: str, *rows: Row, **more: object) -> list[Row]:
    return VIEWS[name][1](Basis(facts(*rows, **more)))


def column(rows: list[Row], name: str, **where: object) -> list[object]:
    return [row[name] for row in rows if where.items() <= row.items()]


def kinds(*rows: Row) -> list[str | None]:
    found = {row["payment_seq"]: row["period_kind"] for row in view("subscription_period", *rows)}
    return [found[row["payment_seq"]] for row in rows]


def days_of_zones() -> bool:
    seoul, york = Calendar("Asia/Seoul"), Calendar("America/New_York")
    return (seoul.day(at("07-30T15:00")) == date(2025, 7, 31)
            and seoul.day(at("07-30T15:00") - 1) == date(2025, 7, 30)
            and york.end(date(2025, 3, 9)) - york.start(date(2025, 3, 9)) == DAY * 23 // 24
            and york.end(date(2025, 11, 2)) - york.start(date(2025, 11, 2)) == DAY * 25 // 24
            # Midnight does not exist on this day.
            and Calendar("Africa/Cairo").start(date(2025, 4, 25)) == at("04-24T22:00"))


def rounding_is_half_up() -> bool:
    return (rounded(Fraction(5, 1000), 2) == Fraction(1, 100)
            and rounded(Fraction(49, 10000), 2) == 0)


def paid_means_paid() -> bool:
    rows = view(
        "revenue_by_day", receipt("1", "07-01"), receipt("2", "07-01", 0), receipt("3", "07-01", None),
        receipt("4", "07-01", is_sandbox=None), receipt("5", "07-01", is_sandbox=True),
        receipt("6", "07-01", 700, is_promotion=True))
    one = next(row for row in rows if not row["is_promotion"])
    other = next(row for row in rows if row["is_promotion"])
    return ([one[name] for name in (
        "purchase_count", "paid_count", "free_count", "unpriced_count", "unknown_sandbox_count",
        "amount_minor")] == [4, 2, 1, 1, 1, 200]
        and [other[name] for name in ("purchase_count", "paid_count", "amount", "promotion_amount")]
        == [1, 0, 0, 7])


def amounts_have_the_digits_of_their_currency() -> bool:
    rows = view("arppu_by_period", *(
        receipt(f"{currency}{number}", "07-01", amount, f"u{number}", currency=currency)
        for currency in ("JPY", "USD", "KWD") for number, amount in enumerate((100, 100, 101))))
    return {row["currency"]: row["arppu"] for row in rows if row["period"] == "day"} == {
        "JPY": Fraction("100.33"), "USD": Fraction("1.0033"), "KWD": Fraction("0.10033")}


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


def a_level_at_the_instant_of_the_purchase_counts() -> bool:
    rows = view("purchase", player("level_up", 5, "07-01T10:00"), receipt("1", "07-01T10:00"),
                player("level_up", 6, "07-01T10:01"))
    return column(rows, "user_level") == [5] and column(rows, "level_attribution") == ["exact"]


def the_highest_of_two_characters() -> bool:
    rows = view("purchase", player("level_up", 5, "07-01", character_id="c1"),
                player("level_up", 3, "07-02", character_id="c2"), receipt("1", "07-03"))
    return (column(rows, "user_level") == [5] and column(rows, "character_id") == [None]
            and column(rows, "level_attribution") == ["highest_of_several"])


def of_equal_levels_the_snapshot_counts() -> bool:
    rows = view("purchase", player("level_up", 5, "07-01"),
                player("game_user", 5, "07-01", channel_id="s1"), receipt("1", "07-01"))
    return column(rows, "channel_id") == ["s1"]


def the_load_start_counts_only_alone() -> bool:
    late = {"observed_at_source": "load_start", "user": "u"}
    one = player("game_user", 9, "09-01", **late)
    timed = player("game_user", 5, "07-01")
    return (column(view("current_game_user", one, timed), "user_level") == [5]
            and column(view("player", one, timed), "user_level") == [5]
            and column(view("player", one), "user_level") == [9]
            and column(view("player", one), "first_observed_at") == [None]
            and view("retention_by_cohort", one) == [] == view("horizon", one))


def a_renewal_is_no_observation() -> bool:
    rows = (subscription("1", "07-01", "07-31", payment_id="GPA.1"),
            subscription("2", "07-31", "08-31", payment_id="GPA.1..0"), receipt("3", "09-15", user="y"))
    return (column(view("player", *rows), "last_observed_at", user_id="u") == [at("07-01")]
            and column(view("observed_by_period", *rows), "observed_user_count", period="day",
                       period_start=date(2025, 7, 31)) == [0])


def retention_matures_with_the_slowest_stream() -> bool:
    rows = [player("level_up", 1, "07-01T12:00"), player("level_up", 2, "07-09T12:00"),
            receipt("1", "07-02T12:00", user="y")]
    first = {"app_id": "a", "first_observed_on": date(2025, 7, 1)}
    found = view("retention_by_cohort", *rows)
    stopped = view("retention_by_cohort", *rows, player("level_up", 3, "07-11T00:00"))
    return (column(found, "is_mature", day_n=0, **first) == [True]
            and column(found, "is_mature", day_n=1, **first) == [False]
            and column(stopped, "is_mature", day_n=7, **first) == [True])


def a_kept_observation_keeps_the_cohort() -> bool:
    rows = view("retention_by_cohort", player("level_up", 5, "08-05"),
                kept={("a", "u"): Kept(at("07-04"), "level_up", at("08-05"))},
                dropped=[("level_up", at("07-01"), at("08-01"))])
    return (column(rows, "first_observed_on", day_n=0) == [date(2025, 7, 4)]
            and column(rows, "is_mature", day_n=0) == [False])


def payers_are_rounded_up() -> bool:
    rows = view("payer_concentration", *(
        receipt(str(number), "07-01", 100 + number, f"u{number}") for number in range(10)))
    return [row["payer_count"] for row in rows] == [1, 1, 1, 3, 5, 10]


def complete_days() -> bool:
    rows = view("payers_by_day", receipt("1", "07-01T12:00"), receipt("2", "07-04"))
    return column(rows, "is_complete") == [False, True, True, False]


def rates_serve_a_week() -> bool:
    rows = view(
        "revenue_converted_by_day", receipt("1", "07-08"), receipt("2", "07-09"),
        receipt("3", "07-09", 5, currency="KRW"), base_currency="KRW",
        rates={"USD": [(date(2025, 7, 1), Fraction("1234.5"))]})
    return (column(rows, "amount_minor") == [1235, None]
            and column(rows, "unconverted_count") == [0, 1])


def gaps_look_at_the_same_weekday() -> bool:
    rows = view("calendar_gap", *(
        player("level_up", level, day) for day, count in (
            ("07-01", 4), ("07-08", 2), ("07-15", 1), ("07-16", 1)) for level in range(count)))
    return [(row["median_line_count"], row["is_unusual"]) for row in rows
            if row["day"] in (date(2025, 7, 1), date(2025, 7, 8), date(2025, 7, 15))] == [
        (None, None), (4, False), (3, True)]


def the_previous_level_may_come_at_the_same_time() -> bool:
    rows = view("level_time", player("level_up", 1, "07-01T00:00"),
                player("level_up", 3, "07-01T00:10"), player("level_up", 2, "07-01T00:10"))
    return (column(rows, "p50_minutes_since_previous_level", user_level=3) == [0]
            and column(rows, "p50_minutes_since_previous_level", user_level=2) == [10])


def days_of_dropped_months_are_unknown() -> bool:
    rows = view("observed_by_period", player("level_up", 5, "07-30T12:00"),
                player("level_up", 6, "08-03"), dropped=[("level_up", at("07-01"), at("08-01"))])
    days = [row for row in rows if row["period"] == "day"]
    weeks = [row for row in rows if row["period"] == "week"]
    return (column(days, "observed_user_count") == [None, None, 0, 0, 1]
            and column(days, "is_complete") == [False, False, True, True, False]
            and column(weeks, "observed_user_count") == [None])


def a_change_cuts_a_renewal_that_has_not_begun() -> bool:
    month = subscription("1", "07-01", "07-31", original_payment_id="o", payment_id="o")
    early = subscription("2", "07-20", "08-30", original_payment_id="o")
    other = subscription("3", "07-25", "08-25", original_payment_id="o",
                         gamebase_product_id="other")
    rows = view("subscription_period", month, early, other)
    return (kinds(month, early, other) == ["new", None, "renewal"]
            and column(rows, "starts_at", payment_seq="3") == [at("07-25")]
            and column(rows, "is_overlapped") == [False, True, False])


def history_changes_with_level_or_class() -> bool:
    rows = view("character_history", player("game_user", 5, "07-03"), player("game_user", 5, "07-01"),
                player("game_user", 5, "07-04", class_id="monk"), player("game_user", 5, "07-05"),
                player("game_user", 9, "09-01", observed_at_source="load_start"))
    return [(row["valid_from"], row["valid_to"], row["class_id"]) for row in rows] == [
        (at("07-01"), at("07-04"), None), (at("07-04"), at("07-05"), "monk"),
        (at("07-05"), None, None)]


def a_stopped_level_has_no_level_up_for_a_week() -> bool:
    rows = view("level_funnel", player("level_up", 5, "07-01", user="x"),
                player("level_up", 5, "07-08", user="y"), player("level_up", 3, "07-08", user="z"),
                player("level_up", 1, "07-01T00:01", user="x"))
    return (column(rows, "stopped_user_count", user_level=5) == [2]
            and column(rows, "stopped_7d_count", user_level=5) == [0]
            and column(rows, "reached_user_count", user_level=3) == [3])


def a_rebought_trial_user_is_new_only_once() -> bool:
    rows = view("payers_by_period", receipt("2", "07-03", currency="JPY"), receipt("1", "07-01"),
                receipt("0", "06-30", 0))
    month = [row for row in rows if row["period"] == "month"]
    return (column(month, "new_payer_count") == [0, 1] and column(month, "payer_count") == [0, 1]
            and column(rows, "new_payer_count", period="day") == [0, 1, 0, 0]
            and column(rows, "repeat_payer_count", period="day") == [0, 0, 0, 1])


CASES: tuple[Callable[[], bool], ...] = (
    days_of_zones, rounding_is_half_up, paid_means_paid, amounts_have_the_digits_of_their_currency,
    renewals_before_at_and_after_the_expiry, an_early_renewal_starts_at_the_end_before,
    google_ids_without_their_number_are_a_chain, rules_of_a_chain,
    an_unknown_original_is_continued, a_trial_converts_once, another_product_cuts_a_period,
    an_expiry_waits_for_a_renewal, an_overlapped_period_has_no_length, retention_of_subscriptions,
    mrr_by_length, a_level_at_the_instant_of_the_purchase_counts, the_highest_of_two_characters,
    of_equal_levels_the_snapshot_counts, the_load_start_counts_only_alone,
    a_renewal_is_no_observation, retention_matures_with_the_slowest_stream,
    a_kept_observation_keeps_the_cohort, payers_are_rounded_up, complete_days,
    rates_serve_a_week, gaps_look_at_the_same_weekday,
    the_previous_level_may_come_at_the_same_time, days_of_dropped_months_are_unknown,
    a_change_cuts_a_renewal_that_has_not_begun, history_changes_with_level_or_class,
    a_stopped_level_has_no_level_up_for_a_week, a_rebought_trial_user_is_new_only_once)


def failures() -> list[str]:
    """The hand-worked cases that the recomputation does not meet."""
    return [case.__name__.replace("_", " ") for case in CASES if not case()]


if __name__ == "__main__":
    failed = failures()
    print(f"report oracle: {len(CASES) - len(failed)} passed, {len(failed)} failed")
    for name in failed:
        print(f"  {name}")
    raise SystemExit(1 if failed else 0)
