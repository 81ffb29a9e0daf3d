-- Faults that Citus would refuse, or that would only fail later, when a server is added and shards move there, because of
-- what somebody has added to the tables. The tests judge the tables and places of the migrations.
create or replace function ingest.place_faults() returns setof text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  with placed as (
    select c.oid, c.oid::regclass::text as name, c.relpersistence, c.relreplident, a.attnum
      from ingest.table_place p
      join pg_class c on c.oid = to_regclass(format('%I.%I', p.table_schema, p.table_name))
      join pg_attribute a on a.attrelid = c.oid and a.attname = p.distribution_column
  )
  select format('%s has a unique key without the distribution column: %s', t.name, i.indexrelid::regclass)
    from placed t join pg_index i on i.indrelid = t.oid and i.indisunique
    where t.attnum <> all (i.indkey)
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
  select t.name || ' is not logged' from placed t where t.relpersistence <> 'p'
  union all
  select t.name || ' has neither a primary key nor all columns as its replica identity' from placed t
    where t.relreplident <> 'f' and not exists (select 1 from pg_index i where i.indrelid = t.oid and i.indisprimary)
$$;
comment on function ingest.place_faults is
  'Reasons why what was added to the tables keeps them from their places in ingest.table_place, each a sentence about one table. None is the rule.';
