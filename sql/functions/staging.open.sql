-- A temporary table, because no other session can lock it (pg_dump locks every permanent table for hours) or read it,
-- and because it ends with the transaction. The owner owns it, so the loader can only insert rows.
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
  -- With the check constraints of the target, so that the COPY into staging refuses a bad value. An error there can
  -- show only rows of the loader.
  execute format('create temporary table %I (like game.%I including constraints) on commit drop',
    'staging_' || p_stream, target);
  -- Only this session sees the table, so a grant to public is safe.
  execute format('grant insert on pg_temp.%I to public', 'staging_' || p_stream);
end
$$;
comment on function staging.open is
  'Creates the temporary table pg_temp.staging_<stream>, which holds rows for staging.merge until the transaction ends.';
