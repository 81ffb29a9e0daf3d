-- The casts to the columns' types let the key's index be used. "=" can use an index and "is not distinct from" cannot,
-- so only nullable columns are compared with the latter.
create or replace function ingest.key_condition(
  p_stream text, p_shape text default '(k.natural_key ->> %2$s)::%3$s')
returns text
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
comment on function ingest.key_condition is
  'SQL condition that t, a row of a stream''s table, has a given key. p_shape is the format of each key value, with the column %1$I, its position %2$s from 0 and its type %3$s; by default that of the natural_key array of k.';
