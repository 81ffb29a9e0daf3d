-- The receipts that form subscriptions, so that a refresh finds those of a player without reading all purchases.
create index purchase_subscription on report.purchase_rollup (player_id)
  where expires_at is not null and product_type in ('AUTO_RENEWABLE', 'CONSUMABLE_AUTO_RENEWABLE')
    and is_sandbox is not true;

create table report.subscription_period_rollup (
  payment_seq text collate "C" primary key,
  player_id bigint not null,
  app_id text collate "C" not null,
  gamebase_product_id text collate "C",
  store_code text collate "C",
  currency text collate "C" not null,
  amount_minor bigint,
  purchased_at timestamptz not null,
  purchased_on date not null,
  chain_id text collate "C" not null,
  chain_rule text collate "C" not null check (chain_rule in ('original', 'google', 'payment', 'product')),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at >= starts_at),
  starts_on date not null,
  ends_on date not null,
  length_in_days integer not null,
  period_kind text collate "C" check (period_kind in ('new', 'continued', 'renewal', 'resubscription')),
  is_trial boolean not null,
  is_paid boolean not null,
  is_overlapped boolean not null check (is_overlapped = (period_kind is null)),
  is_converted boolean not null,
  is_renewed boolean not null,
  is_expiry boolean not null,
  renewal_number bigint,
  cohort_month date,
  cohort_product_id text collate "C"
);
create index subscription_period_player on report.subscription_period_rollup (player_id);
create index subscription_period_end on report.subscription_period_rollup (app_id, ends_at);
comment on table report.subscription_period_rollup is
  'One row per subscription receipt: its chain and its period. Written by: report.refresh.';
comment on column report.subscription_period_rollup.payment_seq is 'The vendor''s number of the payment.';
comment on column report.subscription_period_rollup.player_id is 'The player in report.player_rollup.';
comment on column report.subscription_period_rollup.app_id is 'The application.';
comment on column report.subscription_period_rollup.gamebase_product_id is 'The product; NULL when missing.';
comment on column report.subscription_period_rollup.store_code is 'The store; NULL when missing.';
comment on column report.subscription_period_rollup.currency is 'ISO 4217 code.';
comment on column report.subscription_period_rollup.amount_minor is 'Price in the minor unit of the currency; NULL when unpriced.';
comment on column report.subscription_period_rollup.purchased_at is 'Time of the purchase.';
comment on column report.subscription_period_rollup.purchased_on is 'Day of the purchase.';
comment on column report.subscription_period_rollup.chain_id is 'The chain: its smallest payment_seq.';
comment on column report.subscription_period_rollup.chain_rule is 'The rule that joins this receipt to its chain: original, google, payment or product.';
comment on column report.subscription_period_rollup.starts_at is 'Start of the period.';
comment on column report.subscription_period_rollup.ends_at is 'First instant after the period, after a cut by a receipt of another product.';
comment on column report.subscription_period_rollup.starts_on is 'Day of starts_at.';
comment on column report.subscription_period_rollup.ends_on is 'Day of ends_at.';
comment on column report.subscription_period_rollup.length_in_days is 'Length before such a cut, to the nearest 24 hours; 0 for an overlapped period.';
comment on column report.subscription_period_rollup.period_kind is 'new, continued, renewal or resubscription; NULL for an overlapped period.';
comment on column report.subscription_period_rollup.is_trial is 'True for the price 0 without a promotion.';
comment on column report.subscription_period_rollup.is_paid is 'True for a paid purchase.';
comment on column report.subscription_period_rollup.is_overlapped is 'True for a period without length: another period of the chain covers it, or a receipt of another product ended it before it started.';
comment on column report.subscription_period_rollup.is_converted is 'True for the first paid period after a trial, where it is a renewal.';
comment on column report.subscription_period_rollup.is_renewed is 'True when the next period of the chain is a renewal.';
comment on column report.subscription_period_rollup.is_expiry is 'True when no renewal was bought within 16 days after the end, as far as is known. The end can lie after the newest receipt.';
comment on column report.subscription_period_rollup.renewal_number is 'n for the n-th period of a chain that begins with a new one, up to the first resubscription; else NULL.';
comment on column report.subscription_period_rollup.cohort_month is 'First day of the month in which the chain''s first period starts; NULL without a renewal_number.';
comment on column report.subscription_period_rollup.cohort_product_id is 'Product of the chain''s first period; NULL without a renewal_number.';

