create or replace function rollup.finish_erasure() returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  is_full boolean;
begin
  select c.is_full into strict is_full from rollup.current_refresh() c where c.is_erasure;
  perform rollup.add_sums(is_full);
  update rollup.refresh_state set has_open_erasure = false where has_open_erasure;
  perform rollup.drop_working_tables();
end
$$;
comment on function rollup.finish_erasure is
  'Takes an erased user out of the sums. Ends an erasure, after ingest.erase_user.';
