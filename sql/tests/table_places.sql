-- The places of the tables in a cluster of servers, judged without one: what Citus would refuse, or what goes wrong
-- there without an error.
begin;
select plan(19);

select is_empty('select * from ingest.place_faults()', 'every table can take its place');
select cmp_ok((select count(*) from ingest.table_place where distribution_column is not null), '>=', 4::bigint,
  'facts are distributed');

-- The migrations give every table its place.
create temporary view placed as
  select p.table_name, p.colocated_with, a.attrelid, a.attnotnull, a.atttypid, a.attcollation
    from ingest.table_place p
    left join pg_attribute a on a.attrelid = to_regclass(format('%I.%I', p.table_schema, p.table_name))
      and a.attname = p.distribution_column and not a.attisdropped
    where p.distribution_column is not null;
select set_eq($$ select format('%s.%s', table_schema, table_name) from ingest.table_place $$,
  $$ select format('%s.%s', relnamespace::regnamespace, relname) from pg_class
       where relkind in ('r', 'p') and not relispartition
         and relnamespace::regnamespace::text in ('game', 'ingest', 'report', 'rollup', 'staging') $$,
  'each table has a place, and each place a table');
select is_empty('select table_name from placed where attnotnull is not true',
  'a distributed table has its column, which is never NULL');
select is_empty($$ select t.table_name from placed t where t.colocated_with is not null and not exists (
       select from placed o where o.table_name = t.colocated_with and o.atttypid = t.atttypid
         and o.attcollation = t.attcollation) $$, 'a table is beside one whose column has the same type and collation');
select is_empty($$ select t.table_name, a.attname
       from placed t join pg_attribute a using (attrelid)
       left join pg_attrdef d on d.adrelid = t.attrelid and d.adnum = a.attnum
       where a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) ~ 'nextval' $$, 'a distributed table draws no numbers');

-- Each rule finds a table that breaks it: the faults after each change.
create function pg_temp.faults(p_change text) returns text language plpgsql as $$
begin
  execute p_change;
  return (select string_agg(f, '; ' order by f) from ingest.place_faults() f);
end
$$;
select is(pg_temp.faults(change), faults, rule)
  from (values
    ('create table game.wrong (id bigint not null, other bigint, unique (other))', null, 'a local table may be as it likes'),
    ('insert into ingest.table_place values (''game'', ''wrong'', ''id'')',
      'game.wrong has a unique key without the distribution column: game.wrong_other_key; '
        || 'game.wrong has neither a primary key nor all columns as its replica identity',
      'a unique key without the column and a missing replica identity are found'),
    ('alter table game.wrong drop constraint wrong_other_key, add primary key (id)', null, 'a mended one is no fault'),
    ('alter table game.wrong add constraint wrong_load foreign key (other) references ingest.load',
      'game.wrong is part of a foreign key', 'a foreign key to the ledger is found'),
    ('alter table game.wrong drop constraint wrong_load;
        create trigger noting after insert on game.wrong execute function ingest.refuse_facts_without_file(''wrong'')',
      'game.wrong has a trigger: noting', 'a trigger is found'),
    ('drop trigger noting on game.wrong; alter table game.wrong set unlogged', 'game.wrong is not logged',
      'an unlogged table is found')) v (change, faults, rule);

-- Texts of functions.
create temporary view our_text as
  select p.oid::regprocedure as name, p.prosrc as text
    from pg_catalog.pg_proc p
    where p.pronamespace in ('ingest'::regnamespace, 'staging'::regnamespace, 'rollup'::regnamespace);
create temporary view fact as
  select string_agg(table_name, '|') as names from ingest.table_place where distribution_column is not null;
select is_empty($$ select name from our_text where text ~ 'game\.\S+ t\M' and text ~ '\mt\.ctid' $$, 'no function finds a fact by its place in the table');
select is_empty($$ select name from our_text, fact
       where text ~ ('lateral \([^)]*from game\.(' || names || ')\M') and text !~ 'is_distributed' $$,
  'a lateral join to facts is taken on one server only');
select is_empty($$ select v.viewname from pg_catalog.pg_views v, fact
       where v.schemaname = 'report' and v.definition ~ ('LATERAL \(\s*SELECT.*FROM game\.(' || names || ')\M') $$,
  'no view joins facts laterally');
select is_empty($$ select v.viewname
       from pg_catalog.pg_views v
       where v.schemaname in ('report', 'rollup', 'staging')
         and (select count(*) from ingest.stream s where v.definition ~ ('game\.' || s.target_table || '\M')) > 1 $$,
  'no view reads the rows of several streams: a cluster would fetch all of them before it looks at the stream');
select is_empty(
  $$ select name from our_text where text ~ 'update (%\d*\$?s|game\.\S+) t set' and text !~ 'staging\.borrow' and name::text !~ '^staging.give_back' $$,
  'a statement that changes facts works on borrowed rows');
select is_empty($$ select name from our_text, fact where text ~ ('select from game\.(' || names || '|%)') $$,
  'no query of facts has an empty list of columns');
select is_empty($$ select t.name, m[1]
       from our_text t, regexp_matches(t.text, 'insert into (\w+\.\w+)\s*\([^)]*\)\s*select distinct', 'g') m
       join pg_catalog.pg_attribute a on a.attrelid = to_regclass(m[1]) and a.attidentity <> ''
       where t.text ~ 'game\.' $$,
  'no distinct rows of facts go into a table that draws numbers: the numbers would be part of the rows');

select * from finish();
rollback;
