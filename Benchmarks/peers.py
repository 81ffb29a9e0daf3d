"""Other tools that load receipts, each with its best settings, in a Python of its own with the packages of requirements.txt.

    peers.py psycopg|adbc|dlt|duckdb append|merge FILE CONNINFO

*Append* copies into the table; *merge* copies into a second table and inserts the missing rows. They fill the columns
that need no knowledge of currencies or secrets, as a handwritten loader does: every currency gets two digits, which is
wrong for some. `extra` and the original texts stay NULL.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from urllib.parse import quote

# With PostgreSQL's types for the tools that need them.
COLUMNS = {
    "payment_seq": "text", "app_id": "text", "user_id": "text", "gamebase_product_id": "text",
    "market_item_id": "text", "item_seq": "int8", "product_type": "text", "store_code": "text", "currency": "text",
    "amount_minor": "int8", "price_repaired": "bool", "price_imprecise": "bool", "purchased_at": "timestamptz",
    "expires_at": "timestamptz", "payment_id": "text", "original_payment_id": "text", "payload": "text",
    "purchase_token_sha256": "bytea", "is_sandbox": "bool", "is_promotion": "bool", "text_repaired": "bool",
    "source_file_id": "int8", "line_number": "int8"}
# The members of a line.
FIELDS = """
    paymentSeq appId userId gamebaseProductId marketItemId productId itemSeq productSeq productType storeCode marketId
    currency price purchaseTime purchaseTimeMillis expiryTime expiryTimeMillis paymentId originalPaymentId payload
    purchaseToken accessToken sandboxPayment isTestPurchase bIsTestPurchase promotionPayment isPromotion bIsPromotion
    """.split()
KINDS = ("CONSUMABLE", "AUTO_RENEWABLE", "CONSUMABLE_AUTO_RENEWABLE")
NAMES = ", ".join(COLUMNS)
MERGE = f"insert into game.receipt ({NAMES}) select {NAMES} from {{}} on conflict do nothing"
# Rows of a batch of Arrow.
BATCH = 122_880
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def psycopg(manner: str, path: str, conninfo: str) -> None:
    """psycopg 3 with orjson: COPY in binary format."""
    import psycopg

    with psycopg.connect(conninfo) as connection, connection.cursor() as cursor:
        if manner == "merge":
            cursor.execute("create temp table staged (like game.receipt) on commit drop")
        target = "staged" if manner == "merge" else "game.receipt"
        with cursor.copy(f"copy {target} ({NAMES}) from stdin (format binary)") as copy:
            copy.set_types(list(COLUMNS.values()))
            for row in rows(path):
                copy.write_row(row)
        if manner == "merge":
            cursor.execute(MERGE.format("staged"))


def adbc(manner: str, path: str, conninfo: str) -> None:
    """ADBC's driver for PostgreSQL, fed with Arrow batches."""
    from adbc_driver_postgresql import dbapi

    batches = connect().execute(query(path)).to_arrow_reader(BATCH)
    with dbapi.connect(conninfo) as connection, connection.cursor() as cursor:
        if manner == "append":
            cursor.adbc_ingest("receipt", batches, mode="append", db_schema_name="game")
        else:
            cursor.adbc_ingest("staged", batches, mode="create", temporary=True)
            cursor.execute(MERGE.format("staged"))
        connection.commit()


def dlt(manner: str, path: str, conninfo: str) -> None:
    """dlt, fed with Arrow batches that it loads through ADBC. Its merge inserts only missing rows, by the table's key."""
    # Set before dlt is imported: no telemetry, and no restored state.
    os.environ |= {
        "RUNTIME__DLTHUB_TELEMETRY": "false", "RUNTIME__LOG_LEVEL": "ERROR", "RESTORE_FROM_DESTINATION": "false",
        "DATA_WRITER__FILE_MAX_ITEMS": "250000", "LOAD__WORKERS": "2", "EXTRACT__WORKERS": "1",
        "NORMALIZE__WORKERS": "1"}
    import dlt

    words = dict(word.split("=", 1) for word in shlex.split(conninfo))
    address = f"postgresql://{words['user']}:unused@localhost/{words['dbname']}?host={quote(words['host'], safe='')}"
    disposition = {"disposition": "merge", "strategy": "insert-only"} if manner == "merge" else "append"

    @dlt.resource(name="receipt", primary_key="payment_seq", write_disposition=disposition)
    def receipt() -> Iterator[Any]:
        yield from connect().execute(query(path)).to_arrow_reader(BATCH)

    with tempfile.TemporaryDirectory() as folder:
        pipeline = dlt.pipeline("receipts", pipelines_dir=folder, dataset_name="game",
                                destination=dlt.destinations.postgres(address))
        pipeline.run(receipt(), loader_file_format="parquet").raise_on_failed_jobs()


