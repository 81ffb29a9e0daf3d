"""YAML without a package: nested dictionaries and lists, with texts in the quotes of JSON, which YAML reads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any


def yaml(value: Any, indent: str = "") -> Iterator[str]:
    """The lines of a value."""
    if isinstance(value, dict):
        for key, part in value.items():
            if isinstance(part, dict) or isinstance(part, list) and any(isinstance(item, dict) for item in part):
                yield f"{indent}{key}:"
                yield from yaml(part, indent + "  ")
            else:
                yield f"{indent}{key}: {scalar(part)}"
    elif isinstance(value, list):
        for part in value:
            first, *rest = yaml(part, indent + "  ")
            yield f"{indent}- {first.lstrip()}"
            yield from rest
    else:
        yield indent + scalar(value)


def scalar(value: Any) -> str:
    """A value on one line. dbt and Superset read braces in texts as Jinja."""
    if isinstance(value, str) and re.search(r"\{[{%#]", value):
        raise SystemExit(f"this text would be rendered as a template: {value}")
    plain = isinstance(value, str) and re.fullmatch(r"[a-z_]+", value) and value not in ("no", "null", "yes", "on", "off")
    return str(value) if plain else json.dumps(value, ensure_ascii=False)
