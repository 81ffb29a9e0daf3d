-- Working tables of a refresh are emptied by deleting few rows, and by truncating many.
begin;
select plan(4);

-- Other tests leave pages in the tables of a refresh.
create temp table few as select generate_series(1, 10) as n;
create temp table many as select generate_series(1, 50000) as n;
select report.empty_working_tables('few', 'many') \g /dev/null
select is_empty('select n from few', 'few rows are removed');
select isnt(pg_relation_size('few'), 0::bigint, 'few rows are deleted, which keeps their page');
select is_empty('select n from many', 'many rows are removed');
select is(pg_relation_size('many'), 0::bigint, 'many rows leave no page');

select * from finish();
rollback;
