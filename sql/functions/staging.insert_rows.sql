-- SECURITY DEFINER: distributed facts are reached only as the owner (see staging.begin_rows), so the loader copies its
-- rows into the staging table. The rows of a group have the numbers of several files, each opened by this transaction.
create or replace function staging.insert_rows(p_stream text) returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  staged constant regclass := staging.table_of(p_stream);
  target text;
  source_files bigint[];
  columns text;
  inserted bigint;
begin
  execute format('select array_agg(distinct source_file_id) from %s', staged) into source_files;
  perform ingest.require_open_files(source_files, p_stream);
  select format('game.%I', s.target_table) into strict target from ingest.stream s where s.stream = p_stream;
  columns := staging.columns_of(target::regclass);
  execute format('insert into %s (%s) select %2$s from %s', target, columns, staged);
  get diagnostics inserted = row_count;
  execute format('truncate %s', staged);
  return inserted;
end
$$;
comment on function staging.insert_rows is
  'Moves the staged rows of files that this transaction has opened into the table of their stream, which has none of their keys, and returns their number.';
