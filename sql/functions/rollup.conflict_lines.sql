-- The application is that of the stored row, because a refused line can name another one. The text of the statement
-- follows from the key of the stream. An outer join of the ledger with distributed facts would fetch all of them.
create or replace function rollup.conflict_lines(p_files bigint[])
returns table (source_file_id bigint, line_number bigint, stream text, app_id text)
language plpgsql stable
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
#variable_conflict use_column
declare
  registered ingest.stream;
begin
  for registered in select * from ingest.stream s
    where exists (select 1 from ingest.conflict c where c.stream = s.stream) order by s.stream
  loop
    return query execute format(
      'with line as materialized (
         select distinct c.source_file_id, c.line_number, c.natural_key
           from ingest.conflict c where c.stream = %1$L and c.source_file_id = any ($1)
       ), k as materialized (
         select distinct l.natural_key from line l
       ), found as materialized (
         select k.natural_key, t.app_id from k join game.%2$I t on %3$s
       )
       select l.source_file_id, l.line_number, %1$L, f.app_id
         from line l left join found f on f.natural_key = l.natural_key',
      registered.stream, registered.target_table, ingest.natural_key_condition(registered.stream))
      using p_files;
  end loop;
end
$$;
revoke execute on function rollup.conflict_lines from public;
comment on function rollup.conflict_lines is
  'The lines of files that contradict stored rows, with stream and application of the stored row (NULL when it is gone).';
