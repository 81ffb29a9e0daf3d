-- Every table, column and function has a comment, for psql and for data catalogs.
begin;
select plan(5);

-- Partitions are tables too.
select ingest.ensure_partition('level_up', '2025-07-01');
select ingest.ensure_partition('game_user', '2025-07-01');

create temporary view ours as
  select c.oid, n.nspname || '.' || c.relname as name, c.relkind
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('ingest', 'staging', 'game', 'report', 'rollup') and c.relkind in ('r', 'p', 'v', 'm');

select cmp_ok((select count(*) from ours), '>=', 20::bigint, 'the query finds the tables and views');
select is_empty(
  $$ select name from ours where pg_catalog.obj_description(oid, 'pg_class') is null $$,
  'every table and view has a comment');
select is_empty(
  $$ select name, a.attname from ours join pg_catalog.pg_attribute a on a.attrelid = ours.oid
       where a.attnum > 0 and not a.attisdropped and relkind <> 'c'
         and pg_catalog.col_description(ours.oid, a.attnum) is null $$,
  'every column of a permanent table or view has a comment');
select is_empty(
  $$ select name, pg_catalog.obj_description(oid, 'pg_class') from ours
       where pg_catalog.obj_description(oid, 'pg_class') not like 'One row per %' $$,
  'every comment starts with its grain');
select is_empty(
  $$ select p.oid::regprocedure from pg_catalog.pg_proc p
       join pg_catalog.pg_namespace n on n.oid = p.pronamespace
       where n.nspname in ('ingest', 'staging', 'game', 'report', 'rollup')
         and pg_catalog.obj_description(p.oid, 'pg_proc') is null $$,
  'every function has a comment');

select * from finish();
rollback;
