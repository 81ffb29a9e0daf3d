-- A full refresh makes every file new again. It reads the keys of players and days from the facts and not from
-- pg_temp.touched_row, which would be a copy of all facts.
create or replace function rollup.collect_touched(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  zone constant text := rollup.reporting_zone();
  known record;
  noting text;
begin
  if p_is_full then
    update rollup.refresh_state set source_file_id = 0, load_id = null;
  end if;
  insert into pg_temp.touched_file (source_file_id)
    select f.source_file_id
      from ingest.source_file f join rollup.refresh_state s using (stream)
      where f.source_file_id > s.source_file_id and f.undone_at is null
    union
    select t.source_file_id from rollup.touched_file t;
  analyze pg_temp.touched_file;
  if not p_is_full then
    for known in
      select s.stream, s.target_table, r.source_file_id as newest, array(
          select t.source_file_id
            from pg_temp.touched_file t join ingest.source_file f using (source_file_id)
            where ingest.brings_rows_of(f.stream, s.stream) and t.source_file_id <= r.source_file_id) as replayed
        from ingest.stream s join rollup.refresh_state r using (stream)
        where s.time_column is not null and s.stream <> 'event'
        order by s.stream
    loop
      -- Two statements, because the rows of new files are one range of file numbers, and those of replayed files are not.
      noting := rollup.note_statement(known.stream, format('game.%I', known.target_table), 'pg_temp.touched_row')
        || ' where r.source_file_id ';
      execute noting || '> $1' using known.newest;
      if known.replayed <> '{}' then
        execute noting || '= any ($1)' using known.replayed;
      end if;
    end loop;
    -- Events make nobody a player, so the days of a file suffice.
    insert into pg_temp.touched_row (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number)
      select 'event', e.app_id, null, min(e.occurred_at), true, e.source_file_id, min(e.line_number)
        from game.event e
        where e.source_file_id > (select s.source_file_id from rollup.refresh_state s where s.stream = 'event')
          or e.source_file_id in (select t.source_file_id from rollup.touched_file t)
        group by e.app_id, e.source_file_id, (e.occurred_at at time zone zone)::date;
    insert into pg_temp.touched_row select distinct t.* from rollup.touched_row t;
    analyze pg_temp.touched_row;
    insert into pg_temp.touched_day (app_id, day)
      select distinct t.app_id, (t.event_at at time zone zone)::date
        from pg_temp.touched_row t
        where t.is_dated and isfinite(t.event_at);
    analyze pg_temp.touched_day;
  end if;
  perform rollup.refresh_calendar(p_is_full);
end
$$;
revoke execute on function rollup.collect_touched from public;
comment on function rollup.collect_touched is
  'Fills the working tables of a refresh with the files, rows and days that changed since the last one. Part of rollup.begin_refresh.';
