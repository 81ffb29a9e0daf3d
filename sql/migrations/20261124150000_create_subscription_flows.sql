-- Sums of what becomes of trials, of paid subscriptions and of monthly recurring revenue, by month. A sum counts a month
-- as a whole. The newest month of an application is still running: what its newest instant shows of it is no sum, and
-- stands in tables of its own.

create table rollup.mrr_factor (
  length_in_days integer primary key,
  twelfths integer not null check (twelfths > 0)
);
comment on table rollup.mrr_factor is
  'One row per length of a subscription period that has a monthly price. Source: the migration create_subscription_flows.';
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
  'One row per application, product and month in which a trial began. Trials in a row are one. Written by: rollup.add_up.';
comment on column rollup.trial_month.app_id is 'The application.';
comment on column rollup.trial_month.gamebase_product_id is 'Product of the first trial; NULL when unknown.';
comment on column rollup.trial_month.month is 'First day of the month of the first trial''s start.';
comment on column rollup.trial_month.trial_count is 'Trials.';
comment on column rollup.trial_month.converted_count is 'Trials that a converted period of the chain follows.';

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
  'One row per application, product, month and end of a trial that no converted period follows. The view finds the trials of which nothing is final yet by their end. Written by: rollup.add_up.';
comment on column rollup.trial_end.app_id is 'The application.';
comment on column rollup.trial_end.gamebase_product_id is 'Product of the first trial; NULL when unknown.';
comment on column rollup.trial_end.month is 'First day of the month of the first trial''s start.';
comment on column rollup.trial_end.ends_at is 'First instant after the trial; of trials in a row after the last one.';
comment on column rollup.trial_end.trial_count is 'Trials.';

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
  'One row per application, product and month in which a subscription period starts or the number of active chains changes, also after the newest receipt. Written by: rollup.add_up.';
comment on column rollup.churn_month.app_id is 'The application.';
comment on column rollup.churn_month.gamebase_product_id is 'The product; NULL when unknown.';
comment on column rollup.churn_month.month is 'First day of the month in the reporting zone.';
comment on column rollup.churn_month.change_count is 'Starts of periods, and changes of the other columns.';
comment on column rollup.churn_month.active_change is
  'Chains that are active at the start of the month and were not at the start of the month before, less the opposite.';
comment on column rollup.churn_month.churned_count is 'Chains that are active at the start of the month, and in no product at its end.';
comment on column rollup.churn_month.active_at_start is 'Sum of active_change up to the month. Set by: rollup.run_subscription_totals.';

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
  'One row per application, currency and month in which the monthly price of a chain changes from one end of a month to the next, also after the newest receipt. All prices are in twelfths of the minor unit. Written by: rollup.add_up.';
comment on column rollup.mrr_month.app_id is 'The application.';
comment on column rollup.mrr_month.currency is 'ISO 4217 code.';
comment on column rollup.mrr_month.month is 'First day of the month in the reporting zone.';
comment on column rollup.mrr_month.change_count is 'Chains whose monthly price changes.';
comment on column rollup.mrr_month.new_twelfths is 'Monthly prices of chains that never had one before the month.';
comment on column rollup.mrr_month.reactivated_twelfths is 'Monthly prices of chains that had one before, but not at the start of the month.';
comment on column rollup.mrr_month.expansion_twelfths is 'Increases of the monthly prices of chains that have one at both ends of the month.';
comment on column rollup.mrr_month.contraction_twelfths is 'Decreases of these.';
comment on column rollup.mrr_month.churned_twelfths is 'Monthly prices of chains that have none at the end of the month.';

create table rollup.running_month (
  app_id text collate "C" primary key,
  newest_at timestamptz not null
);
comment on table rollup.running_month is
  'One row per application with receipts: the instant for which churn_running and mrr_running were computed. A refresh deletes it where periods of subscriptions changed, and computes what has no row or another instant. Written by: rollup.refresh_running_month.';
comment on column rollup.running_month.app_id is 'The application.';
comment on column rollup.running_month.newest_at is 'The newest event or receipt of money views, which stands for the end of its month.';

create table rollup.churn_running (
  app_id text collate "C" not null,
  gamebase_product_id text collate "C",
  churned_count bigint not null,
  constraint churn_running_key unique nulls not distinct (app_id, gamebase_product_id)
);
alter table rollup.churn_running replica identity full;
create index churn_running_product on rollup.churn_running (app_id, coalesce(gamebase_product_id, ''));
comment on table rollup.churn_running is
  'One row per application and product with a chain that has churned in the running month. Written by: rollup.refresh_running_month.';
comment on column rollup.churn_running.app_id is 'The application.';
comment on column rollup.churn_running.gamebase_product_id is 'The product; NULL when unknown.';
comment on column rollup.churn_running.churned_count is 'As in rollup.churn_month, with the newest instant as the end of the month.';

create table rollup.mrr_running (
  app_id text collate "C" not null,
  currency text collate "C" not null,
  new_twelfths numeric not null,
  reactivated_twelfths numeric not null,
  expansion_twelfths numeric not null,
  contraction_twelfths numeric not null,
  churned_twelfths numeric not null,
  unknown_length_count bigint not null,
  primary key (app_id, currency)
);
comment on table rollup.mrr_running is
  'One row per application and currency with a paid period in the running month. As rollup.mrr_month, with the newest instant as the end of the month. Written by: rollup.refresh_running_month.';
comment on column rollup.mrr_running.app_id is 'The application.';
comment on column rollup.mrr_running.currency is 'ISO 4217 code.';
comment on column rollup.mrr_running.new_twelfths is 'As in rollup.mrr_month.';
comment on column rollup.mrr_running.reactivated_twelfths is 'As in rollup.mrr_month.';
comment on column rollup.mrr_running.expansion_twelfths is 'As in rollup.mrr_month.';
comment on column rollup.mrr_running.contraction_twelfths is 'As in rollup.mrr_month.';
comment on column rollup.mrr_running.churned_twelfths is 'As in rollup.mrr_month.';
comment on column rollup.mrr_running.unknown_length_count is 'Paid periods without a monthly price that run at the newest instant.';
