create or replace function report.reporting_zone() returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce((select value from ingest.setting where name = 'time-zone'), 'UTC')
$$;
revoke execute on function report.reporting_zone from public;
comment on function report.reporting_zone is
  'The time zone of days, weeks and months in the reports: the setting time-zone, else UTC.';
