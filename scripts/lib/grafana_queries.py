"""Prints the queries of the Grafana dashboard and its alert rules as a script for psql, to run as the monitor role.

Also checks what Grafana would refuse or ignore: ids that occur twice, and a source of data that no file provides.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "dashboards" / "grafana"
# The functions of Grafana that its queries use.
MACROS = {"$__timeFrom()": "(now() - interval '30 days')", "$__timeTo()": "now()"}


def check_unique(kind: str, values: list[Any]) -> None:
    """Refuses a value that occurs twice."""
    for value in values:
        if values.count(value) > 1:
            raise SystemExit(f"grafana_queries.py: {kind} {value} occurs twice")


def main() -> None:
    panels = json.loads((FOLDER / "dashboards" / "loads.json").read_text())["panels"]
    alerting = json.loads((FOLDER / "provisioning" / "alerting" / "gamebase.json").read_text())
    rules = [rule for group in alerting["groups"] for rule in group["rules"]]
    check_unique("panel", [panel["id"] for panel in panels])
    check_unique("rule", [rule["uid"] for rule in rules])
    check_unique("rule", [rule["title"] for rule in rules])

    queries = [(panel["title"], target) for panel in panels for target in panel["targets"]]
    for rule in rules:
        if rule["condition"] not in [part["refId"] for part in rule["data"]]:
            raise SystemExit(f"grafana_queries.py: the condition of {rule['title']} is none of its queries")
        queries += [(rule["title"], part["model"]) for part in rule["data"] if part["datasourceUid"] != "__expr__"]
    sources = (FOLDER / "provisioning" / "datasources" / "gamebase.yml").read_text()

    print("set role gamebase_monitor;")
    for title, query in queries:
        if f"uid: {query['datasource']['uid']}\n" not in sources:
            raise SystemExit(f"grafana_queries.py: {title} has an unknown source of data")
        text = query["rawSql"]
        for macro, value in MACROS.items():
            text = text.replace(macro, value)
        if re.search(r"\$", text):
            raise SystemExit(f"grafana_queries.py: {title} uses an unknown macro")
        print(f"-- {title}\n{text};")


if __name__ == "__main__":
    main()
