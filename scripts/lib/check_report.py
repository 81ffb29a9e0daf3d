"""Validates reports of `load --report` against docs/report.schema.json. The arguments are the paths of the reports.

Prints the errors of each report and exits with 1. The schema must be valid, declare every key (a report with an
undeclared key is invalid) and describe it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "report.schema.json"


def undescribed(schema: Any, place: str = "#") -> Iterator[str]:
    """The locations of keys without a description, and of objects that allow undeclared keys."""
    if isinstance(schema, list):
        for index, part in enumerate(schema):
            yield from undescribed(part, f"{place}/{index}")
    if not isinstance(schema, dict):
        return
    if "object" in schema.get("type", ()) and "additionalProperties" not in schema:
        yield f"{place} allows any key"
    for name, part in schema.items():
        if name == "properties":
            for key, value in part.items():
                if not value.get("description"):
                    yield f"{place}/properties/{key} has no description"
        yield from undescribed(part, f"{place}/{name}")


def main() -> int:
    schema = json.loads(SCHEMA.read_text())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    faults = list(undescribed(schema))
    for path in sys.argv[1:]:
        report = json.loads(Path(path).read_text())
        faults += [
            f"{path}: {error.json_path}: {error.message}" for error in validator.iter_errors(report)]
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
