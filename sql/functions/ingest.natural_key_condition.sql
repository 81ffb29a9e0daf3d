-- Finds a row by the array in which conflicts, fills and messages name it. With the columns' own
-- types, so that the key's index can be used.
create or replace function ingest.natural_key_condition(p_stream text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select string_agg(
      format(case when a.attnotnull then 't.%1$I = (k.natural_key ->> %2$s)::%3$s'
          else 't.%1$I is not distinct from (k.natural_key ->> %2$s)::%3$s' end,
        key.name, key.position - 1, format_type(a.atttypid, a.atttypmod)),
      ' and ' order by key.position)
    from ingest.stream s, unnest(s.key_columns) with ordinality key (name, position),
      pg_catalog.pg_attribute a
    where s.stream = p_stream and a.attrelid = format('game.%I', s.target_table)::regclass
      and a.attname = key.name
$$;
revoke execute on function ingest.natural_key_condition from public;
comment on function ingest.natural_key_condition is
  'SQL that is true where t, a row of a stream''s table, is the one that the natural_key of k names.';
