-- Notes of other users stay for the next refresh, which has no rows of this user to find.
--
-- The sums lose the user when the caller's program has folded the history, as in a refresh (rollup.finish_refresh). A
-- caller that leaves this out loses nothing of the erasure, and the next refresh makes all reports anew.
create or replace function rollup.forget_user(p_user_id text, p_app_id text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  narrow record;
begin
  -- A caller can erase several users in one transaction.
  if not exists (
    select from pg_catalog.pg_class c
      where c.oid = to_regclass('pg_temp.gone_history') and pg_get_userbyid(c.relowner) = current_user)
  then
    perform rollup.create_working_tables(false, true);
    create temporary table gone_history (like rollup.history) on commit drop;
  end if;
  insert into pg_temp.touched_player (app_id, user_id, is_set_aside)
    select p.app_id, p.user_id, s.user_id is not null
      from rollup.player p left join rollup.set_aside_player s on s.app_id = p.app_id and s.user_id = p.user_id
      where p.user_id = p_user_id and (p_app_id is null or p.app_id = p_app_id);
  analyze pg_temp.touched_player;
  delete from ingest.kept_observation k where k.user_id = p_user_id and (p_app_id is null or k.app_id = p_app_id);
  delete from rollup.set_aside_player s where s.user_id = p_user_id and (p_app_id is null or s.app_id = p_app_id);
  for narrow in select n.name from rollup.narrow_tables() n loop
    execute format(
      'with gone as (delete from rollup.%1$I t where t.user_id = $1 and ($2 is null or t.app_id = $2) returning t.*) %2$s',
      narrow.name, case narrow.name when 'history' then 'insert into pg_temp.gone_history select * from gone' else 'select' end)
      using p_user_id, p_app_id;
  end loop;
  update rollup.refresh_state set has_open_erasure = true where stream = 'receipt';

  -- The files, days and events of the deleted rows; the notes of events have no user.
  delete from pg_temp.touched_row;
  delete from pg_temp.touched_day;
  with noted as (
    delete from rollup.touched_row t
      where t.user_id = p_user_id and (p_app_id is null or t.app_id = p_app_id) or t.stream = 'event'
      returning t.*
  )
  insert into pg_temp.touched_row
    select distinct t.*
      from noted t join rollup.refresh_state s using (stream)
      -- The reports do not contain the rows of other files.
      where t.source_file_id <= s.source_file_id;
  insert into pg_temp.touched_day (stream, app_id, day)
    select distinct t.stream, t.app_id, (t.event_at at time zone rollup.reporting_zone())::date
      from pg_temp.touched_row t
      where t.is_dated and isfinite(t.event_at);
  perform rollup.refresh_operations(false, false);
  perform rollup.refresh_event_days(false);
end
$$;
comment on function rollup.forget_user is
  'Removes an erased user from the reports, and leaves the rows of the user''s history to rollup.open_player_rows. Part of ingest.erase_user.';
