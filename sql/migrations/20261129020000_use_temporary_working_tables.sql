-- The working tables of a refresh are temporary, and purchases are compared with the items of their own store.
drop table staging.touched_file;
drop table staging.touched_row;
drop table staging.touched_day;
drop table staging.touched_item_app;
drop table staging.touched_event_day;
drop table staging.touched_push;
delete from ingest.table_place where table_schema = 'staging';
drop function if exists rollup.collect_touched_rows(text);
drop function if exists rollup.collect_touched_events();
drop function if exists rollup.empty_working_tables(regclass[]);
drop function if exists rollup.wipe_working_tables();
drop function if exists rollup.scan_factor();
drop function if exists rollup.has_user_index(regclass);
drop function if exists rollup.players_of_other_rates();
drop function if exists rollup.refresh_files();
drop function if exists rollup.refresh_stream_days();
drop function if exists rollup.refresh_price_checks(boolean);
drop function if exists rollup.refresh_conflict_lines();
drop function if exists rollup.refresh_horizons(boolean);
drop function if exists rollup.judge_days(boolean);
drop index rollup.item_change_market;
-- Without histories the next refresh is a rebuild.
delete from rollup.history;