create table report.subscription_change_day_rollup (
  app_id text collate "C" not null,
  gamebase_product_id text collate "C",
  store_code text collate "C",
  day date not null,
  paid_change bigint not null,
  trial_change bigint not null,
  other_change bigint not null,
  new_count bigint not null,
  continued_count bigint not null,
  converted_count bigint not null,
  renewed_count bigint not null,
  resubscribed_count bigint not null,
  expired_count bigint not null,
  overlapped_count bigint not null,
  constraint subscription_change_day_once unique nulls not distinct (app_id, gamebase_product_id, store_code, day)
);
alter table report.subscription_change_day_rollup replica identity full;
comment on table report.subscription_change_day_rollup is
  'One row per application, product, store and day on which a subscription period starts, ends or is overlapped, also after the newest receipt. Written by: report.refresh.';
comment on column report.subscription_change_day_rollup.app_id is 'The application.';
comment on column report.subscription_change_day_rollup.gamebase_product_id is 'The product; NULL when missing.';
comment on column report.subscription_change_day_rollup.store_code is 'The store; NULL when missing.';
comment on column report.subscription_change_day_rollup.day is 'The day.';
comment on column report.subscription_change_day_rollup.paid_change is 'Paid periods that start, less those that end.';
comment on column report.subscription_change_day_rollup.trial_change is 'Trials that start, less those that end.';
comment on column report.subscription_change_day_rollup.other_change is 'Other periods that start, less those that end.';
comment on column report.subscription_change_day_rollup.new_count is 'New periods that start.';
comment on column report.subscription_change_day_rollup.continued_count is 'Continued periods that start.';
comment on column report.subscription_change_day_rollup.converted_count is 'First paid periods after a trial that start.';
comment on column report.subscription_change_day_rollup.renewed_count is 'Renewals that start.';
comment on column report.subscription_change_day_rollup.resubscribed_count is 'Resubscriptions that start.';
comment on column report.subscription_change_day_rollup.expired_count is 'Periods that end without a known renewal.';
comment on column report.subscription_change_day_rollup.overlapped_count is 'Overlapped periods that were bought.';

create table report.subscription_day_rollup (
  day date not null,
  app_id text collate "C" not null,
  gamebase_product_id text collate "C",
  store_code text collate "C",
  active_paid bigint not null,
  active_trial bigint not null,
  active_other bigint not null,
  new_count bigint not null,
  continued_count bigint not null,
  converted_count bigint not null,
  renewed_count bigint not null,
  resubscribed_count bigint not null,
  expired_count bigint not null,
  overlapped_count bigint not null,
  constraint subscription_day_once unique nulls not distinct (day, app_id, gamebase_product_id, store_code)
);
alter table report.subscription_day_rollup replica identity full;
comment on table report.subscription_day_rollup is
  'One row per day from the first receipt of the application to the newest, application, product and store with any subscription. Written by: report.refresh.';
comment on column report.subscription_day_rollup.day is 'The day.';
comment on column report.subscription_day_rollup.app_id is 'The application.';
comment on column report.subscription_day_rollup.gamebase_product_id is 'The product; NULL when missing.';
comment on column report.subscription_day_rollup.store_code is 'The store; NULL when missing.';
comment on column report.subscription_day_rollup.active_paid is 'Paid periods that are active at the end of the day.';
comment on column report.subscription_day_rollup.active_trial is 'Trials that are active at the end of the day.';
comment on column report.subscription_day_rollup.active_other is 'Other periods that are active at the end of the day.';
comment on column report.subscription_day_rollup.new_count is 'New periods that start.';
comment on column report.subscription_day_rollup.continued_count is 'Continued periods that start.';
comment on column report.subscription_day_rollup.converted_count is 'First paid periods after a trial that start.';
comment on column report.subscription_day_rollup.renewed_count is 'Renewals that start.';
comment on column report.subscription_day_rollup.resubscribed_count is 'Resubscriptions that start.';
comment on column report.subscription_day_rollup.expired_count is 'Periods that end without a known renewal, at or before the newest receipt.';
comment on column report.subscription_day_rollup.overlapped_count is 'Overlapped periods that were bought.';

