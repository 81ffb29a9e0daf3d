-- A time later than the start of the file's run counts for nothing: the client's clock is fast, and could hide that the
-- feed has stopped. Nor do records within the lines of a file: receipts in events would hide that the receipt files
-- stopped coming.
create or replace function ingest.counted_apps(p_stream text, p_source_file_id bigint) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select format(
      'insert into ingest.file_app as f (source_file_id, app_id, first_event_at, newest_event_at)
         select %1$s, e.app_id, min(e.event_at), max(e.event_at)
           from (select app_id, case when %2$s <= %4$L::timestamptz then %2$s end as event_at from %%s) e
           where %3$s
           group by e.app_id
         on conflict (source_file_id, app_id) do update
           set first_event_at = least(f.first_event_at, excluded.first_event_at),
             newest_event_at = greatest(f.newest_event_at, excluded.newest_event_at)
           where (f.first_event_at, f.newest_event_at) is distinct from
             (least(f.first_event_at, excluded.first_event_at), greatest(f.newest_event_at, excluded.newest_event_at))',
      p_source_file_id,
      case when s.time_column is null then 'null::timestamptz'
        when s.time_source_column is null then quote_ident(s.time_column)
        else format('case when %I <> ''load_start'' then %I end', s.time_source_column, s.time_column) end,
      case when f.stream = p_stream then 'true' else 'false' end,
      f.as_of)
    from ingest.stream s, ingest.source_file f
    where s.stream = p_stream and f.source_file_id = p_source_file_id
$$;
comment on function ingest.counted_apps is
  'The statement that adds accepted rows of a file, in place of %s, to ingest.file_app, with their first and newest event up to the start of the run. Part of staging.merge.';
