-- SECURITY DEFINER, because the views call the function with the rights of their reader, who cannot read the settings.
create or replace function rollup.reporting_zone() returns text
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select coalesce((select value from ingest.setting where name = 'time-zone'), 'UTC')
$$;
comment on function rollup.reporting_zone is
  'The time zone of days, weeks and months in the reports: the setting time-zone, else UTC. No session setting changes it.';
