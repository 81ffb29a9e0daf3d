-- Conflicts, fills and messages identify a row by its natural_key array.
create or replace function ingest.natural_key_condition(p_stream text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select ingest.key_condition(p_stream, '(k.natural_key ->> %2$s)::%3$s')
$$;
revoke execute on function ingest.natural_key_condition from public;
comment on function ingest.natural_key_condition is
  'SQL condition that t, a row of a stream''s table, has the key in the natural_key array of k.';
