-- A temporary table has no rival for its lock (pg_dump holds every other table for hours), is seen by
-- no other session, and ends with the transaction. The table is the owner's: the loader may add rows
-- and nothing else.
create or replace function staging.open(p_stream text) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set temp_tablespaces = ''
as $$
declare
  target text;
begin
  select target_table into strict target from ingest.stream where stream = p_stream;
  if to_regclass(format('pg_temp.%I', 'staging_' || p_stream)) is not null then
    perform staging.table_of(p_stream);
    return;
  end if;
  -- With the target's checks: a value that the target refuses is refused on its way into staging,
  -- where an error can show no row but the loader's own.
  execute format('create temporary table %I (like game.%I including constraints) on commit drop',
    'staging_' || p_stream, target);
  -- Nobody else sees the table, so "public" is this session.
  execute format('grant insert on pg_temp.%I to public', 'staging_' || p_stream);
end
$$;
revoke execute on function staging.open from public;
comment on function staging.open is
  'Makes the temporary table pg_temp.staging_<stream>, in which rows wait for staging.merge until the transaction ends.';
