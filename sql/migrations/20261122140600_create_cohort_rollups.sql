create table report.cohort_step (
  day_n integer primary key check (day_n >= 0)
);
comment on table report.cohort_step is
  'One row per day after the cohort day for which the views of cohorts have a row. Source: the migration create_cohort_rollups.';
comment on column report.cohort_step.day_n is 'Number of days after the cohort day; 0 for the cohort day itself.';
insert into report.cohort_step (day_n) values (0), (1), (3), (7), (14), (30), (60), (90), (180), (365);

create table report.cohort_app_rollup (
  app_id text collate "C" primary key,
  observed_through date not null,
  paid_through date
);
comment on table report.cohort_app_rollup is
  'One row per application with any event: the days up to which cohorts are mature. Written by: report.refresh.';
comment on column report.cohort_app_rollup.app_id is 'The application.';
comment on column report.cohort_app_rollup.observed_through is
  'Last day that ends at or before the horizon over the streams. Retention is mature through that day.';
comment on column report.cohort_app_rollup.paid_through is
  'Last day that ends at or before the newest receipt; NULL without receipts. Conversion and revenue are mature, and kept, through that day.';

-- The keys of these tables start with the day, because a filter on days is the usual one.
create table report.cohort_size_rollup (
  cohort_on date not null,
  app_id text collate "C" not null,
  cohort_kind text collate "C" not null check (cohort_kind in ('first_observed', 'first_paid')),
  cohort_size bigint not null check (cohort_size > 0),
  primary key (cohort_on, app_id, cohort_kind)
);
comment on table report.cohort_size_rollup is
  'One row per cohort: day, application and kind of cohort. Written by: report.refresh.';
comment on column report.cohort_size_rollup.cohort_on is 'Day on which the users were first observed, or first paid.';
comment on column report.cohort_size_rollup.app_id is 'The application.';
comment on column report.cohort_size_rollup.cohort_kind is 'first_observed or first_paid.';
comment on column report.cohort_size_rollup.cohort_size is 'Number of users.';

create table report.cohort_day_rollup (
  first_observed_on date not null,
  app_id text collate "C" not null,
  day_n integer not null references report.cohort_step,
  cohort_size bigint not null,
  observed_count bigint not null,
  converted_count bigint,
  primary key (first_observed_on, app_id, day_n)
);
comment on table report.cohort_day_rollup is
  'One row per day of the first observation, application and day after it, ten rows per cohort. Written by: report.refresh.';
comment on column report.cohort_day_rollup.first_observed_on is 'Day on which the users were first observed.';
comment on column report.cohort_day_rollup.app_id is 'The application.';
comment on column report.cohort_day_rollup.day_n is 'Number of days after first_observed_on.';
comment on column report.cohort_day_rollup.cohort_size is 'Number of users first observed on the day.';
comment on column report.cohort_day_rollup.observed_count is
  'Users of the cohort who were observed on day_n, as far as rows are stored.';
comment on column report.cohort_day_rollup.converted_count is
  'Users of the cohort who first paid on day_n or before; NULL while the receipts have not gone past that day.';

create table report.cohort_revenue_rollup (
  cohort_on date not null,
  app_id text collate "C" not null,
  cohort_kind text collate "C" not null,
  day_n integer not null references report.cohort_step,
  currency text collate "C" not null,
  payer_count bigint not null check (payer_count > 0),
  amount_minor numeric not null check (amount_minor > 0),
  primary key (cohort_on, app_id, cohort_kind, day_n, currency)
);
comment on table report.cohort_revenue_rollup is
  'One row per cohort, day after the cohort day and currency with a paid purchase, for the days that the receipts have gone past. Written by: report.refresh.';
comment on column report.cohort_revenue_rollup.cohort_on is 'Day on which the users were first observed, or first paid.';
comment on column report.cohort_revenue_rollup.app_id is 'The application.';
comment on column report.cohort_revenue_rollup.cohort_kind is 'first_observed or first_paid.';
comment on column report.cohort_revenue_rollup.day_n is 'Number of days after cohort_on.';
comment on column report.cohort_revenue_rollup.currency is 'ISO 4217 code.';
comment on column report.cohort_revenue_rollup.payer_count is
  'Users of the cohort with a paid purchase in the currency on day_n or before.';
comment on column report.cohort_revenue_rollup.amount_minor is
  'Sum of the cohort''s paid purchases on day_n or before, in the minor unit.';

create table report.concentration_month_rollup (
  month date not null,
  app_id text collate "C" not null,
  currency text collate "C" not null,
  top_share numeric not null check (top_share > 0 and top_share <= 1),
  payer_count bigint not null,
  amount_minor numeric not null,
  total_amount_minor numeric not null check (total_amount_minor > 0),
  primary key (month, app_id, currency, top_share)
);
comment on table report.concentration_month_rollup is
  'One row per month, application, currency and share of the payers. Written by: report.refresh.';
comment on column report.concentration_month_rollup.month is 'First day of the month.';
comment on column report.concentration_month_rollup.app_id is 'The application.';
comment on column report.concentration_month_rollup.currency is 'ISO 4217 code.';
comment on column report.concentration_month_rollup.top_share is 'Share of the payers, those who paid most first.';
comment on column report.concentration_month_rollup.payer_count is 'Number of these payers, rounded up.';
comment on column report.concentration_month_rollup.amount_minor is 'Sum of their paid purchases, in the minor unit.';
comment on column report.concentration_month_rollup.total_amount_minor is
  'Sum of the paid purchases of all payers, in the minor unit.';

-- Working tables of a refresh. Only the refresh that holds report.refresh_lock uses them.
create unlogged table staging.touched_cohort (
  cohort_on date not null,
  app_id text collate "C" not null,
  cohort_kind text collate "C" not null,
  primary key (cohort_on, app_id, cohort_kind)
);
comment on table staging.touched_cohort is
  'One row per cohort that a user joined or left. A refresh computes all figures of the cohort. Empty between refreshes.';
comment on column staging.touched_cohort.cohort_on is 'Day of the cohort.';
comment on column staging.touched_cohort.app_id is 'The application.';
comment on column staging.touched_cohort.cohort_kind is 'first_observed or first_paid.';

create unlogged table staging.touched_cohort_day (
  cohort_on date not null,
  app_id text collate "C" not null,
  cohort_kind text collate "C" not null,
  day_n integer not null,
  primary key (cohort_on, app_id, cohort_kind, day_n)
);
comment on table staging.touched_cohort_day is
  'One row per cohort and day after it whose conversion and revenue a refresh computes. Empty between refreshes.';
comment on column staging.touched_cohort_day.cohort_on is 'Day of the cohort.';
comment on column staging.touched_cohort_day.app_id is 'The application.';
comment on column staging.touched_cohort_day.cohort_kind is 'first_observed or first_paid.';
comment on column staging.touched_cohort_day.day_n is 'Number of days after cohort_on.';

create unlogged table staging.touched_cohort_app (
  app_id text collate "C" primary key,
  observed_through date,
  paid_through date,
  old_paid_through date
);
comment on table staging.touched_cohort_app is
  'One row per application, with its mature days after and before a refresh. Empty between refreshes.';
comment on column staging.touched_cohort_app.app_id is 'The application.';
comment on column staging.touched_cohort_app.observed_through is 'As in report.cohort_app_rollup; NULL when the application has no events any more.';
comment on column staging.touched_cohort_app.paid_through is 'As in report.cohort_app_rollup.';
comment on column staging.touched_cohort_app.old_paid_through is 'paid_through before the refresh; NULL for none.';
