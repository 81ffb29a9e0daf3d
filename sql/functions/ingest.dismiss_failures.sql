-- A refresh that runs has not seen the dismissal, and would open its days again, so the dismissal waits for its end.
create or replace function ingest.dismiss_failures(p_kinds text[], p_streams text[], p_paths text[], p_note text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  lock table rollup.refresh_lock in exclusive mode;
  insert into ingest.failure_dismissal (kind, stream, path, app_id, load_id, reason, failed_at, note)
    select o.kind, o.stream, o.path, o.app_id, (
          select max(f.load_id)
            from ingest.failed_file f
            join ingest.failure_state s on s.failed_file_id = f.failed_file_id
            where f.kind = o.kind and f.stream is not distinct from o.stream and s.path = o.path),
        coalesce(o.error, ''), o.last_failed_at, p_note
      from (select distinct * from unnest(p_kinds, p_streams, p_paths) n (kind, stream, path)) n
      join report.open_failure o on o.kind = n.kind and o.stream is not distinct from n.stream and o.path = n.path;
  delete from ingest.open_day d
    using unnest(p_kinds, p_streams, p_paths) n (kind, stream, path)
    where d.kind = n.kind and d.stream = n.stream and format('%s/%s/%s', d.app_id, d.stream, to_char(d.day, 'YYYY-MM-DD')) = n.path;
  perform rollup.refresh_app_horizons();
end
$$;
comment on function ingest.dismiss_failures is
  'Dismisses open failures, named by kind, stream and path as in report.open_failure, and ends their effect on the horizons. For the owner.';
