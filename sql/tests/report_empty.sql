-- Every view and every refresh works on an empty database.
\ir parts/reports.sql
select no_plan();

-- The database is new; only the included part has written a run.
delete from ingest.load;
create temporary view reports as
  select viewname as name from pg_catalog.pg_views where schemaname = 'report' and viewname <> 'setting';

select cmp_ok((select count(*) from reports), '>=', 33::bigint, 'the query finds the views');
select is_empty(format('select * from report.%I', name), name || ' is empty') from reports order by name;
\ir parts/refresh.sql
select is_empty(format('select * from report.%I', name), name || ' stays empty') from reports order by name;
\ir parts/refresh_full.sql
select is_empty(format('select * from report.%I', name), name || ' stays empty after a full refresh')
  from reports order by name;

-- An application whose only rows have no time of their own has no periods.
insert into ingest.load (loader_version) values ('test');
insert into new_game_user (user_level, observed_at, observed_at_source) values (3, '2025-01-01 00:00Z', 'load_start');
select pg_temp.load_lines();
\ir parts/refresh.sql
select is_empty(format('select * from report.%I', name), name || ' has no row of a user without a time')
  from reports
  where name in ('horizon', 'observed_by_period', 'payers_by_period', 'arppu_by_period', 'mrr_by_day',
    'retention_by_cohort', 'conversion_by_cohort', 'revenue_by_cohort', 'revenue_converted_by_period', 'rate_gap',
    'calendar_gap', 'trial_conversion_by_month', 'churn_by_month', 'mrr_movement_by_month', 'player_value', 'value_by_cohort',
    'arppu_converted_by_period', 'level_funnel_by_cohort', 'revenue_by_hour', 'event_by_hour', 'level_up', 'event',
    'product', 'character_history', 'purchase')
  order by name;
select pg_temp.shows($$ select user_id, first_observed_at, user_level from report.player $$, $$ u - 3 $$,
  'but the user is listed, with a level');
select pg_temp.shows($$ select user_id, user_level from report.current_game_user $$, $$ u 3 $$,
  'and the character has a current state');

select * from finish();
