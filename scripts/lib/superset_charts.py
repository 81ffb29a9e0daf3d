"""Runs the query of every chart of a Superset, as its pages do, in the Python of the Superset that is set up.

Prints the number of rows of each chart, and exits with 1 if a query fails or has no row.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from superset.app import create_app


def query(params: dict[str, Any]) -> dict[str, Any]:
    """The query of a chart."""
    columns: list[Any] = list(params.get("groupby", []))
    if "x_axis" in params:
        axis = {"columnType": "BASE_AXIS", "sqlExpression": params["x_axis"], "label": params["x_axis"],
                "expressionType": "SQL", "timeGrain": params.get("time_grain_sqla")}
        columns.insert(0, axis)
    filters = [
        {"col": part["subject"], "op": part["operator"], "val": part.get("comparator")}
        for part in params["adhoc_filters"]]
    return {"columns": columns, "metrics": params["metrics"], "filters": filters, "row_limit": params["row_limit"]}


def main() -> int:
    client = create_app().test_client()
    charts = client.get("/api/v1/chart/?q=(page_size:100)").json["result"]
    failed = 0
    for chart in sorted(charts, key=lambda chart: chart["slice_name"]):
        params = json.loads(client.get(f"/api/v1/chart/{chart['id']}").json["result"]["params"])
        answer = client.post("/api/v1/chart/data", json={
            "datasource": {"id": int(str(chart["datasource_id"])), "type": "table"}, "queries": [query(params)],
            "result_format": "json", "result_type": "full", "force": True})
        row_count = answer.json["result"][0]["rowcount"] if answer.status_code == 200 else 0
        print(f"{chart['slice_name']}: {row_count} rows")
        if not row_count:
            failed += 1
            print(f"  {answer.text[:1000]}", file=sys.stderr)
    print(f"{len(charts)} charts, {failed} without rows")
    return 1 if failed or len(charts) != 8 else 0


if __name__ == "__main__":
    sys.exit(main())
