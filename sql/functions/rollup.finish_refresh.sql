create or replace function rollup.finish_refresh() returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set jit = off
set work_mem = '64MB'
set default_statistics_target = 20
as $$
declare
  is_full boolean;
begin
  -- Not an argument: the sums of a rebuild would be wrong after anything else.
  select c.is_full into strict is_full from rollup.current_refresh() c where not c.is_erasure;
  -- The next steps read what the step before has filled.
  perform rollup.analyze_grown();
  perform rollup.add_sums(is_full);
  perform rollup.refresh_operations(is_full, true);
  perform rollup.analyze_grown();
  perform rollup.refresh_horizons(case when not is_full then array(select distinct t.app_id from pg_temp.touched_day t) end);
  perform rollup.refresh_items(is_full);
  perform rollup.refresh_event_days(is_full);
  update rollup.refresh_state s
    set source_file_id = greatest(s.source_file_id, n.source_file_id), load_id = greatest(s.load_id, n.load_id),
      refreshed_at = now(), has_open_erasure = false
    from (
      -- A file also counts for the stream of records within its lines, because it brings rows of that one as well.
      select o.stream, max(f.source_file_id) as source_file_id, max(f.load_id) as load_id
        from rollup.refresh_state o
        join ingest.stream s on s.stream = o.stream or s.embedded_stream = o.stream
        left join ingest.source_file f on f.stream = s.stream and f.source_file_id > o.source_file_id
        group by o.stream
    ) n
    where s.stream = n.stream;
  delete from rollup.touched_row;
  delete from rollup.touched_file;
  perform rollup.drop_working_tables();
  perform rollup.analyze_grown();
end
$$;
comment on function rollup.finish_refresh is
  'Brings the sums and the other reports up to date after rollup.apply_players, and records which files the reports contain. Ends a refresh.';
