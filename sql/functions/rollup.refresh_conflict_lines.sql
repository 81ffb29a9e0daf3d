create or replace function rollup.refresh_conflict_lines() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Not within the query, because the planner would call it, too.
  contradicted constant bigint[] := rollup.files_with_conflicts('staging.touched_row');
  files constant bigint[] := array(
    select source_file_id from staging.touched_file
    union
    -- Most touched rows are of these files.
    select t.source_file_id from staging.touched_row t
      where t.source_file_id not in (select f.source_file_id from staging.touched_file f)
    union
    select unnest(contradicted));
begin
  delete from rollup.conflict_line l where l.source_file_id = any (files);
  -- An undo and an erasure delete conflicts, also some without a touched row.
  delete from rollup.conflict_line l
    where not exists (select 1 from ingest.conflict c
      where c.source_file_id = l.source_file_id and c.line_number = l.line_number and c.stream = l.stream);
  insert into rollup.conflict_line (source_file_id, line_number, stream, app_id)
    select l.source_file_id, l.line_number, l.stream, l.app_id from rollup.conflict_lines(files) l;
end
$$;
revoke execute on function rollup.refresh_conflict_lines from public;
comment on function rollup.refresh_conflict_lines is
  'Looks up the applications of the conflicts in touched files and with touched rows, in rollup.conflict_line. Part of rollup.refresh_operations.';
