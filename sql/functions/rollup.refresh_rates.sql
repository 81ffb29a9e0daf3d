create or replace function rollup.refresh_rates() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into pg_temp.rate_change (currency, day, old_rate, new_rate)
    select currency, day, old_rate, new_rate from rollup.rate_changes();
  analyze pg_temp.rate_change;
  delete from rollup.day_rate r
    using pg_temp.rate_change c
    where c.old_rate is not null and r.currency = c.currency and r.day = c.day;
  insert into rollup.day_rate (currency, day, rate)
    select c.currency, c.day, c.new_rate from pg_temp.rate_change c where c.new_rate is not null;
  update rollup.base_unit b
    set currency = base, minor_unit = c.minor_unit, minor_unit_value = c.minor_unit_value
    from rollup.base_currency() base left join game.currency c on c.currency = base
    where b.currency is distinct from base;
end
$$;
revoke execute on function rollup.refresh_rates from public;
comment on function rollup.refresh_rates is
  'Brings the rates of days up to date, and keeps the changes in pg_temp.rate_change. Part of rollup.begin_refresh.';
