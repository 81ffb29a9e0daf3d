"""ADBC's driver for PostgreSQL, fed with Arrow batches: append or merge.

    adbc_arrow.py append|merge FILE CONNINFO
"""

from __future__ import annotations

import sys

from adbc_driver_postgresql import dbapi
from reading import connect, query
from receipts import MERGE

# Rows per batch.
BATCH = 122_880


def main() -> None:
    manner, path, conninfo = sys.argv[1:]
    batches = connect().execute(query(path)).to_arrow_reader(BATCH)
    with dbapi.connect(conninfo) as connection, connection.cursor() as cursor:
        if manner == "append":
            cursor.adbc_ingest("receipt", batches, mode="append", db_schema_name="game")
        else:
            cursor.adbc_ingest("staged", batches, mode="create", temporary=True)
            cursor.execute(MERGE.format(staged="staged"))
        connection.commit()


main()
