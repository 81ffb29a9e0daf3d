create or replace function rollup.finish_refresh() returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set jit = off
set work_mem = '64MB'
set default_statistics_target = 20
as $$
declare
  is_full boolean;
begin
  perform rollup.require_working_tables();
  -- Not an argument: the sums of a rebuild would be wrong after anything else.
  select c.is_full into strict is_full from pg_temp.current_refresh c where not c.is_erasure;
  perform rollup.add_sums(is_full);
  perform rollup.refresh_operations(is_full, true);
  perform rollup.refresh_horizons(case when not is_full then array(select distinct t.app_id from pg_temp.touched_day t) end);
  perform rollup.refresh_items(is_full);
  perform rollup.refresh_product_names(is_full);
  perform rollup.refresh_price_checks();
  perform rollup.refresh_event_days(is_full);
  perform rollup.advance_refresh_state();
  perform rollup.drop_working_tables();
  perform rollup.analyze_sums();
end
$$;
revoke execute on function rollup.finish_refresh from public;
comment on function rollup.finish_refresh is
  'Brings the sums and the other reports up to date after rollup.apply_players, and records which files the reports contain. Ends a refresh.';
