-- For a stored line without a known user: the loader has found that it cannot be read, or has no user or
-- two. Any other line is its user's alone, whatever else it holds, and the user stands beside it.
create or replace function ingest.names_user(p_raw bytea, p_pattern text) returns boolean
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select encode(p_raw, 'escape') ~ p_pattern
$$;
revoke execute on function ingest.names_user from public;
comment on function ingest.names_user is
  'Whether a user''s id is in a line, by the pattern of ingest.user_pattern.';
