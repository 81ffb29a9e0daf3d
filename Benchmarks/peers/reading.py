"""DuckDB's JSON reader on all cores: receipts as a query, for DuckDB and as Arrow for other tools.

It can read numbers as text. Arrow's own JSON reader cannot, and it refuses a column with numbers in
one line and texts in another.
"""

from __future__ import annotations

import duckdb

FIELDS = (
    "paymentSeq", "appId", "userId", "gamebaseProductId", "marketItemId", "productId", "itemSeq",
    "productSeq", "productType", "storeCode", "marketId", "currency", "price", "purchaseTime",
    "purchaseTimeMillis", "expiryTime", "expiryTimeMillis", "paymentId", "originalPaymentId",
    "payload", "purchaseToken", "accessToken", "sandboxPayment", "isTestPurchase",
    "bIsTestPurchase", "promotionPayment", "isPromotion", "bIsPromotion")


def connect() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("set TimeZone = 'UTC'")
    # Less memory and more speed, because the tables have no order.
    connection.execute("set preserve_insertion_order = false")
    return connection


def time(*names: str) -> str:
    """A time from epoch milliseconds or RFC 3339; 0 and "" are absent."""
    value = f"nullif(nullif(coalesce({', '.join(names)}), ''), '0')"
    return (
        f"coalesce(make_timestamptz((try_cast({value} as double) * 1000)::bigint), "
        f"case when try_cast({value} as double) is null then {value}::timestamptz end)")


def query(path: str) -> str:
    """A query for the rows of a file, with the columns of `receipts.COLUMNS`."""
    fields = ", ".join(f"{field}: 'VARCHAR'" for field in FIELDS)
    return f"""
select
  paymentSeq as payment_seq, coalesce(appId, '') as app_id, userId as user_id,
  gamebaseProductId as gamebase_product_id, coalesce(marketItemId, productId) as market_item_id,
  coalesce(itemSeq, productSeq)::bigint as item_seq,
  case when productType in ('CONSUMABLE', 'AUTO_RENEWABLE', 'CONSUMABLE_AUTO_RENEWABLE')
    then productType else 'UNKNOWN' end as product_type,
  coalesce(storeCode, marketId) as store_code, currency,
  round(price::double * 100)::bigint as amount_minor,
  false as price_repaired, false as price_imprecise,
  {time("purchaseTime", "purchaseTimeMillis")} as purchased_at,
  {time("expiryTime", "expiryTimeMillis")} as expires_at,
  paymentId as payment_id, originalPaymentId as original_payment_id, payload,
  unhex(sha256(coalesce(purchaseToken, accessToken))) as purchase_token_sha256,
  coalesce(sandboxPayment, isTestPurchase, bIsTestPurchase)::boolean as is_sandbox,
  coalesce(promotionPayment, isPromotion, bIsPromotion)::boolean as is_promotion,
  false as text_repaired, 0::bigint as source_file_id, row_number() over ()::bigint as line_number
from read_json('{path}', format = 'newline_delimited', columns = {{{fields}}})"""
