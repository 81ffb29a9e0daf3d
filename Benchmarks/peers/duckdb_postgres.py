"""DuckDB with its postgres extension, which writes by COPY in binary format: append or merge.

    duckdb_postgres.py append|merge FILE CONNINFO
"""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb_extension_postgres_scanner as extension
from reading import connect, query
from receipts import COLUMNS, MERGE


def main() -> None:
    manner, path, conninfo = sys.argv[1:]
    # The extension from the package; otherwise DuckDB would download it.
    library = next(Path(extension.__file__).parent.glob("extensions/*/*.duckdb_extension"))
    quoted = conninfo.replace("'", "''")
    duck = connect()
    duck.execute(f"load '{library}'")
    duck.execute(f"attach '{quoted}' as pg (type postgres)")
    names = ", ".join(COLUMNS)
    if manner == "append":
        duck.execute(f"insert into pg.game.receipt ({names}) {query(path)}")
        return
    # DuckDB does not support "on conflict" here. The staging table is not temporary, because each of
    # its connections would have its own; an unlogged table is as fast.
    call = "call postgres_execute('pg', ?)"
    duck.execute(call, ["drop table if exists game.receipt_staged"])
    duck.execute(call, ["create unlogged table game.receipt_staged (like game.receipt)"])
    duck.execute("call pg_clear_cache()")
    duck.execute(f"insert into pg.game.receipt_staged ({names}) {query(path)}")
    duck.execute(call, [MERGE.format(staged="game.receipt_staged")])
    duck.execute(call, ["drop table game.receipt_staged"])


main()
