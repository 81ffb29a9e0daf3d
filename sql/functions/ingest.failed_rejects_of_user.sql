-- The unwrap field of a failed file is not stored. A line whose record is inside another field is therefore searched
-- like a line that cannot be read.
create or replace function ingest.failed_rejects_of_user(p_user_id text, p_app_id text)
returns table (failed_file_id bigint, line_number bigint)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select r.failed_file_id, r.line_number
    from ingest.failed_reject r join ingest.failed_file f using (failed_file_id), (select ingest.user_pattern(p_user_id) as pattern offset 0) p
    where case when r.user_id is not null
      then ingest.is_owned_by(r.user_id, r.app_id, p_user_id, p_app_id)
      when exists (select 1 from ingest.stream s where s.stream = f.stream and s.embedded_stream is not null)
      then encode(r.raw, 'escape') ~ p.pattern
      else ingest.is_line_of_user(r.raw, p_user_id, p_app_id, p.pattern, null, p_app_id) end
$$;
revoke execute on function ingest.failed_rejects_of_user from public;
comment on function ingest.failed_rejects_of_user is
  'The refused lines of a user in failed files, in one application or in all (NULL).';
