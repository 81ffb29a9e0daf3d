-- Working tables of a refresh are emptied by deleting few rows, and by truncating many.
begin;
select plan(4);

insert into staging.touched_day (app_id, day) select 'a', '2025-07-01'::date + n from generate_series(1, 10) n;
insert into staging.level_point (player_id, until) select n, now() from generate_series(1, 20000) n;
select report.empty_working_tables('staging.touched_day', 'staging.level_point') \g /dev/null
select is_empty('select app_id from staging.touched_day', 'few rows are removed');
select isnt(pg_relation_size('staging.touched_day'), 0::bigint, 'few rows are deleted, which keeps their page');
select is_empty('select player_id from staging.level_point', 'many rows are removed');
select is(pg_relation_size('staging.level_point'), 0::bigint, 'many rows leave no page');

select * from finish();
rollback;
