-- In a cluster the rows of a merge are compared on the coordinator, with copies of the stored ones. Most repeats are whole
-- repeats, and their digest shows it: their line numbers come from the servers, and no stored row is copied. On one server
-- the loader compares the digests itself.
create or replace function staging.settle_repeats(p_stream text, p_source_file_id bigint) returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  registered ingest.stream;
  staged constant regclass := staging.table_of(p_stream);
  months text := '';    -- the condition that leaves out months without a staged row
  repeated bigint;
  met_files bigint[];
begin
  select * into strict registered from ingest.stream s where s.stream = p_stream;
  if registered.partition_column is not null then
    execute format('select format('' and t.%1$I between %%L and %%L'', min(s.%1$I), max(s.%1$I)) from %2$s s',
      registered.partition_column, staged) into months;
  end if;
  execute format(
    'with known as materialized (
       select s.line_number, t.source_file_id as met_file_id
         from game.%1$I t
         join (select %2$s, row_digest, line_number from %3$s) s
           on %4$s and t.row_digest = s.row_digest%5$s
     ), settled as (
       delete from %3$s s using known k where s.line_number = k.line_number and s.source_file_id = $1
         returning s.*, k.met_file_id
     ), counted as (%6$s)
     select count(*), coalesce(array_agg(distinct met_file_id), ''{}'') from settled',
    registered.target_table, (select string_agg(quote_ident(k), ', ') from unnest(registered.key_columns) k), staged,
    ingest.key_condition(p_stream, 's.%1$I'), months,
    format(ingest.counted_apps(p_stream, p_source_file_id), 'settled'))
    into repeated, met_files using p_source_file_id;
  perform ingest.record_met_files(p_stream, p_source_file_id, met_files);
  perform staging.count_merged(p_stream, p_source_file_id, (0, 0, repeated, 0));
  return repeated;
end
$$;
comment on function staging.settle_repeats is
  'Removes staged rows that repeat a stored one wholly, counts them as duplicates, and returns their number. Part of staging.merge in a cluster.';
