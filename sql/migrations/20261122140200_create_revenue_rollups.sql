create table report.player_currency_rollup (
  player_id bigint not null,
  currency text collate "C" not null,
  paid_count bigint not null,
  amount_minor bigint not null,
  primary key (player_id, currency)
);
comment on table report.player_currency_rollup is
  'One row per player and currency in which the player paid. Written by: report.refresh.';
comment on column report.player_currency_rollup.player_id is 'The player in report.player_rollup.';
comment on column report.player_currency_rollup.currency is 'ISO 4217 code.';
comment on column report.player_currency_rollup.paid_count is 'Number of paid purchases.';
comment on column report.player_currency_rollup.amount_minor is 'Sum of the paid purchases, in the minor unit.';

create table report.revenue_day_rollup (
  purchased_on date not null,
  app_id text collate "C" not null,
  currency text collate "C" not null,
  store_code text collate "C",
  gamebase_product_id text collate "C",
  is_promotion boolean not null,
  purchase_count bigint not null,
  paid_count bigint not null,
  payer_count bigint not null,
  new_payer_count bigint not null,
  free_count bigint not null,
  unpriced_count bigint not null,
  imprecise_count bigint not null,
  unknown_sandbox_count bigint not null,
  amount_minor numeric not null,
  promotion_amount_minor numeric not null,
  constraint revenue_day_once unique nulls not distinct
    (app_id, purchased_on, currency, store_code, gamebase_product_id, is_promotion)
);
alter table report.revenue_day_rollup replica identity full;
comment on table report.revenue_day_rollup is
  'One row per day, application, currency, store, product and promotion flag with a production purchase. Written by: report.refresh.';
comment on column report.revenue_day_rollup.purchased_on is 'Day of the purchase.';
comment on column report.revenue_day_rollup.app_id is 'The application.';
comment on column report.revenue_day_rollup.currency is 'ISO 4217 code.';
comment on column report.revenue_day_rollup.store_code is 'The store; NULL when missing.';
comment on column report.revenue_day_rollup.gamebase_product_id is 'The product; NULL when missing.';
comment on column report.revenue_day_rollup.is_promotion is 'True for promotional purchases.';
comment on column report.revenue_day_rollup.purchase_count is 'Number of production purchases.';
comment on column report.revenue_day_rollup.paid_count is 'Number of paid purchases.';
comment on column report.revenue_day_rollup.payer_count is 'Users with a paid purchase in this row.';
comment on column report.revenue_day_rollup.new_payer_count is 'Those of them whose first paid purchase in the application falls on the day.';
comment on column report.revenue_day_rollup.free_count is 'Purchases with the price 0.';
comment on column report.revenue_day_rollup.unpriced_count is 'Purchases without a price.';
comment on column report.revenue_day_rollup.imprecise_count is 'Purchases whose price may have lost digits in a 32-bit float.';
comment on column report.revenue_day_rollup.unknown_sandbox_count is 'Purchases without a sandbox flag.';
comment on column report.revenue_day_rollup.amount_minor is 'Sum of the paid purchases, in the minor unit.';
comment on column report.revenue_day_rollup.promotion_amount_minor is 'Sum of the prices of promotional purchases, in the minor unit.';

create table report.product_day_rollup (
  purchased_on date not null,
  app_id text collate "C" not null,
  currency text collate "C" not null,
  store_code text collate "C",
  gamebase_product_id text collate "C",
  purchase_count bigint not null,
  paid_count bigint not null,
  payer_count bigint not null,
  new_payer_count bigint not null,
  amount_minor numeric not null,
  total_amount_minor numeric not null,
  constraint product_day_once unique nulls not distinct
    (app_id, purchased_on, currency, store_code, gamebase_product_id)
);
alter table report.product_day_rollup replica identity full;
comment on table report.product_day_rollup is
  'One row per day, application, currency, store and product with a production purchase: the rows of report.revenue_day_rollup with and without promotions together. Written by: report.refresh.';
comment on column report.product_day_rollup.purchased_on is 'Day of the purchase.';
comment on column report.product_day_rollup.app_id is 'The application.';
comment on column report.product_day_rollup.currency is 'ISO 4217 code.';
comment on column report.product_day_rollup.store_code is 'The store; NULL when missing.';
comment on column report.product_day_rollup.gamebase_product_id is 'The product; NULL when missing.';
comment on column report.product_day_rollup.purchase_count is 'Number of production purchases.';
comment on column report.product_day_rollup.paid_count is 'Number of paid purchases.';
comment on column report.product_day_rollup.payer_count is 'Users with a paid purchase in this row.';
comment on column report.product_day_rollup.new_payer_count is 'Those of them whose first paid purchase in the application falls on the day.';
comment on column report.product_day_rollup.amount_minor is 'Sum of the paid purchases, in the minor unit.';
comment on column report.product_day_rollup.total_amount_minor is 'The same of all products and stores of the day, application and currency.';