def duckdb(manner: str, path: str, conninfo: str) -> None:
    """DuckDB with its postgres extension, which writes by COPY in binary format."""
    import duckdb_extension_postgres_scanner as extension

    duck = connect()
    # The extension from the package; otherwise DuckDB would download it.
    duck.execute(f"load '{next(Path(extension.__file__).parent.glob('extensions/*/*.duckdb_extension'))}'")
    quoted = conninfo.replace("'", "''")
    duck.execute(f"attach '{quoted}' as pg (type postgres)")
    if manner == "append":
        duck.execute(f"insert into pg.game.receipt ({NAMES}) {query(path)}")
        return
    # DuckDB does not support "on conflict" here. The staging table is not temporary, because each of its connections
    # would have its own; an unlogged table is as fast.
    call = "call postgres_execute('pg', ?)"
    duck.execute(call, ["drop table if exists game.receipt_staged"])
    duck.execute(call, ["create unlogged table game.receipt_staged (like game.receipt)"])
    duck.execute("call pg_clear_cache()")
    duck.execute(f"insert into pg.game.receipt_staged ({NAMES}) {query(path)}")
    duck.execute(call, [MERGE.format("game.receipt_staged")])
    duck.execute(call, ["drop table game.receipt_staged"])


def rows(path: str) -> Iterator[tuple[Any, ...]]:
    """The values of each line, in the order of `COLUMNS`."""
    import orjson

    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            get = orjson.loads(line).get
            token = get("purchaseToken") or get("accessToken")
            sandbox, promotion = get("sandboxPayment"), get("promotionPayment")
            if sandbox is None:
                sandbox = get("isTestPurchase") if get("isTestPurchase") is not None else get("bIsTestPurchase")
            if promotion is None:
                promotion = get("isPromotion") if get("isPromotion") is not None else get("bIsPromotion")
            kind = get("productType")
            yield (
                get("paymentSeq"), get("appId") or "", get("userId"), get("gamebaseProductId"),
                get("marketItemId") or get("productId"), get("itemSeq") or get("productSeq"),
                kind if kind in KINDS else "UNKNOWN", get("storeCode") or get("marketId"), get("currency"),
                round(get("price") * 100), False, False, time(get("purchaseTime") or get("purchaseTimeMillis")),
                time(get("expiryTime") or get("expiryTimeMillis")), get("paymentId"), get("originalPaymentId"),
                get("payload"), hashlib.sha256(token.encode()).digest() if token else None, sandbox, promotion, False, 0,
                number)


def time(value: Any) -> datetime | None:
    """A time from epoch milliseconds or RFC 3339; 0 and "" are absent."""
    if not value:
        return None
    if isinstance(value, str) and not value.isdigit():
        return datetime.fromisoformat(value)
    return EPOCH + timedelta(milliseconds=float(value))


def connect() -> Any:
    import duckdb

    connection = duckdb.connect()
    connection.execute("set TimeZone = 'UTC'")
    # Less memory and more speed, because the tables have no order.
    connection.execute("set preserve_insertion_order = false")
    return connection


def query(path: str) -> str:
    """A query of DuckDB, whose JSON reader uses all cores, with the columns of `COLUMNS`.

    It can read numbers as text. Arrow's own JSON reader cannot, and it refuses a column with numbers in one line and texts
    in another.
    """
    def instant(name: str) -> str:
        value = f"nullif(nullif(coalesce({name}, {name}Millis), ''), '0')"
        return (f"coalesce(make_timestamptz((try_cast({value} as double) * 1000)::bigint), "
                f"case when try_cast({value} as double) is null then {value}::timestamptz end)")

    select = f"""
select
  paymentSeq as payment_seq, coalesce(appId, '') as app_id, userId as user_id,
  gamebaseProductId as gamebase_product_id, coalesce(marketItemId, productId) as market_item_id,
  coalesce(itemSeq, productSeq)::bigint as item_seq,
  case when productType in {KINDS} then productType else 'UNKNOWN' end as product_type,
  coalesce(storeCode, marketId) as store_code, currency, round(price::double * 100)::bigint as amount_minor,
  false as price_repaired, false as price_imprecise, {instant("purchaseTime")} as purchased_at,
  {instant("expiryTime")} as expires_at, paymentId as payment_id, originalPaymentId as original_payment_id, payload,
  unhex(sha256(coalesce(purchaseToken, accessToken))) as purchase_token_sha256,
  coalesce(sandboxPayment, isTestPurchase, bIsTestPurchase)::boolean as is_sandbox,
  coalesce(promotionPayment, isPromotion, bIsPromotion)::boolean as is_promotion,
  false as text_repaired, 0::bigint as source_file_id, row_number() over ()::bigint as line_number"""
    members = ", ".join(f"{name}: 'VARCHAR'" for name in FIELDS)
    return f"{select} from read_json('{path}', format = 'newline_delimited', columns = {{{members}}})"


if __name__ == "__main__":
    {"psycopg": psycopg, "adbc": adbc, "dlt": dlt, "duckdb": duckdb}[sys.argv[1]](*sys.argv[2:])
