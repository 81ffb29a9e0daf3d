create or replace function rollup.refresh_files() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from rollup.file f
    where f.source_file_id in (
      select source_file_id from staging.touched_file union select source_file_id from staging.touched_row);

  insert into rollup.file (source_file_id, stream, app_id, line_count, load_start_count,
      unknown_sandbox_count, unpriced_count, free_count, imprecise_count, repaired_count,
      unknown_product_type_count, untyped_expiry_count, first_event_at, newest_event_at)
    select d.source_file_id, d.stream, d.app_id, sum(d.line_count), sum(d.load_start_count),
        sum(d.unknown_sandbox_count), sum(d.unpriced_count), sum(d.free_count), sum(d.imprecise_count),
        sum(d.repaired_count), sum(d.unknown_product_type_count), sum(d.untyped_expiry_count),
        min(d.first_event_at), max(d.newest_event_at)
      from rollup.file_day d
      where not exists (select 1 from rollup.file f
        where f.source_file_id = d.source_file_id and f.stream = d.stream and f.app_id = d.app_id)
      group by d.source_file_id, d.stream, d.app_id;
end
$$;
revoke execute on function rollup.refresh_files from public;
comment on function rollup.refresh_files is
  'Adds up rollup.file_day for the touched files in rollup.file. Part of rollup.refresh_operations.';
