-- Each step of the loop counts one part of a stream: the rows of new files, or old files' rows in a range of touched
-- days. The bounds in UTC let an index find a range of days; the day in the reporting zone decides. The best index depends
-- on the part, so each part gets a plan of its own.
create or replace function rollup.refresh_file_days(p_has_new_files boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  zone constant text := rollup.reporting_zone();
  -- A row that somebody inserted under a larger number would be new in every refresh.
  newest_file constant bigint := (select max(source_file_id) from ingest.source_file);
  known record;
  part record;
begin
  for known in select stream, source_file_id as newest from rollup.refresh_state order by stream loop
    for part in
      select null::bigint[] as files, date '-infinity' as first_day, date 'infinity' as last_day,
          '-infinity'::timestamptz as starts_after, 'infinity'::timestamptz as ends_before
        where p_has_new_files
      union all
      select array_agg(distinct t.source_file_id), min(t.day), max(t.day),
          (min(t.day) - 1)::timestamp at time zone 'UTC', (max(t.day) + 2)::timestamp at time zone 'UTC'
        from (
          -- Days without a gap between them have the same difference.
          select source_file_id, day, day - dense_rank() over (order by day)::integer as island
            from (
              select distinct source_file_id, (event_at at time zone zone)::date as day
                from pg_temp.touched_row
                where stream = known.stream and source_file_id <= known.newest
            ) d
        ) t
        group by t.island
    loop
      delete from rollup.file_day
        where stream = known.stream and day between part.first_day and part.last_day
          and source_file_id = any (part.files);
      execute format(
        $sql$
          insert into rollup.file_day (source_file_id, stream, app_id, day, line_count, load_start_count,
              unknown_sandbox_count, unpriced_count, free_count, imprecise_count, repaired_count,
              unknown_product_type_count, untyped_expiry_count, first_event_at, newest_event_at)
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
              where case when $3 is null then s.source_file_id > $4 and s.source_file_id <= $9
                  else s.source_file_id = any ($3) end
                and s.event_at >= $5 and s.event_at < $6
                and ($3 is null or (s.event_at at time zone $2)::date between $7 and $8)
              group by s.source_file_id, s.app_id, (s.event_at at time zone $2)::date
        $sql$, staging.standing_rows(known.stream))
        using known.stream, zone, part.files, known.newest, part.starts_after, part.ends_before, part.first_day,
          part.last_day, newest_file;
    end loop;
  end loop;
end
$$;
comment on function rollup.refresh_file_days is
  'Counts the standing rows of new files and of touched days of older files again, in rollup.file_day. Part of rollup.refresh_operations.';
