-- Prints what analysts may read as one JSON array (schemas, relations, columns, comments), for scripts/generate.
-- The key of a table is its primary key; a view has none in the catalog.
select jsonb_pretty(jsonb_agg(s.description order by s.name desc))
from (
  select n.nspname as name, jsonb_build_object('name', n.nspname, 'description', obj_description(n.oid, 'pg_namespace'),
      'relations', jsonb_agg(r.description order by r.name)) as description
  from pg_namespace n
  cross join lateral (
    select c.relname as name, jsonb_build_object('name', c.relname, 'description', obj_description(c.oid, 'pg_class'),
        'is_view', c.relkind = 'v', 'key', coalesce(key.columns, '[]'), 'columns', columns.descriptions) as description
    from pg_class c
    cross join lateral (
      select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
          'is_required', a.attnotnull, 'description', col_description(c.oid, a.attnum)) order by a.attnum) as descriptions
      from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ) columns
    left join lateral (
      select jsonb_agg(a.attname order by array_position(k.conkey, a.attnum)) as columns
      from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
      where k.conrelid = c.oid and k.contype = 'p'
    ) key on true
    where c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v') and not c.relispartition
      and not exists (select from ingest.stream t where n.nspname = 'game' and t.target_table = c.relname)
  ) r
  where n.nspname in ('report', 'game')
  group by n.nspname, n.oid
) s;
