-- A full refresh makes every file new again. It reads the keys of players and days from the facts and not from
-- staging.touched_row, which would be a copy of all facts.
create or replace function report.collect_touched(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  zone constant text := report.reporting_zone();
begin
  perform report.empty_working_tables('staging.touched_file', 'staging.touched_row', 'staging.touched_player',
    'staging.touched_day');
  if p_is_full then
    update report.refresh_state set source_file_id = 0, load_id = null;
  end if;
  insert into staging.touched_file (source_file_id)
    select f.source_file_id
      from ingest.source_file f join report.refresh_state s using (stream)
      where f.source_file_id > s.source_file_id and f.undone_at is null
    union
    select t.source_file_id from report.touched_file t;

  if p_is_full then
    insert into report.player_rollup (app_id, user_id)
      select distinct r.app_id, r.user_id
        from (
          select app_id, user_id from game.receipt
          union all select app_id, user_id from game.level_up
          union all select app_id, user_id from game.game_user_snapshot
          union all select app_id, user_id from report.first_observation
        ) r
        where not exists (select 1 from report.player_rollup p
          where p.app_id = r.app_id and p.user_id = r.user_id);
    insert into staging.touched_player (player_id, app_id, since, read_since, has_later_event, has_receipt,
        has_changed_purchase, first_observed_on, first_paid_on, first_payment_seq)
      select p.player_id, p.app_id, '-infinity', '-infinity', false, true, false, o.first_observed_on,
          p.first_paid_on, p.first_payment_seq
        from report.player_rollup p left join report.first_observation o using (player_id);
    insert into staging.touched_day (app_id, day)
      select a.app_id, a.first_on + n
        from (
          select e.app_id, (min(e.event_at) at time zone zone)::date as first_on,
              (max(e.event_at) at time zone zone)::date as newest_on
            from (
              select r.app_id, r.event_at from staging.standing_row r where r.is_dated
              -- The days of kept observations, before the first event.
              union all
              select app_id, first_observed_at from report.first_observation
            ) e
            group by e.app_id
        ) a,
        generate_series(0, a.newest_on - a.first_on) n;
    perform report.refresh_calendar();
  else
    -- Of events the days of a file suffice.
    perform report.collect_touched_rows(s.stream)
      from ingest.stream s
      where s.time_column is not null and s.stream <> 'event'
      order by s.stream;
    perform report.collect_touched_events();
    insert into staging.touched_row
        (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number, payment_seq)
      select distinct t.stream, t.app_id, t.user_id, t.event_at, t.is_dated, t.source_file_id, t.line_number,
          t.payment_seq
        from report.touched_row t;
    analyze staging.touched_row;

    insert into staging.touched_day (app_id, day)
      select distinct t.app_id, (t.event_at at time zone zone)::date
        from staging.touched_row t
        where t.is_dated and isfinite(t.event_at);
    perform report.refresh_calendar();

    insert into report.player_rollup (app_id, user_id)
      select distinct t.app_id, t.user_id
        from staging.touched_row t
        where t.user_id is not null and not exists (select 1 from report.player_rollup p
          where p.app_id = t.app_id and p.user_id = t.user_id);
    insert into staging.touched_player (player_id, app_id, since, read_since, has_later_event, has_receipt,
        has_changed_purchase, is_later, first_observed_on, first_paid_on, first_payment_seq)
      select p.player_id, p.app_id, d.since,
          case when t.has_undated_row or coalesce(c.has_undated_character, false) then '-infinity' else d.since end,
          t.has_changed_event or t.has_undated_row or coalesce(c.has_later_character or c.has_undated_character, false),
          t.has_receipt, t.has_changed_purchase,
          not t.has_changed_event and not t.has_undated_row and not t.has_changed_purchase
            and coalesce(f.period_start > coalesce(p.newest_on, '-infinity'), false),
          o.first_observed_on, p.first_paid_on, p.first_payment_seq
        from (
          select r.app_id, r.user_id, min(r.event_at) filter (where r.is_dated) as first_at,
              bool_or(r.stream = 'receipt') as has_receipt, not bool_and(r.is_dated) as has_undated_row,
              bool_or(r.stream <> 'receipt' and (r.source_file_id > s.source_file_id) is not true) as has_changed_event,
              bool_or(r.stream = 'receipt' and r.source_file_id <= s.source_file_id) as has_changed_purchase
            from staging.touched_row r left join report.refresh_state s using (stream)
            group by r.app_id, r.user_id
        ) t
        join report.player_rollup p on p.app_id = t.app_id and p.user_id = t.user_id
        left join report.first_observation o on o.player_id = p.player_id
        left join report.calendar_period f
          on f.period = 'day' and f.period_start = (t.first_at at time zone zone)::date
        cross join lateral (select case when t.first_at = '-infinity' then t.first_at
          else coalesce(f.starts_at, 'infinity') end as since) d
        left join lateral (
          select bool_or(c.event_at >= d.since) as has_later_character,
              bool_or(c.kind = 'load_start') as has_undated_character
            from report.player_character_rollup c
            where c.player_id = p.player_id
        ) c on true;
  end if;
  analyze staging.touched_file;
  analyze staging.touched_player;
  analyze staging.touched_day;
end
$$;
revoke execute on function report.collect_touched from public;
comment on function report.collect_touched is
  'Fills the working tables of a refresh with the files, rows, players and days that changed since the last one. Part of report.refresh.';
