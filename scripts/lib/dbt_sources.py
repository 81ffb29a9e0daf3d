"""Prints the sources of the dbt package as YAML, from the JSON of readable.sql on standard input.

Names come from the database, which has the descriptions as comments, the grain of each view from the oracle of the report
tester (Tests/SystemTests/reports), whose folders must be on the path. The rules below say which further tests a column
gets. Every value that a test accepts must occur in a description.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

# Importing this registers the views.
import report_compare  # noqa: F401
from report_basis import VIEWS
from yaml_lines import yaml

# By view: the columns of which it has one row for each combination. The oracle recomputes no settings.
GRAINS = {name: grain.split() for name, (grain, _) in VIEWS.items()} | {"setting": ["name"]}

# The values of a column, in every view that has it, or in one view.
ACCEPTED: dict[str, list[str]] = {
    "cohort_kind": ["first_observed", "first_paid"],
    "health.verdict": ["ok", "late", "stopped", "incomplete", "failed", "not_refreshed"],
    "kickout_by_day.kind": ["app", "transfer"],
    "level_attribution": ["exact", "highest_of_several", "none"],
    "load_history.status": ["loaded", "undone", "failed", "dismissed"],
    "observed_at_source": ["line", "option", "load_start"],
    "period": ["day", "week", "month"],
    "product.product_type": ["UNKNOWN", "CONSUMABLE", "AUTO_RENEWABLE", "CONSUMABLE_AUTO_RENEWABLE"],
    "purchase.product_type": ["UNKNOWN", "CONSUMABLE", "AUTO_RENEWABLE", "CONSUMABLE_AUTO_RENEWABLE"],
    "receipt_feed": ["files", "events"],
    "subscription_period.chain_rule": ["original", "google", "payment", "product"],
    "subscription_period.period_kind": ["new", "continued", "renewal", "resubscription"],
    "subscription_retention.started_as": ["trial", "paid", "other"],
}

# Columns whose values, where they are not NULL, are those of a column of another relation.
RELATED: dict[str, tuple[str, str, str]] = {
    "base_currency": ("game", "currency", "currency"),
    "currency": ("game", "currency", "currency"),
    "category": ("game", "event_category", "category"),
    "receipt_price_check.payment_seq": ("report", "purchase", "payment_seq"),
    "subscription_period.payment_seq": ("report", "purchase", "payment_seq"),
    "subscription_period.chain_id": ("report", "purchase", "payment_seq"),
    "purchase.source_file_id": ("report", "load_history", "source_file_id"),
    "level_up.source_file_id": ("report", "load_history", "source_file_id"),
    "game_user_snapshot.source_file_id": ("report", "load_history", "source_file_id"),
    "event.source_file_id": ("report", "load_history", "source_file_id"),
}

# Keys of several columns. NULL is a value in them.
RELATED_TOGETHER: list[tuple[tuple[str, ...], str]] = [
    (("app_id",), "app"),
    (("app_id", "user_id"), "player"),
    (("app_id", "gamebase_product_id"), "product"),
]

# Views that show more than the last refresh, or rows without an application, product or player.
NOT_RELATED: dict[str, set[str]] = {
    "app": {
        "app", "event", "freshness", "game_user_snapshot", "health", "horizon", "level_up", "quality_by_day"},
    "player": {"event", "game_user_snapshot", "level_up", "player", "set_aside_player"},
    "product": {"product"},
}

# The file streams whose newest load says how fresh a view is; the receipts of an application follow its feed.
FRESHNESS: dict[str, str] = {
    "receipt": """
      arppu_by_period arppu_converted_by_period churn_by_month conversion_by_cohort mrr_by_day mrr_movement_by_month
      payer_concentration payers_by_period player_revenue player_value product_by_day purchase rate_gap
      receipt_price_check revenue_by_cohort revenue_by_day revenue_by_hour revenue_by_level
      revenue_converted_by_period sandbox_revenue_by_day subscription_by_day subscription_period subscription_retention
      trial_conversion_by_month value_by_cohort""",
    "level_up": "level_funnel level_funnel_by_cohort level_time level_up",
    "game_user": "character_history current_game_user game_user_snapshot",
    "item": "current_item item_history",
    "event": """
      event event_by_day event_by_hour idp_revocation_by_day kickout_by_day push_by_day push_performance
      service_status_by_day""",
}

# Items and events may come weekly.
HOURS_UNTIL_LATE = {"item": 192, "event": 192}


def may_be_null(column: dict[str, Any]) -> bool:
    """Whether the description of a view's column, or the table's constraint, allows NULL."""
    return not column["is_required"] and "NULL" in (column["description"] or "NULL")


def freshness(view: str) -> dict[str, Any] | None:
    """The query and the limits of a view's freshness."""
    stream = next((name for name, views in FRESHNESS.items() if view in views.split()), None)
    if stream is None:
        return None
    if stream == "receipt":
        query = (
            "select max(f.newest_loaded_at) from report.freshness f join report.app a using (app_id) "
            "where f.stream = case a.receipt_feed when 'files' then 'receipt' else 'event' end")
    else:
        query = f"select max(newest_loaded_at) from report.freshness where stream = '{stream}'"
    return {
        "loaded_at_query": query,
        "freshness": {"warn_after": {"count": HOURS_UNTIL_LATE.get(stream, 36), "period": "hour"}},
    }


