create or replace function rollup.refresh_operations(p_is_full boolean, p_has_new_files boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  zone constant text := rollup.reporting_zone();
  -- A row that somebody inserted under a larger number would be new in every refresh.
  newest_file constant bigint := (select max(source_file_id) from ingest.source_file);
  known record;
  part record;
  touched_files constant bigint[] := array(
    select source_file_id from pg_temp.touched_file union select source_file_id from pg_temp.touched_row);
begin
  if p_is_full then
    -- DELETE and not TRUNCATE: readers go on reading the old reports until the refresh commits.
    delete from rollup.file_day;
    delete from rollup.conflict_line;
  end if;

  -- Each step of the loop counts one part of a stream: the rows of new files, or old files' rows in the touched days of a
  -- month. The bounds in UTC let an index find a range of days; the day in the reporting zone decides. The best index depends
  -- on the part, so each part gets a plan of its own.
  for known in select stream, source_file_id as newest from rollup.refresh_state order by stream loop
    for part in
      select null::bigint[] as files, null::date as first_day, null::date as last_day,
          format('s.source_file_id > %L and s.source_file_id <= %L', known.newest, newest_file) as condition
        where p_has_new_files
      union all
      select array_agg(distinct t.source_file_id), min(t.day), max(t.day),
          format('s.source_file_id = any (%L) and s.event_at >= %L and s.event_at < %L
              and (s.event_at at time zone %L)::date between %L and %L', array_agg(distinct t.source_file_id),
            (min(t.day) - 1)::timestamp at time zone 'UTC', (max(t.day) + 2)::timestamp at time zone 'UTC', zone, min(t.day),
            max(t.day))
        from (
          select distinct source_file_id, (event_at at time zone zone)::date as day
            from pg_temp.touched_row
            where stream = known.stream and source_file_id <= known.newest
        ) t
        group by date_trunc('month', t.day::timestamp)
    loop
      delete from rollup.file_day
        where stream = known.stream and day between part.first_day and part.last_day
          and source_file_id = any (part.files);
      execute format(
        $sql$
          insert into rollup.file_day
            select s.source_file_id, $1, s.app_id, (s.event_at at time zone $2)::date,
                count(*),
                count(*) filter (where not s.is_dated),
                count(*) filter (where s.is_sandbox_unknown),
                count(*) filter (where s.is_unpriced),
                count(*) filter (where s.is_free),
                count(*) filter (where s.is_imprecise),
                count(*) filter (where s.is_repaired),
                count(*) filter (where s.is_product_type_unknown),
                count(*) filter (where s.is_expiry_untyped),
                min(s.event_at) filter (where s.is_dated),
                max(s.event_at) filter (where s.is_dated)
              from (%s) s
              where %s
              group by s.source_file_id, s.app_id, (s.event_at at time zone $2)::date
        $sql$, staging.standing_rows(known.stream), part.condition) using known.stream, zone;
    end loop;
  end loop;

  if p_is_full then
    insert into pg_temp.touched_day (stream, app_id, day)
      select distinct d.stream, d.app_id, d.day from rollup.file_day d where d.first_event_at is not null;
    analyze pg_temp.touched_day;
  end if;

  delete from rollup.stream_day r
    where p_is_full or exists (
      select from pg_temp.touched_day t where t.stream = r.stream and t.app_id = r.app_id and t.day = r.day);
  insert into rollup.stream_day (stream, app_id, day, line_count, first_event_at, newest_event_at)
    select d.stream, d.app_id, d.day, sum(d.line_count - d.load_start_count), min(d.first_event_at),
        max(d.newest_event_at)
      from pg_temp.touched_day t
      join rollup.file_day d on d.day = t.day and d.app_id = t.app_id and d.stream = t.stream
      where d.first_event_at is not null
      group by d.stream, d.app_id, d.day;
  perform rollup.refresh_conflict_lines(touched_files);
end
$$;
comment on function rollup.refresh_operations is
  'Brings the rollups of files, conflicts, and streams by day up to date. Part of rollup.finish_refresh.';