create table report.subscription_cohort_rollup (
  app_id text collate "C" not null,
  cohort_product_id text collate "C",
  cohort_month date not null,
  renewal_number bigint not null,
  chain_count bigint not null,
  renewed_count bigint not null,
  constraint subscription_cohort_once unique nulls not distinct
    (app_id, cohort_product_id, cohort_month, renewal_number)
);
alter table report.subscription_cohort_rollup replica identity full;
comment on table report.subscription_cohort_rollup is
  'One row per application, product and month of the first period, and number of a period in the chain. Written by: report.refresh.';
comment on column report.subscription_cohort_rollup.app_id is 'The application.';
comment on column report.subscription_cohort_rollup.cohort_product_id is 'Product of the first period; NULL when missing.';
comment on column report.subscription_cohort_rollup.cohort_month is 'First day of the month in which the first period starts.';
comment on column report.subscription_cohort_rollup.renewal_number is 'n for the n-th period, without a resubscription up to it.';
comment on column report.subscription_cohort_rollup.chain_count is 'Chains with that period, also one that has not ended.';
comment on column report.subscription_cohort_rollup.renewed_count is 'Those of them whose next period is a renewal.';

create table report.mrr_change_day_rollup (
  app_id text collate "C" not null,
  currency text collate "C" not null,
  day date not null,
  amount_twelfths_change numeric not null,
  unknown_length_change bigint not null,
  primary key (app_id, currency, day)
);
comment on table report.mrr_change_day_rollup is
  'One row per application, currency and day on which a paid subscription period starts or ends, also after the newest receipt. Written by: report.refresh.';
comment on column report.mrr_change_day_rollup.app_id is 'The application.';
comment on column report.mrr_change_day_rollup.currency is 'ISO 4217 code.';
comment on column report.mrr_change_day_rollup.day is 'The day.';
comment on column report.mrr_change_day_rollup.amount_twelfths_change is
  'Monthly price of the periods that start, less those that end, in twelfths of the minor unit. Twelfths make the price of every known length a whole number.';
comment on column report.mrr_change_day_rollup.unknown_length_change is 'Periods of another length that start, less those that end.';

create table report.mrr_day_rollup (
  day date not null,
  app_id text collate "C" not null,
  currency text collate "C" not null,
  amount_minor numeric not null,
  unknown_length_count bigint not null,
  primary key (day, app_id, currency)
);
comment on table report.mrr_day_rollup is
  'One row per day from the first receipt of the application to the newest, application and currency in which it was ever paid. Written by: report.refresh.';
comment on column report.mrr_day_rollup.day is 'The day.';
comment on column report.mrr_day_rollup.app_id is 'The application.';
comment on column report.mrr_day_rollup.currency is 'ISO 4217 code.';
comment on column report.mrr_day_rollup.amount_minor is 'Monthly price of the paid periods that are active at the end of the day, rounded once to the minor unit.';
comment on column report.mrr_day_rollup.unknown_length_count is 'Active paid periods whose length has no factor; amount_minor does not include them.';

-- Working tables of a refresh, like staging.touched_player.
create unlogged table staging.subscription_receipt (
  payment_seq text collate "C" primary key,
  player_id bigint not null,
  payment_key text collate "C",
  original_key text collate "C",
  is_numbered boolean not null,
  chain_rule text collate "C" not null,
  first_key text collate "C" not null,
  second_key text collate "C",
  chain_id text collate "C" not null,
  app_id text collate "C" not null,
  gamebase_product_id text collate "C",
  store_code text collate "C",
  currency text collate "C" not null,
  amount_minor bigint,
  purchased_at timestamptz not null,
  purchased_on date not null,
  expires_at timestamptz not null,
  is_paid boolean not null,
  is_promotion boolean,
  original_payment_id text collate "C"
);
comment on table staging.subscription_receipt is
  'One row per subscription receipt of a touched player. A refresh fills it; empty between refreshes.';
