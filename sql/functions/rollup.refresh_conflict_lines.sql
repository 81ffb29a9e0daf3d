-- The application is that of the stored row, because a refused line can name another one. The texts of the statements
-- follow from the key of the stream. An outer join of the ledger with distributed facts would fetch all of them.
create or replace function rollup.refresh_conflict_lines(p_touched_files bigint[]) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
declare
  registered ingest.stream;
  contradicting bigint[];
begin
  -- An undo and an erasure delete conflicts, also some without a touched row.
  delete from rollup.conflict_line l
    where not exists (select 1 from ingest.conflict c
      where c.source_file_id = l.source_file_id and c.line_number = l.line_number and c.stream = l.stream);
  if p_touched_files is null then
    return;
  end if;
  for registered in select * from ingest.stream s
    where exists (select 1 from ingest.conflict c where c.stream = s.stream) order by s.stream
  loop
    -- Receipts have their key in the note. The rows of the other streams are found by their time, which is a part of
    -- their key; a row too many costs only its look-up.
    execute format(
      'select array_agg(distinct c.source_file_id) from ingest.conflict c
         where c.stream = %L and %s in (select t.%I from pg_temp.touched_row t where t.stream = %1$L)',
      registered.stream,
      case when registered.partition_column is null then '(c.natural_key ->> 0)' else format(
        '(c.natural_key ->> %s)::timestamptz',
        array_position(registered.key_columns, registered.partition_column) - 1) end,
      case when registered.partition_column is null then 'payment_seq' else 'event_at' end)
      into contradicting;
    contradicting := p_touched_files || contradicting;
    delete from rollup.conflict_line l where l.stream = registered.stream and l.source_file_id = any (contradicting);
    execute format(
      'with line as materialized (
         select distinct c.source_file_id, c.line_number, c.natural_key
           from ingest.conflict c where c.stream = %1$L and c.source_file_id = any ($1)
       ), k as materialized (
         select distinct l.natural_key from line l
       ), found as materialized (
         select k.natural_key, t.app_id from k join game.%2$I t on %3$s
       )
       insert into rollup.conflict_line (source_file_id, line_number, stream, app_id)
         select l.source_file_id, l.line_number, %1$L, f.app_id
           from line l left join found f on f.natural_key = l.natural_key',
      registered.stream, registered.target_table, ingest.key_condition(registered.stream))
      using contradicting;
  end loop;
end
$$;
comment on function rollup.refresh_conflict_lines is
  'Looks up the applications of the conflicts in touched files and with touched rows, in rollup.conflict_line; without touched files (NULL) it only removes what has no conflict any more. Part of rollup.refresh_operations.';
