create or replace function rollup.finish_erasure() returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set jit = off
as $$
begin
  perform rollup.require_working_tables();
  if not (select c.is_erasure from pg_temp.current_refresh c) then
    raise exception 'no erasure has begun in this transaction' using errcode = 'object_not_in_prerequisite_state';
  end if;
  perform rollup.add_sums(false);
  update rollup.refresh_state set has_open_erasure = false where has_open_erasure;
  perform rollup.drop_working_tables();
end
$$;
comment on function rollup.finish_erasure is
  'Takes an erased user out of the sums. Ends an erasure, after ingest.erase_user.';
