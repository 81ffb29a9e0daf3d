create or replace function report.refresh_level_reports() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform report.refresh_player_levels();
  perform report.refresh_level_times();
  perform report.refresh_levels();
  perform report.refresh_level_revenue();
  perform report.refresh_current_game_users();
  perform report.empty_working_tables('staging.touched_level_player', 'staging.touched_level',
    'staging.touched_level_time', 'staging.touched_payer', 'staging.touched_level_revenue');
end
$$;
revoke execute on function report.refresh_level_reports from public;
comment on function report.refresh_level_reports is
  'Brings the rollups of levels and of current characters up to date. Part of report.refresh.';
