create or replace function rollup.advance_refresh_state() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  update rollup.refresh_state s
    set source_file_id = greatest(s.source_file_id, n.source_file_id),
      load_id = greatest(s.load_id, n.load_id)
    from (
      -- A file also counts for the stream of records within its lines, because it brings rows of that one as well.
      select o.stream, max(f.source_file_id) as source_file_id, max(f.load_id) as load_id
        from rollup.refresh_state o
        join ingest.stream s on s.stream = o.stream or s.embedded_stream = o.stream
        join ingest.source_file f on f.stream = s.stream
        where f.source_file_id > o.source_file_id
        group by o.stream
    ) n
    where s.stream = n.stream;
  update rollup.refresh_state set refreshed_at = now(), has_open_erasure = false;
  delete from rollup.touched_row;
  delete from rollup.touched_file;
end
$$;
revoke execute on function rollup.advance_refresh_state from public;
comment on function rollup.advance_refresh_state is
  'Records which files the reports contain, and removes the notes. Part of rollup.finish_refresh.';
