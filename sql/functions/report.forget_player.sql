create or replace function report.forget_player(p_user_id text, p_app_id text) returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  insert into report.touched_row (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number)
    select 'forgotten', p.app_id, p.user_id, 'infinity', false, 0, 0
      from report.player_rollup p
      where p.user_id = p_user_id and (p_app_id is null or p.app_id = p_app_id)
$$;
revoke execute on function report.forget_player from public;
comment on function report.forget_player is
  'Notes that the next refresh must not keep the observations of a user. Part of ingest.erase_user.';
