-- A line whose user could be read when it was refused is that user's by the columns beside it, however
-- little of the line itself is stored.
create or replace function ingest.is_owned_by(
  p_owner text, p_owner_app_id text, p_user_id text, p_app_id text)
returns boolean
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select p_owner = p_user_id and coalesce(p_owner_app_id = p_app_id, true)
$$;
revoke execute on function ingest.is_owned_by from public;
comment on function ingest.is_owned_by is
  'Whether a line of a user and application is meant by an erasure; an application that is not known may be any.';
