-- A setting, not a table: each role, database or session can have its own day.
create or replace function report.time_zone() returns text
language sql stable
set search_path = ''
as $$
  select coalesce(nullif(current_setting('gamebase_ingest.time_zone', true), ''), 'UTC')
$$;
-- The views call it with the rights of their reader.
comment on function report.time_zone is
  'The time zone in which the views cut days: the setting gamebase_ingest.time_zone, else UTC. The vendor''s console appears to use Asia/Seoul.';
