create or replace function rollup.periods_of_day(p_day date)
returns table (period text, period_start date, first_bit integer)
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  values ('day', p_day, 1), ('week', date_trunc('week', p_day::timestamp)::date, 2),
    ('month', date_trunc('month', p_day::timestamp)::date, 3)
$$;
revoke execute on function rollup.periods_of_day from public;
comment on function rollup.periods_of_day is
  'The day, week and month of a day, with the bit of PurchaseFirsts for the first purchase of the period.';
