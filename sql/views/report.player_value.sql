create or replace view report.player_value as
select
  v.app_id,
  v.user_id,
  b.currency as base_currency,
  v.paid_count,
  v.paid_count - v.converted_count as unconverted_count,
  v.shown_amount as base_amount,
  p.first_paid_on,
  (p.last_paid_at at time zone (select rollup.reporting_zone()))::date as last_paid_on
from rollup.player_value v
left join rollup.player p on p.app_id = v.app_id and p.user_id = v.user_id
cross join rollup.base_unit b;

comment on view report.player_value is
  'One row per application and user with a paid purchase. The highest players of an application are found at once by ORDER BY base_amount DESC NULLS LAST with a LIMIT.';
comment on column report.player_value.paid_count is 'Paid purchases, in all currencies.';
comment on column report.player_value.base_amount is 'Sum of the paid purchases with a rate, in the base currency, exact and rounded once to its minor unit, half up. NULL when none of them has a rate.';
comment on column report.player_value.last_paid_on is 'Day of the last paid purchase in the reporting zone.';
