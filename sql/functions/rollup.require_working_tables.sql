-- Only rollup.create_working_tables creates them as this owner.
create or replace function rollup.require_working_tables() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select 1 from pg_catalog.pg_class c
      where c.oid = to_regclass('pg_temp.touched_player') and pg_get_userbyid(c.relowner) = current_user)
  then
    raise exception 'no refresh has begun in this transaction'
      using errcode = 'object_not_in_prerequisite_state', hint = 'Run gamebase-ingest refresh.';
  end if;
end
$$;
comment on function rollup.require_working_tables is
  'Raises an error unless rollup.begin_refresh has begun a refresh in this transaction. Part of a refresh.';
