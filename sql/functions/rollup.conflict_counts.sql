-- A function and not a view: the stored row is found by the key in ingest.conflict, and no view reads that column.
--
-- SECURITY DEFINER, because a view calls the function with the rights of its reader, who cannot read the ledger.
create or replace function rollup.conflict_counts()
returns table (source_file_id bigint, stream text, app_id text, conflict_count bigint)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  pending bigint[] := array(select source_file_id from rollup.pending_file);
begin
  if exists (select 1 from rollup.touched_row) then
    pending := pending || rollup.files_with_conflicts('rollup.touched_row');
  end if;
  return query
    select l.source_file_id, l.stream, l.app_id, count(*)
      from (
        select r.source_file_id, r.stream, r.app_id
          from rollup.conflict_line r
          where r.source_file_id <> all (pending)
            and exists (select 1 from ingest.conflict c
              where c.source_file_id = r.source_file_id and c.line_number = r.line_number and c.stream = r.stream)
        union all
        select p.source_file_id, p.stream, p.app_id from rollup.conflict_lines(pending) p
      ) l
      group by l.source_file_id, l.stream, l.app_id;
end
$$;
revoke execute on function rollup.conflict_counts from public;
comment on function rollup.conflict_counts is
  'Counts the lines that contradict stored rows, by file, stream and application of the stored row (NULL when it is gone), also of files loaded since the last refresh. Part of report.quality_by_day.';
