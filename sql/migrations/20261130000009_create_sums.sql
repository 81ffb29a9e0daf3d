-- Sums over the narrow rows. Each is kept by differences: rollup.add_sums adds what the program has copied into
-- pg_temp.change_<sum>. The columns after the key add up; the first of them counts the rows, and a row with 0 there is
-- deleted. A column that change_<sum> lacks does not add up; its comment says what sets it.

create table rollup.revenue_day (
  app_id text collate "C" not null,
  day date not null,
  currency text collate "C" not null,
  gamebase_product_id text collate "C",
  store_code text collate "C",
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
  constraint revenue_day_key unique nulls not distinct (app_id, day, currency, gamebase_product_id, store_code, is_promotion)
) with (fillfactor = 90);
alter table rollup.revenue_day replica identity full;
comment on table rollup.revenue_day is
  'One row per application, day, currency, product, store and promotion flag with a production purchase. Written by: rollup.add_sums.';
comment on column rollup.revenue_day.promotion_amount_minor is 'Sum of the prices of promotional purchases, in the minor unit.';

create table rollup.sandbox_day (
  app_id text collate "C" not null,
  day date not null,
  currency text collate "C" not null,
  gamebase_product_id text collate "C",
  store_code text collate "C",
  purchase_count bigint not null,
  payer_count bigint not null,
  amount_minor numeric not null,
  constraint sandbox_day_key unique nulls not distinct (app_id, day, currency, gamebase_product_id, store_code)
) with (fillfactor = 90);
alter table rollup.sandbox_day replica identity full;
comment on table rollup.sandbox_day is
  'One row per application, day, currency, product and store with a sandbox purchase. Written by: rollup.add_sums.';

create table rollup.player_period (
  app_id text collate "C" not null,
  period text collate "C" not null check (period in ('day', 'week', 'month')),
  period_start date not null,
  row_count bigint not null,
  observed_user_count bigint not null,
  level_up_user_count bigint not null,
  snapshot_user_count bigint not null,
  new_user_count bigint not null,
  payer_count bigint not null,
  new_payer_count bigint not null,
  constraint player_period_key unique nulls not distinct (app_id, period, period_start)
) with (fillfactor = 90);
alter table rollup.player_period replica identity full;
comment on table rollup.player_period is
  'One row per application and day, week or month with any row that has a time of its own, or a first observation. Written by: rollup.add_sums.';
comment on column rollup.player_period.row_count is 'Days of players and first observations in the period, which keep the row.';

create table rollup.currency_period (
  app_id text collate "C" not null,
  currency text collate "C" not null,
  period text collate "C" not null check (period in ('day', 'week', 'month')),
  period_start date not null,
  paid_count bigint not null,
  payer_count bigint not null,
  amount_minor numeric not null,
  new_payer_amount_minor numeric not null,
  constraint currency_period_key unique nulls not distinct (app_id, currency, period, period_start)
) with (fillfactor = 90);
alter table rollup.currency_period replica identity full;
comment on table rollup.currency_period is
  'One row per application, currency and day, week or month with a paid purchase. Written by: rollup.add_sums.';
comment on column rollup.currency_period.new_payer_amount_minor is 'Part of amount_minor from users whose first paid purchase in the application falls into the period.';

create table rollup.player_currency (
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  currency text collate "C" not null,
  paid_count bigint not null,
  amount_minor numeric not null,
  constraint player_currency_key unique nulls not distinct (app_id, user_id, currency)
) with (fillfactor = 90);
alter table rollup.player_currency replica identity full;
alter table rollup.player_currency alter column user_id set statistics 0;
comment on table rollup.player_currency is
  'One row per player and currency in which the player paid. Written by: rollup.apply_players.';

create table rollup.level_revenue (
  app_id text collate "C" not null,
  currency text collate "C" not null,
  user_level integer,
  level_attribution text collate "C" not null,
  paid_count bigint not null,
  payer_count bigint not null,
  amount_minor numeric not null,
  constraint level_revenue_key unique nulls not distinct (app_id, currency, user_level, level_attribution)
) with (fillfactor = 90);
alter table rollup.level_revenue replica identity full;
comment on table rollup.level_revenue is
  'One row per application, currency, level at the purchase and attribution with a paid purchase. Written by: rollup.add_sums.';

