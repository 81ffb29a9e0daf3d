"""Checks the Grafana dashboard and its alert rules.

    grafana.py queries    prints their queries as a script for psql, to run as the monitor role; refuses ids that occur
                          twice, and a source of data that no file provides, which Grafana would refuse or ignore
    grafana.py types      reads them into the types that Grafana publishes, and writes them again: a member that the types
                          do not know is lost on this way, which fails
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "dashboards" / "grafana"
DASHBOARD = json.loads((FOLDER / "dashboards" / "loads.json").read_text())
ALERTS = json.loads((FOLDER / "provisioning" / "alerting" / "gamebase.json").read_text())
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]
# The functions of Grafana that its queries use.
MACROS = {"$__timeFrom()": "(now() - interval '30 days')", "$__timeTo()": "now()"}
# Grafana's own editor writes these members of a threshold; the published type has its evaluator alone.
UNPUBLISHED = ("operator", "query", "reducer", "type")


def need(condition: object, message: str) -> None:
    if not condition:
        raise SystemExit(f"grafana.py: {message}")


def print_queries() -> None:
    for values in ([panel["id"] for panel in DASHBOARD["panels"]], [rule["uid"] for rule in RULES],
                   [rule["title"] for rule in RULES]):
        need(len(values) == len(set(values)), f"one of {values} occurs twice")
    queries = [(panel["title"], target) for panel in DASHBOARD["panels"] for target in panel["targets"]]
    for rule in RULES:
        need(rule["condition"] in [part["refId"] for part in rule["data"]],
             f"the condition of {rule['title']} is none of its queries")
        queries += [(rule["title"], part["model"]) for part in rule["data"] if part["datasourceUid"] != "__expr__"]
    sources = (FOLDER / "provisioning" / "datasources" / "gamebase.yml").read_text()
    print("set role gamebase_monitor;")
    for title, query in queries:
        need(f"uid: {query['datasource']['uid']}\n" in sources, f"{title} has an unknown source of data")
        text = query["rawSql"]
        for macro, value in MACROS.items():
            text = text.replace(macro, value)
        need("$" not in text, f"{title} uses an unknown macro")
        print(f"-- {title}\n{text};")


def lost(mine: Any, known: Any, path: str) -> list[str]:
    """The paths of members that differ from those of the types, or are missing there."""
    if isinstance(mine, dict) and isinstance(known, dict):
        parts = [(f"{path}.{name}", value, known.get(name)) for name, value in mine.items()
                 if name in known or not (name in UNPUBLISHED and ".conditions." in f"{path}.")]
    elif isinstance(mine, list) and isinstance(known, list) and len(mine) == len(known):
        parts = [(f"{path}.{number}", *pair) for number, pair in enumerate(zip(mine, known))]
    else:
        return [] if mine == known else [path]
    return [found for name, value, other in parts for found in lost(value, other, name)]


def compare_with_types() -> None:
    from grafana_foundation_sdk.cog import encoder, plugins
    from grafana_foundation_sdk.models import alerting, dashboard

    plugins.register_default_plugins()
    parts = [("dashboard", DASHBOARD, dashboard.Dashboard), *((rule["uid"], rule, alerting.Rule) for rule in RULES)]
    found = [path for name, mine, known in parts for path in lost(
        mine, json.loads(json.dumps(known.from_json(mine), cls=encoder.JSONEncoder)), name)]
    need(not found and DASHBOARD["panels"] and RULES, f"unknown to Grafana's types: {' '.join(found)}")
    print(f"{len(DASHBOARD['panels'])} panels and {len(RULES)} rules have no unknown member")


if __name__ == "__main__":
    {"queries": print_queries, "types": compare_with_types}[sys.argv[1]]()