create table report.sandbox_day_rollup (
  purchased_on date not null,
  app_id text collate "C" not null,
  currency text collate "C" not null,
  store_code text collate "C",
  gamebase_product_id text collate "C",
  purchase_count bigint not null,
  payer_count bigint not null,
  amount_minor numeric not null,
  constraint sandbox_day_once unique nulls not distinct
    (app_id, purchased_on, currency, store_code, gamebase_product_id)
);
alter table report.sandbox_day_rollup replica identity full;
comment on table report.sandbox_day_rollup is
  'One row per day, application, currency, store and product with a sandbox purchase. Written by: report.refresh.';
comment on column report.sandbox_day_rollup.purchased_on is 'Day of the purchase.';
comment on column report.sandbox_day_rollup.app_id is 'The application.';
comment on column report.sandbox_day_rollup.currency is 'ISO 4217 code.';
comment on column report.sandbox_day_rollup.store_code is 'The store; NULL when missing.';
comment on column report.sandbox_day_rollup.gamebase_product_id is 'The product; NULL when missing.';
comment on column report.sandbox_day_rollup.purchase_count is 'Number of test purchases.';
comment on column report.sandbox_day_rollup.payer_count is 'Users with a test purchase in this row.';
comment on column report.sandbox_day_rollup.amount_minor is 'Sum of the nominal prices, in the minor unit.';

create table report.payer_currency_period_rollup (
  app_id text collate "C" not null,
  currency text collate "C" not null,
  period text collate "C" not null check (period in ('day', 'week', 'month')),
  period_start date not null,
  payer_count bigint not null,
  amount_minor numeric not null,
  new_payer_amount_minor numeric not null,
  primary key (app_id, currency, period, period_start)
);
comment on table report.payer_currency_period_rollup is
  'One row per application, currency and period with a paid purchase in the currency. Written by: report.refresh.';
comment on column report.payer_currency_period_rollup.app_id is 'The application.';
comment on column report.payer_currency_period_rollup.currency is 'ISO 4217 code.';
comment on column report.payer_currency_period_rollup.period is 'day, week or month.';
comment on column report.payer_currency_period_rollup.period_start is 'First day of the period.';
comment on column report.payer_currency_period_rollup.payer_count is 'Users with a paid purchase in the currency.';
comment on column report.payer_currency_period_rollup.amount_minor is 'Sum of the paid purchases, in the minor unit.';
comment on column report.payer_currency_period_rollup.new_payer_amount_minor is
  'Part of amount_minor from users whose first paid purchase in the application falls into the period.';

create table report.player_period_rollup (
  app_id text collate "C" not null,
  period text collate "C" not null check (period in ('day', 'week', 'month')),
  period_start date not null,
  observed_user_count bigint not null,
  level_up_user_count bigint not null,
  snapshot_user_count bigint not null,
  new_user_count bigint not null,
  payer_count bigint not null,
  new_payer_count bigint not null,
  primary key (app_id, period, period_start)
);
comment on table report.player_period_rollup is
  'One row per application and period with any row that has a time of its own, or a kept first observation. Written by: report.refresh.';
comment on column report.player_period_rollup.app_id is 'The application.';
comment on column report.player_period_rollup.period is 'day, week or month.';
comment on column report.player_period_rollup.period_start is 'First day of the period.';
comment on column report.player_period_rollup.observed_user_count is 'Users who were observed.';
comment on column report.player_period_rollup.level_up_user_count is 'Users with a level-up.';
comment on column report.player_period_rollup.snapshot_user_count is 'Users with a snapshot that has a time of its own.';
comment on column report.player_period_rollup.new_user_count is 'Users whose first observation falls into the period.';
comment on column report.player_period_rollup.payer_count is 'Users with a paid purchase.';
comment on column report.player_period_rollup.new_payer_count is 'Users whose first paid purchase falls into the period.';

create unlogged table staging.touched_period_day (
  app_id text collate "C" not null,
  day date not null,
  period text collate "C" not null,
  period_start date not null,
  primary key (app_id, day, period)
);
comment on table staging.touched_period_day is
  'One row per application and day in a period that contains a day of staging.touched_day. Empty between refreshes.';
comment on column staging.touched_period_day.app_id is 'The application.';
comment on column staging.touched_period_day.day is 'The day.';
comment on column staging.touched_period_day.period is 'day, week or month.';
comment on column staging.touched_period_day.period_start is 'First day of the period.';

-- Stored, so that the views need no function per row to turn minor units into major ones.
alter table game.currency add column minor_unit_value numeric generated always as
  (case minor_unit when 0 then 1 when 1 then 0.1 when 2 then 0.01 when 3 then 0.001 when 4 then 0.0001 end) stored;
comment on column game.currency.minor_unit_value is
  'The minor unit in the major one, with as many decimals as the minor unit has: 0.01 for USD, 1 for KRW. An amount is amount_minor * minor_unit_value. NULL like minor_unit.';