create table rollup.cohort_step (
  day_n integer primary key check (day_n >= 0)
);
comment on table rollup.cohort_step is
  'One row per day after the cohort day for which the views of cohorts have a row. Source: the migration create_sums.';
insert into rollup.cohort_step (day_n)
  select unnest('{0, 1, 2, 3, 4, 5, 6, 7, 14, 28, 30, 60, 90, 180, 365}'::integer[]);

create table rollup.cohort_size (
  app_id text collate "C" not null,
  cohort_kind text collate "C" not null check (cohort_kind in ('first_observed', 'first_paid')),
  cohort_on date not null,
  cohort_size bigint not null,
  constraint cohort_size_key unique nulls not distinct (app_id, cohort_kind, cohort_on)
) with (fillfactor = 90);
alter table rollup.cohort_size replica identity full;
comment on table rollup.cohort_size is
  'One row per cohort: application, kind and day. Written by: rollup.add_sums.';

create table rollup.cohort_observed (
  app_id text collate "C" not null,
  cohort_on date not null,
  day_n integer not null,
  observed_count bigint not null,
  constraint cohort_observed_key unique nulls not distinct (app_id, cohort_on, day_n)
) with (fillfactor = 90);
alter table rollup.cohort_observed replica identity full;
comment on table rollup.cohort_observed is
  'One row per cohort of first observations and day after it on which a user was observed. Written by: rollup.add_sums.';

create table rollup.cohort_converted (
  app_id text collate "C" not null,
  cohort_on date not null,
  day_n integer not null,
  converted_count bigint not null,
  constraint cohort_converted_key unique nulls not distinct (app_id, cohort_on, day_n)
) with (fillfactor = 90);
alter table rollup.cohort_converted replica identity full;
comment on table rollup.cohort_converted is
  'One row per cohort of first observations and day after it by which a user first paid. Written by: rollup.add_sums.';

create table rollup.cohort_revenue (
  app_id text collate "C" not null,
  cohort_kind text collate "C" not null check (cohort_kind in ('first_observed', 'first_paid')),
  cohort_on date not null,
  day_n integer not null,
  currency text collate "C" not null,
  paid_count bigint not null,
  payer_count bigint not null,
  amount_minor numeric not null,
  constraint cohort_revenue_key unique nulls not distinct (app_id, cohort_kind, cohort_on, day_n, currency)
) with (fillfactor = 90);
alter table rollup.cohort_revenue replica identity full;
comment on table rollup.cohort_revenue is
  'One row per cohort, day after it and currency with a paid purchase. Written by: rollup.add_sums.';

create table rollup.subscription_day (
  app_id text collate "C" not null,
  gamebase_product_id text collate "C",
  store_code text collate "C",
  day date not null,
  change_count bigint not null,
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
  active_paid bigint not null default 0,
  active_trial bigint not null default 0,
  active_other bigint not null default 0,
  constraint subscription_day_key unique nulls not distinct (app_id, gamebase_product_id, store_code, day)
) with (fillfactor = 90);
alter table rollup.subscription_day replica identity full;
-- The views look up the newest row at or before a day. An equality finds no NULL, but a replaced NULL.
create index subscription_day_newest on rollup.subscription_day
  (app_id, coalesce(gamebase_product_id, ''), coalesce(store_code, ''), day);
comment on table rollup.subscription_day is
  'One row per application, product, store and day on which a subscription period starts, ends or is overlapped, also after the newest receipt. Written by: rollup.add_sums.';
comment on column rollup.subscription_day.change_count is 'Starts, ends and overlaps.';
comment on column rollup.subscription_day.paid_change is 'Paid periods that start, less those that end.';
comment on column rollup.subscription_day.trial_change is 'The same of trials.';
comment on column rollup.subscription_day.other_change is 'The same of other periods.';

create table rollup.mrr_day (
  app_id text collate "C" not null,
  currency text collate "C" not null,
  day date not null,
  change_count bigint not null,
  twelfths_change numeric not null,
  unknown_length_change bigint not null,
  amount_twelfths numeric not null default 0,
  unknown_length_count bigint not null default 0,
  constraint mrr_day_key unique nulls not distinct (app_id, currency, day)
) with (fillfactor = 90);
alter table rollup.mrr_day replica identity full;
comment on table rollup.mrr_day is
  'One row per application, currency and day on which a paid subscription period starts or ends, also after the newest receipt. Written by: rollup.add_sums.';
