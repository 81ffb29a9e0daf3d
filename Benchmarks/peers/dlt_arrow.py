"""dlt, fed with Arrow batches that it loads through ADBC: append or merge.

    dlt_arrow.py append|merge FILE CONNINFO

Its merge inserts only missing rows, by the key of game.receipt.
"""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from collections.abc import Iterator
from urllib.parse import quote

import pyarrow as pa

# Set before dlt is imported: no telemetry, and no restored state.
os.environ |= {
    "RUNTIME__DLTHUB_TELEMETRY": "false", "RUNTIME__LOG_LEVEL": "ERROR",
    "RESTORE_FROM_DESTINATION": "false",
    "DATA_WRITER__FILE_MAX_ITEMS": "250000", "LOAD__WORKERS": "2", "EXTRACT__WORKERS": "1",
    "NORMALIZE__WORKERS": "1",
}
import dlt  # noqa: E402
from reading import connect, query  # noqa: E402


def main() -> None:
    manner, path, conninfo = sys.argv[1:]
    words = dict(word.split("=", 1) for word in shlex.split(conninfo))
    url = (
        f"postgresql://{words['user']}:unused@localhost/{words['dbname']}?host={quote(words['host'], safe='')}")

    @dlt.resource(
        name="receipt", primary_key="payment_seq",
        write_disposition={"disposition": "merge", "strategy": "insert-only"}
        if manner == "merge" else "append")
    def receipt() -> Iterator[pa.RecordBatch]:
        yield from connect().execute(query(path)).to_arrow_reader(122_880)

    with tempfile.TemporaryDirectory() as folder:
        pipeline = dlt.pipeline(
            "receipts", pipelines_dir=folder, dataset_name="game",
            destination=dlt.destinations.postgres(url))
        pipeline.run(receipt(), loader_file_format="parquet").raise_on_failed_jobs()


main()