def column_tests(relation: dict[str, Any], column: dict[str, Any]) -> list[Any]:
    """The tests of one column."""
    view, name = relation["name"], column["name"]
    tests: list[Any] = []
    if not relation["is_view"]:
        return tests
    if values := ACCEPTED.get(f"{view}.{name}", ACCEPTED.get(name)):
        for value in values:
            if not re.search(rf"\b{value}\b", column["description"]):
                raise SystemExit(f"dbt_sources.py: the comment of report.{view}.{name} does not mention {value}")
        tests.append({"accepted_values": {"arguments": {"values": values}}})
    if related := RELATED.get(f"{view}.{name}", RELATED.get(name)):
        schema, table, field = related
        tests.append({"relationships": {"arguments": {"to": f"source('{schema}', '{table}')", "field": field}}})
    return tests


def relation_tests(relation: dict[str, Any]) -> list[Any]:
    """The tests of a whole relation."""
    names = [column["name"] for column in relation["columns"]]
    tests: list[Any] = [{"unique_grain": {"arguments": {"columns": relation["key"]}}}]
    required = [
        column["name"] for column in relation["columns"]
        if (relation["is_view"] or column["name"] in relation["key"]) and not may_be_null(column)]
    if required:
        tests.append({"never_null": {"arguments": {"columns": required}}})
    for key, target in RELATED_TOGETHER:
        if relation["is_view"] and set(key) <= set(names) and relation["name"] not in NOT_RELATED[target]:
            tests.append({"related": {"arguments": {"columns": list(key), "to": f"source('report', '{target}')"}}})
    return tests


def source_table(relation: dict[str, Any]) -> dict[str, Any]:
    """A relation as a table of a source."""
    name = relation["name"]
    table: dict[str, Any] = {"name": name}
    if relation["is_view"]:
        if name not in GRAINS:
            raise SystemExit(f"dbt_sources.py: the oracle has no grain of report.{name}")
        relation["key"] = GRAINS[name]
        if config := freshness(name):
            table["config"] = config
    table["data_tests"] = relation_tests(relation)
    tested = ((column["name"], column_tests(relation, column)) for column in relation["columns"])
    columns = [{"name": name, "data_tests": tests} for name, tests in tested if tests]
    return table | ({"columns": columns} if columns else {})


if __name__ == "__main__":
    sources = [{"name": schema["name"], "tables": list(map(source_table, schema["relations"]))}
               for schema in json.load(sys.stdin)]
    print("# Made by scripts/generate from a migrated database; do not edit.")
    print("\n".join(yaml({"version": 2, "sources": sources})))
