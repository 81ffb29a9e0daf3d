-- An event belongs to its user, and to the user of the receipt that it brought.
create or replace function ingest.condition_of_user(p_stream text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select '(t.user_id = $1 and ($2::text is null or t.app_id = $2)'
      || coalesce((
        select format(' or t.%I in (%s)', e.key_columns[1], ingest.embedded_keys_of_user(p_stream))
          from ingest.stream e where e.stream = s.embedded_stream), '')
      || ')'
    from ingest.stream s where s.stream = p_stream
$$;
revoke execute on function ingest.condition_of_user from public;
comment on function ingest.condition_of_user is
  'SQL condition that t, a row of a stream''s table, belongs to user $1, in application $2 or in all (NULL).';
