-- Rules for all tables and functions, including those of later migrations.
begin;
select plan(23);

select ingest.ensure_partition('level_up', '2025-07-01');

create temporary view key_column as
  select i.indrelid::regclass as table_name, a.attname, a.attcollation, a.atttypid
    from pg_catalog.pg_index i
    join pg_catalog.pg_class c on c.oid = i.indrelid
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
    where i.indisunique and c.relnamespace = 'game'::regnamespace;

select cmp_ok((select count(*) from key_column where atttypid = 'text'::regtype), '>=', 8::bigint,
  'the query finds the text keys');
select is_empty(
  $$ select table_name, attname from key_column
       where atttypid = 'text'::regtype and attcollation <> '"C"'::regcollation $$,
  'every text column of a key in game compares by bytes');
select is_empty(
  $$ select c.oid::regclass from pg_catalog.pg_class c
       where c.relnamespace = 'game'::regnamespace and c.relkind in ('r', 'p')
         and not exists (select from pg_catalog.pg_index i
           where i.indrelid = c.oid and i.indisunique and i.indisvalid) $$,
  'every table of game has a unique key');
select is_empty(
  $$ select c.oid::regclass from pg_catalog.pg_class c
       where c.relnamespace = 'staging'::regnamespace and c.relkind in ('r', 'p') and c.relpersistence <> 'u' $$,
  'staging tables of loads are temporary, and working tables of refreshes unlogged');
select is_empty(
  $$ select c.oid::regclass from pg_catalog.pg_class c
       where c.relnamespace in ('ingest'::regnamespace, 'game'::regnamespace)
         and c.relkind in ('r', 'p') and c.relpersistence <> 'p' $$,
  'the ledger and the facts survive a crash');
select is_empty(
  $$ select s.stream from ingest.stream s
       where to_regclass('game.' || s.target_table) is null $$,
  'every stream has its table');
select is_empty(
  $$ select s.stream from ingest.stream s
       where not exists (select from pg_catalog.pg_trigger t
         where t.tgrelid = format('game.%I', s.target_table)::regclass
           and t.tgname = 'refuse_facts_without_file' and t.tgenabled = 'O') $$,
  'every fact table refuses rows from a loader without an open file');
select is_empty(
  $$ select c.oid::regclass from pg_catalog.pg_class c
       where c.relnamespace in ('game'::regnamespace, 'ingest'::regnamespace) and c.relkind in ('r', 'p')
         and c.relreplident <> 'f'
         and not exists (select from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary) $$,
  'every table has a replica identity, so its updates can be published');
select is_empty(
  $$ select c.oid::regclass, a.attname from pg_catalog.pg_class c
       join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       where c.relnamespace = 'game'::regnamespace and c.relkind in ('r', 'p')
         and a.atttypid in ('float4'::regtype, 'float8'::regtype, 'money'::regtype,
           'timestamp'::regtype) $$,
  'no fact column is a binary float or a time without a zone');

select is_empty(
  $$ select d.objid::regclass from ingest.stream s, unnest(s.secret_columns) secret,
         pg_catalog.pg_attribute a, pg_catalog.pg_depend d
       where a.attrelid = format('game.%I', s.target_table)::regclass and a.attname = secret
         and d.refobjid = a.attrelid and d.refobjsubid = a.attnum
         and d.classid = 'pg_rewrite'::regclass $$,
  'no view reads a secret column');
select is_empty(
  $$ select d.objid::regclass, d.refobjid::regclass, a.attname
       from pg_catalog.pg_attribute a
       join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p')
       join pg_catalog.pg_depend d on d.classid = 'pg_rewrite'::regclass
         and d.refobjid = a.attrelid and d.refobjsubid = a.attnum
       where c.relnamespace in ('game'::regnamespace, 'ingest'::regnamespace)
         and (a.attname in ('extra', 'raw', 'kept', 'refused', 'refused_row', 'before', 'after', 'natural_key')
           -- Players' text has no statistics, as prices and lines, which no query filters; texts of items are the shop's.
           or c.relnamespace = 'game'::regnamespace and a.attstattarget = 0
             and a.attname not in ('price_raw', 'line_number', 'item_name', 'localized_price', 'localized_title',
               'localized_description')) $$,
  'no view shows a value as written in a line, or players'' text');
select is_empty(
  $$ select s.stream, secret from ingest.stream s, unnest(s.secret_columns) secret
       where secret <> all (s.compared_columns) $$,
  'every secret column is a compared column');

create temporary view our_function as
  select p.* from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('ingest', 'staging', 'game', 'report', 'rollup');

select cmp_ok((select count(*) from our_function where prosecdef), '>=', 1::bigint,
  'the query finds the functions that run as their owner');
select is_empty(
  $$ select oid::regprocedure from our_function
       where prosecdef and has_function_privilege('public', oid, 'execute') $$,
  'PUBLIC can call no function that runs as its owner');
select is_empty(
  $$ select oid::regprocedure from our_function
       where pronamespace = 'staging'::regnamespace and proname in ('open', 'merge') and not prosecdef $$,
  'staging.open and staging.merge run as their owner');
select is_empty(
  $$ select oid::regprocedure from our_function
       where not exists (select from unnest(proconfig) setting where setting like 'search_path=%') $$,
  'every function sets its own search path');
select is_empty(
  $$ select oid::regprocedure from our_function
       where has_function_privilege('public', oid, 'execute') $$,
  'PUBLIC can call no function');
select is_empty(
  $$ select oid::regprocedure::text from our_function where pronamespace = 'report'::regnamespace
     union all
     select oid::regclass::text from pg_class where relnamespace = 'report'::regnamespace and relkind <> 'v' $$,
  'schema report holds views and nothing else');
select is_empty(
  $$ select c.relname, a.attname
       from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'report'::regnamespace and a.attnum > 0
         and (a.atttypid in ('real'::regtype, 'double precision'::regtype)
           or a.atttypid = 'numeric'::regtype and a.atttypmod = -1) $$,
  'every number of a view is exact: numeric columns declare precision and scale, and none is a float');
select is_empty(
  $$ select pronamespace::regnamespace, proname from our_function group by 1, 2 having count(*) > 1 $$,
  'no function is overloaded, so a file can name it without parameters');
select set_eq(
  $$ select unnest(function_names) from ingest.definition_set $$,
  $$ select format('%s.%s', pronamespace::regnamespace, proname) from our_function $$,
  'migrate records the functions that it has created');
select is_empty(
  $$ select classid::regclass, objid, refobjid::regprocedure from pg_catalog.pg_depend
       where refclassid = 'pg_proc'::regclass and refobjid in (select oid from our_function)
         and classid in ('pg_class'::regclass, 'pg_attrdef'::regclass, 'pg_constraint'::regclass) $$,
  'no default, check or index needs a function, because functions are created after the tables');
select is_empty(
  $$ select tgrelid::regclass, tgname from pg_catalog.pg_trigger t
       join pg_catalog.pg_class c on c.oid = t.tgrelid
       join pg_catalog.pg_proc p on p.oid = t.tgfoid
       where not tgisinternal and c.relnamespace in ('ingest'::regnamespace, 'game'::regnamespace)
         and tgname <> p.proname $$,
  'a trigger has the name of its function');

select * from finish();
rollback;
