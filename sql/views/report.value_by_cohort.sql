create or replace view report.value_by_cohort as
with mature as (
  -- The day of the horizon has not ended, the day before it has.
  select h.app_id, max(c.period_start) - 1 as paid_through
  from rollup.app_horizon h
  join rollup.calendar_period c on c.period = 'day' and c.starts_at <= h.receipt_newest_at
  group by h.app_id
), cohort as (
  select s.app_id, s.cohort_kind, p.period, p.cohort_start,
      case p.period when 'day' then p.cohort_start when 'week' then p.cohort_start + 6
        else (p.cohort_start + interval '1 month')::date - 1 end as last_on,
      sum(s.cohort_size)::bigint as cohort_size
    from rollup.cohort_size s
    cross join lateral (values ('day', s.cohort_on), ('week', date_trunc('week', s.cohort_on::timestamp)::date),
      ('month', date_trunc('month', s.cohort_on::timestamp)::date)) p (period, cohort_start)
    group by s.app_id, s.cohort_kind, p.period, p.cohort_start
)
select
  c.app_id,
  c.cohort_kind,
  c.period,
  c.cohort_start,
  n.day_n,
  b.currency as base_currency,
  c.cohort_size,
  coalesce(s.mature_size, 0) as mature_size,
  case when s.mature_size > 0 then case c.cohort_kind when 'first_paid' then s.mature_size else p.payer_count end end
    as payer_count,
  case when s.mature_size > 0 and (v.converted_count > 0 or v.paid_count = 0)
    then round(v.base_amount, b.minor_unit) end::numeric(60, 4) as base_amount,
  -- Half up from the exact quotient: a quotient of numerics is rounded itself.
  case when v.converted_count = v.paid_count
    then round(div(v.base_amount * 200 / b.minor_unit_value + s.mature_size, s.mature_size * 2::numeric)
      * b.minor_unit_value / 100, b.minor_unit + 2) end::numeric(60, 6) as base_amount_per_user,
  case when s.mature_size > 0 then v.paid_count - v.converted_count end as unconverted_count,
  coalesce(c.last_on + n.day_n <= m.paid_through, false) as is_mature
from cohort c
cross join rollup.cohort_step n
cross join rollup.base_unit b
left join mature m on m.app_id = c.app_id
-- The days of the cohort that are mature at day_n are its first ones.
cross join lateral (
  select case when m.paid_through is null then '-infinity' else least(c.last_on, m.paid_through - n.day_n) end as mature_on
) t
cross join lateral (
  select sum(z.cohort_size)::bigint as mature_size
  from rollup.cohort_size z
  where z.app_id = c.app_id and z.cohort_kind = c.cohort_kind and z.cohort_on >= c.cohort_start
    and z.cohort_on <= t.mature_on
) s
cross join lateral (
  select coalesce(sum(z.converted_count), 0)::bigint as payer_count
  from rollup.cohort_converted z
  where c.cohort_kind = 'first_observed' and z.app_id = c.app_id and z.cohort_on >= c.cohort_start
    and z.cohort_on <= t.mature_on and z.day_n <= n.day_n
) p
cross join lateral (
  select coalesce(sum(z.paid_count), 0)::bigint as paid_count, coalesce(sum(z.converted_count), 0)::bigint as converted_count,
    coalesce(sum(z.base_amount), 0) as base_amount
  from rollup.cohort_value z
  where z.app_id = c.app_id and z.cohort_kind = c.cohort_kind and z.cohort_on >= c.cohort_start
    and z.cohort_on <= t.mature_on and z.day_n <= n.day_n
) v;

comment on view report.value_by_cohort is
  'One row per application, kind of cohort, period, start of the cohort and day_n (0 to 7, 14, 28, 30, 60, 90, 180, 365). What users paid in all currencies, in the base currency: lifetime value by day. The cohort of a week or month is the users of its days; each day counts from the day on which it is mature itself.';
comment on column report.value_by_cohort.app_id is 'The application; empty when unknown.';
comment on column report.value_by_cohort.cohort_kind is
  'first_observed: users by the day of their first observation. first_paid: users by the day of their first paid purchase, in any currency.';
comment on column report.value_by_cohort.period is 'day, week (from Monday) or month, in the reporting zone: the days that make one cohort.';
comment on column report.value_by_cohort.cohort_start is 'First day of the cohort.';
comment on column report.value_by_cohort.day_n is 'Number of calendar days after the day of each user.';
comment on column report.value_by_cohort.base_currency is 'ISO 4217 code of the setting base-currency; NULL while it is not set.';
comment on column report.value_by_cohort.cohort_size is 'Users of the cohort. Do not add it over day_n or periods.';
comment on column report.value_by_cohort.mature_size is 'Users of the days of the cohort that are mature at day_n by the receipts, to which the figures refer: the denominator of sums over cohorts; 0 when no day is mature.';
comment on column report.value_by_cohort.payer_count is 'Those of mature_size with a paid purchase, in any currency, on day_n or before. NULL when no day with users is mature.';
comment on column report.value_by_cohort.base_amount is 'Sum of the paid purchases with a rate of these users on day_n or before, in the base currency, exact and rounded once to its minor unit, half up; what was paid before the day of the cohort (for a subscription that a store continued) counts from day 0 on. 0 when they paid nothing; NULL when none of it has a rate, and when no day with users is mature.';
comment on column report.value_by_cohort.base_amount_per_user is 'base_amount / mature_size, with two digits more than the base currency. NULL when unconverted_count is above 0, and when no day with users is mature.';
comment on column report.value_by_cohort.unconverted_count is 'Paid purchases of these users on day_n or before in a currency without a rate on the day of the purchase or in the 7 days before it. NULL when no day with users is mature.';
comment on column report.value_by_cohort.is_mature is 'True when all days of the cohort are mature at day_n: its last day and day_n more end at or before the newest event of the application''s receipt feed.';