comment on column rollup.mrr_day.change_count is 'Starts and ends.';
comment on column rollup.mrr_day.twelfths_change is 'Monthly price of the periods that start, less those that end, in twelfths of the minor unit. Twelfths make the price of every known length a whole number.';
comment on column rollup.mrr_day.unknown_length_change is 'Periods without a monthly price that start, less those that end.';
comment on column rollup.mrr_day.amount_twelfths is
  'Sum of twelfths_change up to the day. Set by: rollup.run_totals.';

create table rollup.subscription_cohort (
  app_id text collate "C" not null,
  cohort_product_id text collate "C",
  cohort_month date not null,
  cohort_started_as text collate "C" not null,
  renewal_number integer not null,
  chain_count bigint not null,
  renewed_count bigint not null,
  constraint subscription_cohort_key unique nulls not distinct (app_id, cohort_product_id, cohort_month, cohort_started_as,
    renewal_number)
) with (fillfactor = 90);
alter table rollup.subscription_cohort replica identity full;
comment on table rollup.subscription_cohort is
  'One row per application, product and month of a chain''s first period, and number of a period in the chain. Written by: rollup.add_sums.';
comment on column rollup.subscription_cohort.cohort_product_id is 'Product of the first period; NULL when unknown.';
comment on column rollup.subscription_cohort.cohort_started_as is 'How the chains began: with a trial, a paid period, or another one.';
comment on column rollup.subscription_cohort.chain_count is 'Chains with such a period.';

create table rollup.level (
  app_id text collate "C" not null,
  user_level integer not null,
  recorded_user_count bigint not null,
  stopped_user_count bigint not null,
  constraint level_key unique nulls not distinct (app_id, user_level)
) with (fillfactor = 90);
alter table rollup.level replica identity full;
comment on table rollup.level is
  'One row per application and level with a level-up. Written by: rollup.add_sums.';

-- Each bucket of durations is a row, summed like any count. It keeps the four highest bits of its durations.
create table rollup.level_time (
  app_id text collate "C" not null,
  user_level integer not null,
  kind text collate "C" not null check (kind in ('first_observed', 'previous_level')),
  bucket integer not null,
  user_count bigint not null,
  constraint level_time_key unique (app_id, user_level, kind, bucket)
) with (fillfactor = 90);
alter table rollup.level_time replica identity full;
comment on table rollup.level_time is
  'One row per application, level, kind of duration and bucket of durations until the level. Written by: rollup.add_sums.';
comment on column rollup.level_time.bucket is
  'The number of a bucket of durations with the same four highest bits of their seconds: below 16 the second itself, from there on 8 buckets for each doubling.';

create table rollup.level_percentile (
  app_id text collate "C" not null,
  user_level integer not null,
  kind text collate "C" not null,
  user_count bigint not null,
  p25_minutes numeric(14, 2) not null,
  p50_minutes numeric(14, 2) not null,
  p90_minutes numeric(14, 2) not null,
  primary key (app_id, user_level, kind)
);
comment on table rollup.level_percentile is
  'One row per application, level and kind of duration: the percentiles of rollup.level_time. Written by: rollup.find_level_percentiles.';
comment on column rollup.level_percentile.p25_minutes is '25th percentile, in minutes.';
comment on column rollup.level_percentile.p50_minutes is 'Median, in minutes.';
comment on column rollup.level_percentile.p90_minutes is '90th percentile, in minutes.';

create table rollup.concentration_month (
  month date not null,
  app_id text collate "C" not null,
  currency text collate "C" not null,
  top_share numeric not null check (top_share > 0 and top_share <= 1),
  payer_count bigint not null,
  amount_minor numeric not null,
  total_amount_minor numeric not null check (total_amount_minor > 0),
  primary key (month, app_id, currency, top_share)
);
comment on table rollup.concentration_month is
  'One row per month, application, currency and share of the payers. Largest payments do not add up, so touched months are computed again. Written by: rollup.refresh_concentration.';
comment on column rollup.concentration_month.total_amount_minor is 'Sum of the paid purchases of all payers, in the minor unit.';

