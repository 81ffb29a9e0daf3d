-- With the columns' own types, so that the key's index can be used: "=" can use it, "is not distinct from"
-- cannot, and is kept for what may be NULL.
create or replace function ingest.key_condition(p_stream text, p_shape text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select string_agg(
      format(case when a.attnotnull then 't.%1$I = ' else 't.%1$I is not distinct from ' end || p_shape,
        key.name, key.position - 1, format_type(a.atttypid, a.atttypmod)),
      ' and ' order by key.position)
    from ingest.stream s, unnest(s.key_columns) with ordinality key (name, position),
      pg_catalog.pg_attribute a
    where s.stream = p_stream and a.attrelid = format('game.%I', s.target_table)::regclass
      and a.attname = key.name
$$;
revoke execute on function ingest.key_condition from public;
comment on function ingest.key_condition is
  'SQL that is true where t, a row of a stream''s table, has a key; the shape is a format of the key''s column %1$I, place %2$s from 0 and type %3$s.';
