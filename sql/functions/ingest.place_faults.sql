-- Faults that Citus would refuse, or that would only fail later, when a server is added and shards move there.
create or replace function ingest.place_faults() returns setof text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  with our_table as (
    select c.oid, n.nspname, c.relname, c.relpersistence, c.relreplident, c.oid::regclass::text as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('game', 'ingest', 'report', 'rollup', 'staging') and c.relkind in ('r', 'p')
        and not c.relispartition
  ), placed as (
    select t.*, p.distribution_column, p.colocated_with, a.attnum, a.attnotnull, a.atttypid, a.attcollation
      from our_table t
      join ingest.table_place p on p.table_schema = t.nspname and p.table_name = t.relname
      left join pg_attribute a on a.attrelid = t.oid and a.attname = p.distribution_column and not a.attisdropped
      where p.distribution_column is not null
  )
  select t.name || ' has no row in ingest.table_place' from our_table t
    where not exists (select 1 from ingest.table_place p where p.table_schema = t.nspname and p.table_name = t.relname)
  union all
  select format('ingest.table_place names a missing table: %s.%s', p.table_schema, p.table_name)
    from ingest.table_place p
    where not exists (select 1 from our_table t where p.table_schema = t.nspname and p.table_name = t.relname)
  union all
  select t.name || ' lacks its distribution column, or the column may be NULL' from placed t
    where t.attnotnull is not true
  union all
  select format('%s has a unique key without the distribution column: %s', t.name, i.indexrelid::regclass)
    from placed t join pg_index i on i.indrelid = t.oid and i.indisunique
    where t.attnum <> all (i.indkey)
  union all
  select format('%s is beside %s, which has no distribution column of the same type and collation', t.name, t.colocated_with)
    from placed t
    where t.colocated_with is not null
      and not exists (select 1 from placed o
        where o.nspname = t.nspname and o.relname = t.colocated_with and o.atttypid = t.atttypid
          and o.attcollation = t.attcollation)
  union all
  select t.name || ' is part of a foreign key' from placed t
    where exists (select 1 from pg_constraint k where k.contype = 'f' and t.oid in (k.conrelid, k.confrelid))
  union all
  select t.name || ' has a rule' from placed t where exists (select 1 from pg_rewrite r where r.ev_class = t.oid)
  union all
  -- The statement trigger of the loader's rows leaves the table when it is distributed.
  select format('%s has a trigger: %s', t.name, g.tgname)
    from placed t join pg_trigger g on g.tgrelid = t.oid
    where not g.tgisinternal and g.tgname <> 'refuse_facts_without_file'
  union all
  select format('%s draws numbers for its column %s', t.name, a.attname)
    from placed t
    join pg_attribute a on a.attrelid = t.oid
    left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
    where a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) ~ 'nextval'
  union all
  select t.name || ' is not logged' from placed t where t.relpersistence <> 'p'
  union all
  select t.name || ' has neither a primary key nor all columns as its replica identity' from placed t
    where t.relreplident <> 'f' and not exists (select 1 from pg_index i where i.indrelid = t.oid and i.indisprimary)
$$;
comment on function ingest.place_faults is
  'Reasons why the tables of this database cannot take their places in ingest.table_place, each a sentence about one table. None is the rule.';
