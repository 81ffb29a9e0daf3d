-- The application is that of the stored row, because a refused line can name another one. The text of the statement
-- follows from the key of the stream.
create or replace function rollup.conflict_lines(p_files bigint[])
returns table (source_file_id bigint, line_number bigint, stream text, app_id text)
language plpgsql
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
#variable_conflict use_column
declare
  registered ingest.stream;
  target regclass;
begin
  for registered in select * from ingest.stream s
    where exists (select 1 from ingest.conflict c where c.stream = s.stream) order by s.stream
  loop
    target := staging.borrow(registered.stream, ingest.recorded_keys(registered.stream, format(
      '(select natural_key from ingest.conflict where stream = %L and source_file_id = any (%L))',
      registered.stream, p_files)));
    return query execute format(
      'select k.source_file_id, k.line_number, %L, t.app_id
         from (
           select distinct c.source_file_id, c.line_number, c.natural_key
             from ingest.conflict c where c.stream = %1$L and c.source_file_id = any ($1)
         ) k
         left join %s t on %s',
      registered.stream, target, ingest.natural_key_condition(registered.stream))
      using p_files;
  end loop;
end
$$;
revoke execute on function rollup.conflict_lines from public;
comment on function rollup.conflict_lines is
  'The lines of files that contradict stored rows, with stream and application of the stored row (NULL when it is gone).';
