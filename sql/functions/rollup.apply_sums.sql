create or replace function rollup.apply_sums(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform rollup.collect_changed_chains();
  perform rollup.collect_changed_cohort_days();
  -- Every function <sum>_change names its sum.
  perform rollup.add_up(c.relname, p_is_full)
    from pg_catalog.pg_class c
    join pg_catalog.pg_proc p on p.proname = c.relname || '_change' and p.pronamespace = c.relnamespace
    where c.relnamespace = 'rollup'::regnamespace and c.relkind = 'r'
    order by c.relname;
  perform rollup.add_level_times(p_is_full);
  perform rollup.run_subscription_totals();
  perform rollup.find_first_reached(p_is_full);
  perform rollup.refresh_concentration(p_is_full);
  -- rollup.refresh_running_month computes these applications again, after the horizons.
  delete from rollup.running_month r
    where p_is_full or exists (select 1 from pg_temp.subscription_period_change c where c.app_id = r.app_id);
end
$$;
revoke execute on function rollup.apply_sums from public;
comment on function rollup.apply_sums is
  'Adds the changed rows of players to all sums, and computes again what does not add up. Part of rollup.finish_refresh.';
