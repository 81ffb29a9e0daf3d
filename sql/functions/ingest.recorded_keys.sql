create or replace function ingest.recorded_keys(p_stream text, p_records text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select format('select distinct %s from %s k',
      string_agg(format('(k.natural_key ->> %s)::%s as %I', key.position - 1,
        format_type(a.atttypid, a.atttypmod), key.name), ', ' order by key.position), p_records)
    from ingest.stream s, unnest(s.key_columns) with ordinality key (name, position), pg_catalog.pg_attribute a
    where s.stream = p_stream and a.attrelid = format('game.%I', s.target_table)::regclass and a.attname = key.name
$$;
comment on function ingest.recorded_keys is
  'The query of distinct keys, as for staging.borrow, in the natural_key arrays of p_records, a table or a subquery in parentheses.';
