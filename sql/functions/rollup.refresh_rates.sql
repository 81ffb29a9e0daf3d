-- Runs before the players are applied, so the sums hold the stored purchases at the stored rates. The purchases of changed
-- days leave the sums at the old rates and enter them at the new ones. A rebuild adds up all purchases afterwards.
create or replace function rollup.refresh_rates(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  base constant text := rollup.base_currency();
begin
  create temporary table rate_change on commit drop as
    with due as (
      select r.currency, r.valid_on + n as day, r.rate
        from (
          select e.currency, e.valid_on, e.rate,
              lead(e.valid_on) over (partition by e.currency order by e.valid_on) - e.valid_on as days
            from game.exchange_rate e
            where e.base_currency = base and e.currency <> base
        ) r
        cross join generate_series(0, 7) n
        where n < coalesce(r.days, 8)
      union all
      select base, c.period_start, 1
        from rollup.calendar_period c
        where c.period = 'day' and base is not null
    )
    select currency, day, s.rate as old_rate, d.rate as new_rate
      from due d full join rollup.day_rate s using (currency, day)
      where s.rate is distinct from d.rate;
  analyze pg_temp.rate_change;
  if not p_is_full then
    perform rollup.convert_purchases(-1);
  end if;
  update rollup.base_unit b
    set currency = base, minor_unit = c.minor_unit, minor_unit_value = c.minor_unit_value
    from (select) one left join game.currency c on c.currency = base
    where b.currency is distinct from base;
  update rollup.player_value v
    set minor_unit = coalesce(b.minor_unit, 0)
    from rollup.base_unit b
    where not p_is_full and v.minor_unit <> coalesce(b.minor_unit, 0);
  delete from rollup.day_rate r
    using pg_temp.rate_change c
    where c.old_rate is not null and r.currency = c.currency and r.day = c.day;
  insert into rollup.day_rate (currency, day, rate)
    select c.currency, c.day, c.new_rate from pg_temp.rate_change c where c.new_rate is not null;
  if not p_is_full then
    perform rollup.convert_purchases(1);
  end if;
  drop table pg_temp.rate_change;
end
$$;
revoke execute on function rollup.refresh_rates from public;
comment on function rollup.refresh_rates is
  'Brings the rates of days, and the sums in the base currency, up to date with the loaded rates and the setting base-currency. Part of rollup.begin_refresh.';
