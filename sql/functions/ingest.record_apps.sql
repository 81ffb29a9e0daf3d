-- SECURITY DEFINER: the loader role cannot write the ledger. Merges have already recorded the applications of their rows.
create or replace function ingest.record_apps(
  p_source_file_ids bigint[], p_app_ids text[], p_first bigint[], p_newest bigint[]) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform ingest.require_open_files(p_source_file_ids);
  insert into ingest.file_app as f (source_file_id, app_id, first_event_at, newest_event_at)
    select a.number, a.app_id,
        timestamptz '2000-01-01 00:00:00+00' + a.first * interval '1 millisecond',
        timestamptz '2000-01-01 00:00:00+00' + a.newest * interval '1 millisecond'
      from unnest(p_source_file_ids, p_app_ids, p_first, p_newest) a (number, app_id, first, newest)
    on conflict (source_file_id, app_id) do update
      set first_event_at = least(f.first_event_at, excluded.first_event_at),
        newest_event_at = greatest(f.newest_event_at, excluded.newest_event_at);
end
$$;
comment on function ingest.record_apps is
  'Records the applications of accepted rows in files that this transaction has opened, with their first and newest event in milliseconds since 2000-01-01 UTC.';
