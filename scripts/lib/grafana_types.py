"""Reads the Grafana dashboard and its alert rules into the types that Grafana publishes, and writes them again.

A member that the types do not know is lost on this way; its path is printed, and the exit status is 1.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from grafana_foundation_sdk.cog import encoder, plugins
from grafana_foundation_sdk.models import alerting, dashboard

FOLDER = Path(__file__).resolve().parents[2] / "dashboards" / "grafana"
# Grafana's own editor writes these members of a threshold; the published type has its evaluator alone.
UNPUBLISHED = ("operator", "query", "reducer", "type")


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


def written(value: Any) -> Any:
    """A value of the types as JSON."""
    return json.loads(json.dumps(value, cls=encoder.JSONEncoder))


def main() -> int:
    plugins.register_default_plugins()
    loads = json.loads((FOLDER / "dashboards" / "loads.json").read_text())
    alerts = json.loads((FOLDER / "provisioning" / "alerting" / "gamebase.json").read_text())
    rules = [rule for group in alerts["groups"] for rule in group["rules"]]
    found = lost(loads, written(dashboard.Dashboard.from_json(loads)), "dashboard")
    for rule in rules:
        found += lost(rule, written(alerting.Rule.from_json(rule)), rule["uid"])
    for path in found:
        print(f"unknown to Grafana's types: {path}", file=sys.stderr)
    print(f"{len(loads['panels'])} panels and {len(rules)} rules, {len(found)} unknown members")
    return 1 if found or not loads["panels"] or not rules else 0


if __name__ == "__main__":
    sys.exit(main())