comment on column staging.subscription_receipt.payment_seq is 'The payment.';
comment on column staging.subscription_receipt.player_id is 'The player; see report.player_rollup.';
comment on column staging.subscription_receipt.payment_key is 'The store''s reference of the payment, of Google without its number of a renewal.';
comment on column staging.subscription_receipt.original_key is 'The store''s reference of the first payment, of Google without its number of a renewal.';
comment on column staging.subscription_receipt.is_numbered is 'True when Google''s reference of the payment has the number of a renewal.';
comment on column staging.subscription_receipt.chain_rule is 'The rule that joins the receipt to its chain.';
comment on column staging.subscription_receipt.first_key is 'Receipts of a player with the same key are in one chain.';
comment on column staging.subscription_receipt.second_key is 'Another such key of the receipt; NULL for none.';
comment on column staging.subscription_receipt.chain_id is 'The smallest payment that is known to be in the chain.';
comment on column staging.subscription_receipt.app_id is 'As in report.purchase_rollup.';
comment on column staging.subscription_receipt.gamebase_product_id is 'As in report.purchase_rollup.';
comment on column staging.subscription_receipt.store_code is 'As in report.purchase_rollup.';
comment on column staging.subscription_receipt.currency is 'As in report.purchase_rollup.';
comment on column staging.subscription_receipt.amount_minor is 'As in report.purchase_rollup.';
comment on column staging.subscription_receipt.purchased_at is 'As in report.purchase_rollup.';
comment on column staging.subscription_receipt.purchased_on is 'As in report.purchase_rollup.';
comment on column staging.subscription_receipt.expires_at is 'As in report.purchase_rollup.';
comment on column staging.subscription_receipt.is_paid is 'As in report.purchase_rollup.';
comment on column staging.subscription_receipt.is_promotion is 'As in report.purchase_rollup.';
comment on column staging.subscription_receipt.original_payment_id is 'As in report.purchase_rollup.';

create unlogged table staging.subscription_period (like report.subscription_period_rollup including comments);
alter table staging.subscription_period replica identity full;
comment on table staging.subscription_period is
  'One row per subscription receipt of a touched player, as report.subscription_period_rollup shall have it. A refresh fills it; empty between refreshes.';

create unlogged table staging.subscription_change (
  sign integer not null,
  like report.subscription_period_rollup including comments
);
alter table staging.subscription_change replica identity full;
comment on table staging.subscription_change is
  'One row per row that a refresh removes from report.subscription_period_rollup or adds to it. Empty between refreshes.';
comment on column staging.subscription_change.sign is '-1 for a removed row, 1 for an added one.';

create unlogged table staging.subscription_spine (
  app_id text collate "C" not null,
  gamebase_product_id text collate "C",
  store_code text collate "C",
  first_on date not null,
  newest_on date not null,
  since date not null
);
alter table staging.subscription_spine replica identity full;
comment on table staging.subscription_spine is
  'One row per application, product and store with any subscription, with the days of report.subscription_day_rollup. Empty between refreshes.';
comment on column staging.subscription_spine.app_id is 'The application.';
comment on column staging.subscription_spine.gamebase_product_id is 'The product; NULL when missing.';
comment on column staging.subscription_spine.store_code is 'The store; NULL when missing.';
comment on column staging.subscription_spine.first_on is 'Day of the first receipt of the application.';
comment on column staging.subscription_spine.newest_on is 'Day of the newest receipt of the application.';
comment on column staging.subscription_spine.since is 'The refresh computes the days from this one on.';

create unlogged table staging.mrr_spine (
  app_id text collate "C" not null,
  currency text collate "C" not null,
  first_on date not null,
  newest_on date not null,
  since date not null,
  primary key (app_id, currency)
);
comment on table staging.mrr_spine is
  'One row per application and currency in which it was ever paid, with the days of report.mrr_day_rollup. Empty between refreshes.';
comment on column staging.mrr_spine.app_id is 'The application.';
comment on column staging.mrr_spine.currency is 'ISO 4217 code.';
comment on column staging.mrr_spine.first_on is 'Day of the first receipt of the application.';
comment on column staging.mrr_spine.newest_on is 'Day of the newest receipt of the application.';
comment on column staging.mrr_spine.since is 'The refresh computes the days from this one on.';
