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
  perform rollup.find_level_percentiles(p_is_full);
  perform rollup.run_subscription_totals();
  perform rollup.refresh_concentration(p_is_full);
end
$$;
revoke execute on function rollup.apply_sums from public;
comment on function rollup.apply_sums is
  'Adds the changed rows of players to all sums, and computes again what does not add up. Part of rollup.finish_refresh.';
