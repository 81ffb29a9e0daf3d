create or replace function rollup.convert_purchases(p_sign bigint) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from pg_temp.rate_change) then
    return;
  end if;
  -- The view gives the sums their rows, as those of changed players do. Days of an application are found by an index.
  execute format(
    'create temporary view purchase_change as
       select %s::bigint as sign, p.*
         from (select distinct app_id from rollup.cohort_size where cohort_kind = ''first_paid'') a
         cross join (select distinct day from pg_temp.rate_change) d
         join rollup.purchase p on p.app_id = a.app_id and p.day = d.day
         join pg_temp.rate_change c on c.currency = p.currency and c.day = p.day', p_sign);
  perform rollup.collect_changed_cohort_days();
  perform rollup.add_up('player_value', false);
  perform rollup.add_up('cohort_value', false);
  drop table changed_cohort_day;
  drop view purchase_change;
end
$$;
revoke execute on function rollup.convert_purchases from public;
comment on function rollup.convert_purchases is
  'Adds the purchases of the days with changed rates to the sums in the base currency, or takes them out (sign -1). Part of rollup.refresh_rates.';
