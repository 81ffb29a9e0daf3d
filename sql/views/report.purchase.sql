create or replace view report.purchase as
select
  r.payment_seq,
  r.app_id,
  r.user_id,
  r.gamebase_product_id,
  f.market_item_id,
  f.item_seq,
  f.product_type,
  f.product_type_raw,
  r.store_code,
  r.currency,
  r.amount_minor,
  f.price_raw,
  f.price_repaired,
  r.price_imprecise,
  r.purchased_at,
  f.expires_at,
  f.payment_id,
  f.original_payment_id,
  r.is_sandbox,
  r.is_promotion,
  f.text_repaired,
  f.source_file_id,
  f.line_number,
  r.day as purchased_on,
  (r.amount_minor * c.minor_unit_value)::numeric(38, 4) as amount,
  r.is_paid,
  r.is_sandbox is not null as is_sandbox_known,
  r.is_first_paid,
  p.chain_id,
  r.user_level,
  case when r.is_level_exact then 'exact' when not r.is_level_exact then 'highest_of_several' else 'none' end
    collate "C" as level_attribution,
  r.channel_id,
  r.character_id,
  r.class_id,
  b.currency as base_currency,
  (r.amount_minor * c.minor_unit_value * e.rate)::numeric(60, 16) as base_amount,
  coalesce(st.name, r.store_code, 'unknown') as store_name,
  coalesce(n.product_name, r.gamebase_product_id, 'unknown') as product_name
from rollup.purchase r
left join game.receipt f on f.payment_seq = r.payment_seq
join game.currency c on c.currency = r.currency
cross join rollup.base_unit b
left join rollup.day_rate e on e.currency = r.currency and e.day = r.day
left join rollup.subscription_period p
  on p.app_id = r.app_id and p.user_id = r.user_id and p.payment_seq = r.payment_seq
left join game.store st on st.store_code = r.store_code
left join rollup.product_name n on n.app_id = r.app_id and n.gamebase_product_id = r.gamebase_product_id;

comment on view report.purchase is
  'One row per payment (paymentSeq), sandbox included, with its day, its place in a subscription and the level of the user. Until the next refresh, a value that a later file filled shows already in market_item_id, item_seq, product_type, expires_at, payment_id and original_payment_id.';
comment on column report.purchase.product_type_raw is 'The product type as written in the line, when it differs from product_type; otherwise NULL.';
comment on column report.purchase.amount_minor is 'Price in the minor unit of the currency; NULL when the vendor gave no price. Also of sandbox and promotional purchases.';
comment on column report.purchase.price_raw is 'The price as written in the line, when it was repaired or is imprecise; otherwise NULL.';
comment on column report.purchase.price_repaired is 'True when the loader rounded off the error of a 32-bit float.';
comment on column report.purchase.price_imprecise is 'True when the amount is so large that a 32-bit float may not have held it exactly.';
comment on column report.purchase.expires_at is 'End of the subscription period; NULL for a purchase that is not a subscription.';
comment on column report.purchase.payment_id is 'The store''s reference of the payment; not unique. NULL when missing.';
comment on column report.purchase.original_payment_id is 'The store''s reference of the first payment of the subscription; NULL when not given.';
comment on column report.purchase.is_sandbox is 'True for test purchases; NULL when the line has no flag.';
comment on column report.purchase.is_promotion is 'True for promotional purchases; NULL when the line has no flag.';
comment on column report.purchase.purchased_on is 'Day of the purchase in the reporting zone.';
comment on column report.purchase.is_paid is 'True for a production purchase with a price above 0 that is not a promotion. Revenue and payers count these.';
comment on column report.purchase.is_sandbox_known is 'False when the line has no sandbox flag; such a purchase counts as production.';
comment on column report.purchase.is_first_paid is 'True for the user''s first paid purchase in the application; of purchases at one instant, the smallest payment_seq.';
comment on column report.purchase.user_level is 'Level of the user at the purchase; of several characters the highest. NULL when unknown.';
comment on column report.purchase.channel_id is 'Channel at the purchase; NULL unless level_attribution is exact.';
comment on column report.purchase.character_id is 'Character at the purchase; NULL unless level_attribution is exact.';
comment on column report.purchase.class_id is 'Class at the purchase; NULL unless level_attribution is exact.';
comment on column report.purchase.base_amount is 'amount in the base currency, exact: by the rate of the day of the purchase, or the last one of the 7 days before it. NULL without such a rate or without a price.';
