-- Only rollup.create_working_tables creates its table as this owner.
create or replace function rollup.current_refresh() returns table (is_full boolean, is_erasure boolean)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select 1 from pg_catalog.pg_class c
      where c.oid = to_regclass('pg_temp.current_refresh') and pg_get_userbyid(c.relowner) = current_user)
  then
    raise exception 'no refresh has begun in this transaction'
      using errcode = 'object_not_in_prerequisite_state', hint = 'Run gamebase-ingest refresh.';
  end if;
  return query select c.is_full, c.is_erasure from pg_temp.current_refresh c;
end
$$;
comment on function rollup.current_refresh is
  'The kind of the refresh that has begun in this transaction; an error unless one has. Part of a refresh.';
