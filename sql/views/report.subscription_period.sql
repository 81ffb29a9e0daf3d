create or replace view report.subscription_period as
select
  s.payment_seq,
  s.app_id,
  s.user_id,
  s.gamebase_product_id,
  s.store_code,
  s.currency,
  s.amount_minor,
  (s.amount_minor * c.minor_unit_value)::numeric(38, 4) as amount,
  s.chain_id,
  s.chain_rule,
  s.starts_at,
  s.ends_at,
  s.period_kind,
  s.is_trial,
  s.is_paid,
  s.period_kind is null as is_overlapped,
  coalesce(st.name, s.store_code, 'unknown') as store_name,
  coalesce(n.product_name, s.gamebase_product_id, 'unknown') as product_name
from rollup.subscription_period s
join game.currency c on c.currency = s.currency
left join game.store st on st.store_code = s.store_code
left join rollup.product_name n on n.app_id = s.app_id and n.gamebase_product_id = s.gamebase_product_id;

comment on view report.subscription_period is
  'One row per payment (paymentSeq) of a subscription: production, with an expiry, of type AUTO_RENEWABLE or CONSUMABLE_AUTO_RENEWABLE. A chain joins the payments of one subscription of a user. Google''s new order number after a change of plan begins a new chain.';
comment on column report.subscription_period.amount_minor is 'Price in the minor unit of the currency, also of trials and promotions; NULL when the vendor gave no price.';
comment on column report.subscription_period.chain_rule is
  'The rule that joins this payment to its chain: original (it names an original payment), google (an order number GPA.…), payment (another payment has or names its payment id), or product (none of them: payments of one product and store).';
comment on column report.subscription_period.starts_at is
  'Start of the period: the purchase, or the end of the chain''s earlier periods when that is later. A start that would lie after a receipt of another product in the chain moves to that receipt.';
comment on column report.subscription_period.ends_at is
  'First instant after the period: the expiry, or the purchase of another product in the chain when that is earlier. Equal to starts_at for an overlapped period.';
comment on column report.subscription_period.period_kind is
  'new (the first period with a length), continued (the first in the receipts, but its order number or its original payment tells of earlier ones that the user''s receipts, of any kind, lack), renewal, or resubscription (bought more than 16 times 24 hours after the latest end of a period with a length); NULL for an overlapped period.';
comment on column report.subscription_period.is_trial is 'True for the price 0 without a promotion.';
comment on column report.subscription_period.is_paid is 'True for a price above 0 without a promotion.';
comment on column report.subscription_period.is_overlapped is 'True for a period without length, which is neither new nor a renewal.';
