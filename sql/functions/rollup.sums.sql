-- A column with a default does not add up: rollup.add_sums sets it.
create or replace function rollup.sums() returns table (name text, keys text[], counts text[])
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select c.relname::text,
      array(
        select a.attname::text
          from unnest(o.conkey) with ordinality k (number, place)
          join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
          order by k.place),
      array(
        select a.attname::text
          from pg_catalog.pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and not a.atthasdef
            and a.attnum <> all (o.conkey)
          order by a.attnum)
    from pg_catalog.pg_class c
    join pg_catalog.pg_constraint o on o.conrelid = c.oid and o.contype = 'u' and o.conname = c.relname || '_key'
    where c.relnamespace = 'rollup'::regnamespace and c.relname not in (select n.name from rollup.narrow_tables() n)
    order by c.relname
$$;
comment on function rollup.sums is
  'The tables of schema rollup that a refresh keeps by differences, with the columns of the key and those that add up. The first of these counts rows; a key with 0 there has none.';
