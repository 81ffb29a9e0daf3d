-- Two statements, because the rows of new files are one range of file numbers, and those of replayed files are not.
create or replace function rollup.collect_touched_rows(p_stream text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  newest bigint := (select s.source_file_id from rollup.refresh_state s where s.stream = p_stream);
  replayed bigint[] := array(
    select distinct t.source_file_id
      from rollup.touched_file t join ingest.source_file f using (source_file_id)
      where ingest.brings_rows_of(f.stream, p_stream) and t.source_file_id <= newest);
  statement constant text := rollup.note_statement(p_stream,
    (select format('game.%I', s.target_table) from ingest.stream s where s.stream = p_stream), 'staging.touched_row')
    || ' where r.source_file_id ';
begin
  execute statement || '> $1' using newest;
  if replayed <> '{}' then
    execute statement || '= any ($1)' using replayed;
  end if;
end
$$;
revoke execute on function rollup.collect_touched_rows from public;
comment on function rollup.collect_touched_rows is
  'Copies the keys of the rows of new and replayed files of one stream to staging.touched_row. Part of rollup.collect_touched.';
