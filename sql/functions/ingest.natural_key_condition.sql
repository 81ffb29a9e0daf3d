-- Finds a row by the array in which conflicts, fills and messages name it.
create or replace function ingest.natural_key_condition(p_stream text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select ingest.key_condition(p_stream, '(k.natural_key ->> %2$s)::%3$s')
$$;
revoke execute on function ingest.natural_key_condition from public;
comment on function ingest.natural_key_condition is
  'SQL that is true where t, a row of a stream''s table, is the one that the natural_key of k names.';
