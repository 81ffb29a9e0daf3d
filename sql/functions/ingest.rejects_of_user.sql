create or replace function ingest.rejects_of_user(p_user_id text, p_app_id text) returns setof bigint
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select r.reject_id
    from ingest.reject r join ingest.source_file f using (source_file_id),
      (select ingest.user_pattern(p_user_id) as pattern offset 0) p
    where case when r.user_id is not null
      then ingest.is_owned_by(r.user_id, r.app_id, p_user_id, p_app_id)
      -- A line with a record of another stream may name two users.
      when exists (select 1 from ingest.stream s where s.stream = r.stream and s.embedded_stream is not null)
      then encode(r.raw, 'escape') ~ p.pattern
      else ingest.is_line_of_user(r.raw, p_user_id, p_app_id, p.pattern, f.unwrap_field, f.app_id) end
$$;
revoke execute on function ingest.rejects_of_user from public;
comment on function ingest.rejects_of_user is
  'The refused lines of a user in loaded files, in one application or in all (NULL).';
