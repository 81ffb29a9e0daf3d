"""psycopg 3 with orjson: COPY in binary format, append or merge.

    psycopg_copy.py append|merge FILE CONNINFO
"""

from __future__ import annotations

import sys

import psycopg
from receipts import COLUMNS, MERGE, rows


def main() -> None:
    manner, path, conninfo = sys.argv[1:]
    target = "staged" if manner == "merge" else "game.receipt"
    with psycopg.connect(conninfo) as connection, connection.cursor() as cursor:
        if manner == "merge":
            cursor.execute("create temp table staged (like game.receipt) on commit drop")
        statement = f"copy {target} ({', '.join(COLUMNS)}) from stdin (format binary)"
        with cursor.copy(statement) as copy:
            copy.set_types(list(COLUMNS.values()))
            for row in rows(path):
                copy.write_row(row)
        if manner == "merge":
            cursor.execute(MERGE.format(staged="staged"))


main()