-- Money in one currency. The rates that the sums were converted at are kept: a refresh compares them with the loaded ones,
-- and converts only the purchases of the days whose rates differ.

create table rollup.base_unit (
  currency text collate "C" references game.currency,
  minor_unit integer check ((minor_unit is null) = (currency is null)),
  minor_unit_value numeric(5, 4) check ((minor_unit_value is null) = (currency is null))
);
create unique index base_unit_once on rollup.base_unit ((true));
alter table rollup.base_unit replica identity full;
insert into rollup.base_unit (currency) values (null);
comment on table rollup.base_unit is
  'One row per database: the base currency of the last refresh. Written by: rollup.refresh_rates.';
comment on column rollup.base_unit.minor_unit is 'As in game.currency.';
comment on column rollup.base_unit.minor_unit_value is 'As in game.currency.';

create table rollup.day_rate (
  currency text collate "C" not null,
  day date not null,
  rate numeric(24, 12) not null,
  primary key (currency, day)
);
comment on table rollup.day_rate is
  'One row per currency and day with a rate of that day or of the 7 days before it, and per day of the base currency. Written by: rollup.refresh_rates.';

create table rollup.player_value (
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  minor_unit integer not null,
  paid_count bigint not null,
  converted_count bigint not null,
  base_amount numeric(60, 16) not null,
  -- Rounded here, because the index on it finds the highest players of report.player_value.
  shown_amount numeric(60, 4) generated always as (case when converted_count > 0 then round(base_amount, minor_unit) end)
    stored,
  constraint player_value_key unique nulls not distinct (app_id, user_id, minor_unit)
) with (fillfactor = 90);
create index player_value_highest on rollup.player_value (app_id, shown_amount desc nulls last);
alter table rollup.player_value replica identity full;
alter table rollup.player_value alter column user_id set statistics 0;
comment on table rollup.player_value is
  'One row per player with a paid purchase: the purchases in the base currency. Written by: rollup.add_sums.';
comment on column rollup.player_value.minor_unit is 'Decimal digits of the base currency, the same in all rows; 0 without a base currency.';
comment on column rollup.player_value.shown_amount is 'base_amount rounded half up to the minor unit; NULL when no purchase has a rate. Set by: the table.';

create table rollup.cohort_value (
  app_id text collate "C" not null,
  cohort_kind text collate "C" not null check (cohort_kind in ('first_observed', 'first_paid')),
  cohort_on date not null,
  day_n integer not null,
  paid_count bigint not null,
  converted_count bigint not null,
  base_amount numeric(60, 16) not null,
  constraint cohort_value_key unique nulls not distinct (app_id, cohort_kind, cohort_on, day_n)
) with (fillfactor = 90);
alter table rollup.cohort_value replica identity full;
comment on table rollup.cohort_value is
  'One row per cohort and day after it with a paid purchase: the purchases in the base currency. Written by: rollup.add_sums.';

-- Sums of what becomes of trials, of paid subscriptions and of monthly recurring revenue, by month. A sum counts a month
-- as a whole. The newest month of an application is still running: what its newest instant shows of it is no sum, and
-- stands in tables of its own.

create table rollup.mrr_factor (
  length_in_days integer primary key,
  twelfths integer not null check (twelfths > 0)
);
comment on table rollup.mrr_factor is
  'One row per length of a subscription period that has a monthly price. Source: the migration create_sums.';
comment on column rollup.mrr_factor.length_in_days is 'Length to the nearest 24 hours.';
comment on column rollup.mrr_factor.twelfths is
  'Twelve times the factor that makes the price a monthly one. Twelfths make the price of every known length a whole number.';
insert into rollup.mrr_factor (length_in_days, twelfths)
  select d.length_in_days, l.twelfths
    from (values (1, 1, 360), (3, 3, 120), (7, 7, 48), (14, 14, 24), (28, 31, 12), (59, 62, 6), (89, 93, 4), (180, 186, 2),
      (360, 370, 1)) l (shortest, longest, twelfths)
    cross join lateral generate_series(l.shortest, l.longest) d (length_in_days);

