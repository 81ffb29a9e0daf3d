create or replace function ingest.embedded_keys_of_user(p_stream text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select format('select e.%I from game.%I e where e.user_id = $1 and ($2::text is null or e.app_id = $2)',
      e.key_columns[1], e.target_table)
    from ingest.stream s join ingest.stream e on e.stream = s.embedded_stream
    where s.stream = p_stream
$$;
comment on function ingest.embedded_keys_of_user is
  'SQL query of the keys of the records of user $1, in application $2 or in all (NULL), that lines of a stream may carry; NULL for a stream whose lines carry none.';
