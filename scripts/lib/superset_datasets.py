"""Writes the datasets of the Superset dashboard into a folder, from the JSON of readable.sql on standard input.

Every view that a chart names gets a dataset, with the descriptions of the database.
"""

from __future__ import annotations

import json
import re
import sys
import uuid
from pathlib import Path
from typing import Any

from yaml_lines import yaml

CHARTS = Path(__file__).resolve().parents[2] / "dashboards" / "superset" / "charts"


def identifier(kind: str, name: str) -> str:
    """The UUID by which Superset recognizes a part of the export, always the same."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"gamebase-ingest/superset/{kind}/{name}"))


def dataset(relation: dict[str, Any]) -> dict[str, Any]:
    """A view as a dataset."""
    return {
        "table_name": relation["name"],
        "schema": "report",
        "description": relation["description"],
        "main_dttm_col": next((column["name"] for column in relation["columns"] if column["type"] == "date"), None),
        "uuid": identifier("dataset", relation["name"]),
        "database_uuid": identifier("database", "gamebase"),
        "version": "1.0.0",
        "metrics": [],
        "columns": [{
            "column_name": column["name"],
            "type": column["type"].upper(),
            "is_dttm": column["type"] == "date" or column["type"].startswith("timestamp"),
            "groupby": True,
            "filterable": True,
            "is_active": True,
            "description": column["description"],
        } for column in relation["columns"]]}


if __name__ == "__main__":
    [relations] = [schema["relations"] for schema in json.load(sys.stdin) if schema["name"] == "report"]
    wanted = {uuid for chart in CHARTS.glob("*.yaml")
              for uuid in re.findall(r"^dataset_uuid: (\S+)", chart.read_text(), re.MULTILINE)}
    for made in map(dataset, relations):
        if made["uuid"] in wanted:
            wanted.remove(made["uuid"])
            text = "\n".join(["# Made by scripts/generate; do not edit.", *yaml(made)])
            Path(sys.argv[1], f"{made['table_name']}.yaml").write_text(f"{text}\n")
    if wanted:
        raise SystemExit(f"superset_datasets.py: charts name datasets of no view: {', '.join(sorted(wanted))}")
