-- For a refused line with a known user. The reject's columns give the owner, even when little of the line is stored.
create or replace function ingest.is_owned_by(
  p_owner text, p_owner_app_id text, p_user_id text, p_app_id text)
returns boolean
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select p_owner = p_user_id and coalesce(p_owner_app_id = p_app_id, true)
$$;
comment on function ingest.is_owned_by is
  'True when a line with this owner and application is within an erasure. An unknown application matches every erasure of the user.';
