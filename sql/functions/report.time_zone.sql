-- A setting and not a table, so that each role, database or session can have its own time zone.
create or replace function report.time_zone() returns text
language sql stable
set search_path = ''
as $$
  select coalesce(nullif(current_setting('gamebase_ingest.time_zone', true), ''), 'UTC')
$$;
-- No revoke from PUBLIC here: the views call the function with the rights of their reader.
comment on function report.time_zone is
  'The time zone of the days in the views: the setting gamebase_ingest.time_zone, else UTC. The vendor''s console appears to use Asia/Seoul.';
