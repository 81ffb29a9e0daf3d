-- The compared columns of each relation: without numbers, which follow from the order of parallel loaders, without what
-- the clock or the program's version fills, and without tables that say how a database was made.
select n.nspname || '.' || c.relname, a.attname
from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
where (n.nspname in ('game', 'ingest') and c.relkind in ('r', 'p')
    or n.nspname = 'report' and c.relkind in ('v', 'm'))
  and not c.relispartition and a.attnum > 0 and not a.attisdropped and a.atttypid <> 'xid8'::regtype
  and a.attname not in (
    'hours_behind_now', 'hours_since_load', 'hours_without_news', 'loader_version', 'resolved_order', 'database_user')
  and (a.attname = 'source_file_id' or a.attname not in (
    select attname from pg_attribute where attidentity <> '' and attrelid::regclass::text ~ '^(game|ingest)[.]'))
  and c.relname not in ('schema_migration', 'definition_set', 'row_digest_key', 'table_place')
order by 1, a.attname
