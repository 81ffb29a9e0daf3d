-- The usual handwritten loader: the lines into jsonb, then one statement that extracts the columns.
-- The best settings: an unlogged staging table, keys COLLATE "C" as in the target, no other index.
-- It validates nothing: any faulty line ends it, and amounts ignore the table of currencies.
\set ON_ERROR_STOP on
create unlogged table raw_line (document jsonb);
\copy raw_line from pstdin with (format csv, quote e'\x01', delimiter e'\x02')
insert into game.receipt (
  payment_seq, app_id, user_id, gamebase_product_id, market_item_id, item_seq, product_type,
  store_code, currency, amount_minor, price_repaired, price_imprecise, purchased_at, expires_at,
  payment_id, original_payment_id, payload, purchase_token_sha256, is_sandbox, is_promotion,
  text_repaired, source_file_id, line_number)
select
  document ->> 'paymentSeq', coalesce(document ->> 'appId', ''), document ->> 'userId',
  document ->> 'gamebaseProductId',
  coalesce(document ->> 'marketItemId', document ->> 'productId'),
  coalesce(document ->> 'itemSeq', document ->> 'productSeq')::numeric::bigint,
  case when document ->> 'productType' in
      ('CONSUMABLE', 'AUTO_RENEWABLE', 'CONSUMABLE_AUTO_RENEWABLE')
    then document ->> 'productType' else 'UNKNOWN' end,
  coalesce(document ->> 'storeCode', document ->> 'marketId'), document ->> 'currency',
  round((document ->> 'price')::numeric * 100), false, false,
  case when document ->> 'purchaseTime' ~ '^[0-9.]+$'
    then to_timestamp((document ->> 'purchaseTime')::numeric / 1000)
    else coalesce(to_timestamp((document ->> 'purchaseTimeMillis')::numeric / 1000),
      (document ->> 'purchaseTime')::timestamptz) end,
  case when document ->> 'expiryTime' ~ '^[0-9.]+$'
    then to_timestamp(nullif((document ->> 'expiryTime')::numeric, 0) / 1000)
    else coalesce(to_timestamp(nullif((document ->> 'expiryTimeMillis')::numeric, 0) / 1000),
      nullif(document ->> 'expiryTime', '')::timestamptz) end,
  document ->> 'paymentId', document ->> 'originalPaymentId', document ->> 'payload',
  sha256(convert_to(coalesce(document ->> 'purchaseToken', document ->> 'accessToken'), 'UTF8')),
  coalesce(document ->> 'sandboxPayment', document ->> 'isTestPurchase',
    document ->> 'bIsTestPurchase')::boolean,
  coalesce(document ->> 'promotionPayment', document ->> 'isPromotion',
    document ->> 'bIsPromotion')::boolean,
  false, 0, 1
from raw_line
on conflict do nothing;
drop table raw_line;
