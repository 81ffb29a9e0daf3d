create or replace function rollup.refresh_operations(p_is_full boolean, p_has_new_files boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  touched_files constant bigint[] := array(
    select source_file_id from pg_temp.touched_file union select source_file_id from pg_temp.touched_row);
begin
  if p_is_full then
    -- DELETE and not TRUNCATE: readers go on reading the old reports until the refresh commits.
    delete from rollup.file_day;
    delete from rollup.conflict_line;
  end if;
  perform rollup.refresh_file_days(p_has_new_files);
  if p_is_full then
    insert into pg_temp.touched_day (app_id, day)
      select distinct d.app_id, d.day from rollup.file_day d where d.first_event_at is not null;
  end if;

  delete from rollup.file f where p_is_full or f.source_file_id = any (touched_files);
  insert into rollup.file (source_file_id, stream, app_id, line_count, load_start_count,
      unknown_sandbox_count, unpriced_count, free_count, imprecise_count, repaired_count,
      unknown_product_type_count, untyped_expiry_count, first_event_at, newest_event_at)
    select d.source_file_id, d.stream, d.app_id, sum(d.line_count), sum(d.load_start_count),
        sum(d.unknown_sandbox_count), sum(d.unpriced_count), sum(d.free_count), sum(d.imprecise_count),
        sum(d.repaired_count), sum(d.unknown_product_type_count), sum(d.untyped_expiry_count),
        min(d.first_event_at), max(d.newest_event_at)
      from rollup.file_day d
      where d.source_file_id = any (touched_files)
      group by d.source_file_id, d.stream, d.app_id;

  delete from rollup.stream_day r
    where p_is_full or exists (select from pg_temp.touched_day t where t.app_id = r.app_id and t.day = r.day);
  insert into rollup.stream_day (stream, app_id, day, line_count, first_event_at, newest_event_at)
    select d.stream, d.app_id, d.day, sum(d.line_count - d.load_start_count), min(d.first_event_at),
        max(d.newest_event_at)
      from pg_temp.touched_day t
      join rollup.file_day d on d.day = t.day and d.app_id = t.app_id
      where d.first_event_at is not null
      group by d.stream, d.app_id, d.day;
  perform rollup.refresh_conflict_lines(touched_files);
end
$$;
revoke execute on function rollup.refresh_operations from public;
comment on function rollup.refresh_operations is
  'Brings the rollups of files, conflicts, and streams by day up to date. Part of rollup.finish_refresh.';
