"""Runs the query of every chart of a Superset server, as its pages do: superset_charts.py URL. Needs no login there.

Prints the number of rows of each chart, and exits with 1 if a query fails or has no row.
"""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from typing import Any


def call(address: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """The answer of the server, also to a refused request."""
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        return {"message": f"{error.code}: {error.read().decode()[:500]}"}


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
    url = sys.argv[1].rstrip("/")
    charts = call(f"{url}/api/v1/chart/?q=(page_size:100)")["result"]
    failed = 0
    for chart in sorted(charts, key=lambda chart: chart["slice_name"]):
        params = json.loads(call(f"{url}/api/v1/chart/{chart['id']}")["result"]["params"])
        source = {"id": int(str(chart["datasource_id"])), "type": "table"}
        answer = call(f"{url}/api/v1/chart/data", {
            "datasource": source, "queries": [query(params)], "result_format": "json", "result_type": "full",
            "force": True})
        row_count = answer["result"][0]["rowcount"] if "result" in answer else 0
        print(f"{chart['slice_name']}: {row_count} rows")
        if row_count == 0:
            failed += 1
            print(f"  {answer.get('message') or answer['result'][0].get('query')}", file=sys.stderr)
    print(f"{len(charts)} charts, {failed} without rows")
    return 1 if failed or len(charts) != 8 else 0


if __name__ == "__main__":
    sys.exit(main())
