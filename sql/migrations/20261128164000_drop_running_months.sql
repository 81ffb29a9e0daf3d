-- A month that has not ended has no flows.
drop view if exists report.churn_by_month;
drop view if exists report.mrr_movement_by_month;
drop table rollup.running_month;
drop table rollup.churn_running;
drop table rollup.mrr_running;
delete from ingest.table_place
  where table_schema = 'rollup' and table_name in ('running_month', 'churn_running', 'mrr_running');
