create or replace function rollup.rate_changes()
returns table (currency text, day date, old_rate numeric, new_rate numeric)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  with due as (
    select r.currency, r.valid_on + n as day, r.rate
      from (
        select e.currency, e.valid_on, e.rate,
            lead(e.valid_on) over (partition by e.currency order by e.valid_on) - e.valid_on as days
          from game.exchange_rate e
          where e.base_currency = (select rollup.base_currency()) and e.currency <> e.base_currency
      ) r
      cross join generate_series(0, 7) n
      where n < coalesce(r.days, 8)
    union all
    select b.currency, c.period_start, 1
      from rollup.base_currency() b (currency) cross join rollup.calendar_period c
      where c.period = 'day' and b.currency is not null
  )
  select currency, day, s.rate, d.rate
    from due d full join rollup.day_rate s using (currency, day)
    where s.rate is distinct from d.rate
$$;
comment on function rollup.rate_changes is
  'The days and currencies whose rate differs from the one that the reports have, by the loaded rates and the setting base-currency; NULL for no rate. Part of rollup.begin_refresh.';
