-- Working tables of a refresh are emptied by deleting few rows, and by truncating many.
begin;
select plan(10);

-- Other tests leave pages in the tables of a refresh.
create temp table few as select generate_series(1, 10) as n;
create temp table many as select generate_series(1, 50000) as n;
select rollup.empty_working_tables('few', 'many') \g /dev/null
select is_empty('select n from few', 'few rows are removed');
select isnt(pg_relation_size('few'), 0::bigint, 'few rows are deleted, which keeps their page');
select is_empty('select n from many', 'many rows are removed');
select is(pg_relation_size('many'), 0::bigint, 'many rows leave no page');

-- An erasure gives all of them new files, also those of a later version.
create table staging.later (user_id text collate "C", is_known boolean, unanalyzed integer, gone integer);
alter table staging.later drop column gone;
alter table staging.later alter unanalyzed set statistics 0;
insert into staging.later select 'u' || n % 3, true, n from generate_series(1, 100) n;
create index on staging.later (user_id);
insert into staging.touched_day (app_id, day) values ('a', '2025-07-01'), ('b', '2025-07-01');
analyze staging.later, staging.touched_day;
delete from staging.touched_day;
create temporary view working as
  select c.oid, c.relname from pg_catalog.pg_class c where c.relnamespace = 'staging'::regnamespace and c.relkind = 'r';
select cmp_ok((select count(*) from pg_catalog.pg_statistic where starelid in (select oid from working)),
  '>=', 4::bigint, 'working tables have statistics before');
select isnt_empty('select relname from working where pg_relation_size(oid) > 0', 'and files with rows');
select rollup.wipe_working_tables() \g /dev/null
select is_empty('select relname from working where pg_relation_size(oid) > 0', 'no file with rows is left');
select is_empty(
  'select starelid::regclass from pg_catalog.pg_statistic where starelid in (select oid from working)',
  'no statistics are left');
select is(
  (select string_agg(format('%s %s %s', attname, format_type(atttypid, atttypmod), attcollation::regcollation), ', '
      order by attnum)
    from pg_catalog.pg_attribute where attrelid = 'staging.later'::regclass and attnum > 0 and not attisdropped),
  'user_id text "C", is_known boolean -, unanalyzed integer -', 'the columns are as before');
select ok(
  (select prosrc ~ 'wipe_working_tables' from pg_catalog.pg_proc where oid = 'ingest.erase_user'::regproc),
  'an erasure does it');

select * from finish();
rollback;
