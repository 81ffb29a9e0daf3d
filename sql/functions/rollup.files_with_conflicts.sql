-- Receipts have their key in the note. The rows of the other streams are found by their time, which is a part of their
-- key; a row too many costs only its count.
create or replace function rollup.files_with_conflicts(p_notes regclass) returns bigint[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
declare
  registered ingest.stream;
  found_files bigint[];
  files bigint[] := '{}';
begin
  for registered in select * from ingest.stream s
    where exists (select 1 from ingest.conflict c where c.stream = s.stream) order by s.stream
  loop
    execute format(
      'select array_agg(distinct c.source_file_id) from ingest.conflict c
         where c.stream = %L and %s in (select t.%I from %s t where t.stream = %1$L)',
      registered.stream,
      case when registered.partition_column is null then '(c.natural_key ->> 0)' else format(
        '(c.natural_key ->> %s)::timestamptz',
        array_position(registered.key_columns, registered.partition_column) - 1) end,
      case when registered.partition_column is null then 'payment_seq' else 'event_at' end, p_notes)
      into found_files;
    files := files || found_files;
  end loop;
  return files;
end
$$;
revoke execute on function rollup.files_with_conflicts from public;
comment on function rollup.files_with_conflicts is
  'The files with lines that contradict the noted rows. p_notes is rollup.touched_row or staging.touched_row.';
