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
comment on column rollup.base_unit.currency is 'ISO 4217 code; NULL while no base currency is set.';
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
comment on column rollup.day_rate.currency is 'ISO 4217 code.';
comment on column rollup.day_rate.day is 'Day in the reporting zone.';
comment on column rollup.day_rate.rate is 'Units of the base currency for one unit of the currency; 1 for the base currency.';

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
  'One row per player with a paid purchase: the purchases in the base currency. Written by: rollup.add_up.';
comment on column rollup.player_value.app_id is 'The application.';
comment on column rollup.player_value.user_id is 'The user.';
comment on column rollup.player_value.minor_unit is 'Decimal digits of the base currency, the same in all rows; 0 without a base currency.';
comment on column rollup.player_value.paid_count is 'Paid purchases.';
comment on column rollup.player_value.converted_count is 'Those of them with a rate.';
comment on column rollup.player_value.base_amount is 'Sum of these in the base currency, exact.';
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
  'One row per cohort and day after it with a paid purchase: the purchases in the base currency. Written by: rollup.add_up.';
comment on column rollup.cohort_value.app_id is 'The application.';
comment on column rollup.cohort_value.cohort_kind is 'The day that makes the cohort: first_observed or first_paid.';
comment on column rollup.cohort_value.cohort_on is 'The cohort: the day of the first observation or the first paid purchase of its users.';
comment on column rollup.cohort_value.day_n is 'The first day of rollup.cohort_step at or after the purchase.';
comment on column rollup.cohort_value.paid_count is 'Paid purchases of the cohort after the day_n before and through this one.';
comment on column rollup.cohort_value.converted_count is 'Those of them with a rate.';
comment on column rollup.cohort_value.base_amount is 'Sum of these in the base currency, exact.';