create table rollup.trial_month (
  app_id text collate "C" not null,
  gamebase_product_id text collate "C",
  month date not null,
  trial_count bigint not null,
  converted_count bigint not null,
  constraint trial_month_key unique nulls not distinct (app_id, gamebase_product_id, month)
) with (fillfactor = 90);
alter table rollup.trial_month replica identity full;
comment on table rollup.trial_month is
  'One row per application, product and month in which a trial began. Trials in a row are one. Written by: rollup.add_sums.';

create table rollup.trial_end (
  app_id text collate "C" not null,
  gamebase_product_id text collate "C",
  month date not null,
  ends_at timestamptz not null,
  trial_count bigint not null,
  constraint trial_end_key unique nulls not distinct (app_id, gamebase_product_id, month, ends_at)
) with (fillfactor = 90);
alter table rollup.trial_end replica identity full;
-- The view looks up the newest ends of a month. An equality finds no NULL, but a replaced NULL.
create index trial_end_newest on rollup.trial_end (app_id, coalesce(gamebase_product_id, ''), month, ends_at);
comment on table rollup.trial_end is
  'One row per application, product, month and end of a trial that no converted period follows. The view finds the trials of which nothing is final yet by their end. Written by: rollup.add_sums.';

create table rollup.churn_month (
  app_id text collate "C" not null,
  gamebase_product_id text collate "C",
  month date not null,
  change_count bigint not null,
  active_change bigint not null,
  churned_count bigint not null,
  active_at_start bigint not null default 0,
  constraint churn_month_key unique nulls not distinct (app_id, gamebase_product_id, month)
) with (fillfactor = 90);
alter table rollup.churn_month replica identity full;
-- The view looks up the newest row at or before a month. An equality finds no NULL, but a replaced NULL.
create index churn_month_newest on rollup.churn_month (app_id, coalesce(gamebase_product_id, ''), month);
comment on table rollup.churn_month is
  'One row per application, product and month in which a subscription period starts or the number of active chains changes, also after the newest receipt. Written by: rollup.add_sums.';
comment on column rollup.churn_month.change_count is 'Starts of periods, and changes of the other columns.';
comment on column rollup.churn_month.active_change is
  'Chains that are active at the start of the month and were not at the start of the month before, less the opposite.';

create table rollup.mrr_month (
  app_id text collate "C" not null,
  currency text collate "C" not null,
  month date not null,
  change_count bigint not null,
  new_twelfths numeric not null,
  reactivated_twelfths numeric not null,
  expansion_twelfths numeric not null,
  contraction_twelfths numeric not null,
  churned_twelfths numeric not null,
  constraint mrr_month_key unique nulls not distinct (app_id, currency, month)
) with (fillfactor = 90);
alter table rollup.mrr_month replica identity full;
comment on table rollup.mrr_month is
  'One row per application, currency and month in which the monthly price of a chain changes from one end of a month to the next, also after the newest receipt. All prices are in twelfths of the minor unit. Written by: rollup.add_sums.';
comment on column rollup.mrr_month.change_count is 'Chains whose monthly price changes.';
comment on column rollup.mrr_month.new_twelfths is 'Monthly prices of chains that never had one before the month.';
comment on column rollup.mrr_month.reactivated_twelfths is 'Monthly prices of chains that had one before, but not at the start of the month.';
comment on column rollup.mrr_month.expansion_twelfths is 'Increases of the monthly prices of chains that have one at both ends of the month.';
comment on column rollup.mrr_month.contraction_twelfths is 'Decreases of these.';
comment on column rollup.mrr_month.churned_twelfths is 'Monthly prices of chains that have none at the end of the month.';

create table rollup.cohort_level (
  app_id text collate "C" not null,
  cohort_month date not null,
  user_level integer not null,
  recorded_user_count bigint not null,
  stopped_user_count bigint not null,
  constraint cohort_level_key unique nulls not distinct (app_id, cohort_month, user_level)
) with (fillfactor = 90);
alter table rollup.cohort_level replica identity full;
comment on table rollup.cohort_level is
  'One row per application, month of the first observation and level with a level-up. Written by: rollup.add_sums.';

-- report.revenue_by_hour groups by the expression of this index.
create index purchase_hour on rollup.purchase
  (app_id, date_bin(interval '1 hour', purchased_at, timestamptz '2000-01-01 00:00Z')) where is_paid;
