-- No row of the user is left, so no fold is needed: each row that the reports have of the user is removed, and taken out
-- of the sums. Notes of other users stay for the next refresh, which has no rows of this user to find.
create or replace function rollup.forget_user(p_user_id text, p_app_id text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  narrow record;
begin
  delete from ingest.kept_observation k where k.user_id = p_user_id and (p_app_id is null or k.app_id = p_app_id);
  delete from rollup.set_aside_player s where s.user_id = p_user_id and (p_app_id is null or s.app_id = p_app_id);
  perform rollup.create_working_tables(false);
  insert into pg_temp.new_level_time (app_id, user_level, kind, bucket, user_count)
    select p.app_id, d.user_level, d.kind, rollup.duration_bucket(d.seconds), -1
      from rollup.player p
      cross join lateral (
        select r.user_level, k.kind,
            floor(extract(epoch from r.reached_at - case k.kind when 'first_observed' then p.first_observed_at
              else (select q.reached_at from unnest(p.levels, p.reached_at) q (user_level, reached_at)
                where q.user_level < r.user_level and q.reached_at <= r.reached_at
                order by q.user_level desc limit 1) end))::bigint as seconds
          from unnest(p.levels, p.reached_at) r (user_level, reached_at)
          cross join (values ('first_observed'), ('previous_level')) k (kind)
      ) d
      where p.user_id = p_user_id and (p_app_id is null or p.app_id = p_app_id) and d.seconds is not null;
  for narrow in select n.name from rollup.narrow_tables() n loop
    execute format(
      'with gone as (delete from rollup.%1$I t where t.user_id = $1 and ($2 is null or t.app_id = $2) returning t.*)
       insert into pg_temp.gone_%1$s select * from gone', narrow.name)
      using p_user_id, p_app_id;
  end loop;
  perform rollup.apply_sums(false);

  -- The files, days and events of the deleted rows; the notes of events have no user.
  perform rollup.empty_working_tables('staging.touched_file', 'staging.touched_row', 'staging.touched_day');
  with noted as (
    delete from rollup.touched_row t
      where t.user_id = p_user_id and (p_app_id is null or t.app_id = p_app_id) or t.stream = 'event'
      returning t.*
  )
  insert into staging.touched_row (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number, payment_seq)
    select distinct t.stream, t.app_id, t.user_id, t.event_at, t.is_dated, t.source_file_id, t.line_number, t.payment_seq
      from noted t join rollup.refresh_state s using (stream)
      -- The reports do not contain the rows of other files.
      where t.source_file_id <= s.source_file_id;
  insert into staging.touched_day (app_id, day)
    select distinct t.app_id, (t.event_at at time zone rollup.reporting_zone())::date
      from staging.touched_row t
      where t.is_dated and isfinite(t.event_at);
  perform rollup.refresh_operations(false, false);
  perform rollup.refresh_price_checks(false);
  perform rollup.refresh_event_days(false);
  perform rollup.empty_working_tables('staging.touched_row', 'staging.touched_day');
  perform rollup.drop_working_tables();
end
$$;
revoke execute on function rollup.forget_user from public;
comment on function rollup.forget_user is
  'Removes an erased user from the reports. Part of ingest.erase_user.';
