"""Packs dashboards/superset into an archive that Superset imports: superset_bundle.py FILE.zip [SQLALCHEMY-URI]."""

from __future__ import annotations

import re
import sys
import zipfile
from pathlib import Path

EXPORT = Path(__file__).resolve().parents[2] / "dashboards" / "superset"


def main() -> None:
    target, *address = sys.argv[1:]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(EXPORT.rglob("*.yaml")):
            text = path.read_text()
            if address and path.parent.name == "databases":
                text = re.sub("^sqlalchemy_uri: .*$", f"sqlalchemy_uri: {address[0]}", text, flags=re.MULTILINE)
            archive.writestr(f"gamebase/{path.relative_to(EXPORT)}", text)


if __name__ == "__main__":
    main()
