-- The days are those of the views of periods. Columns of a view can only be removed with it.
drop view if exists report.payers_by_day;
drop view if exists report.revenue_converted_by_day;
drop view if exists report.revenue_converted_by_period;

-- No reader of the reports needs the numbers of these files: report.health counts them.
alter view if exists report.pending_file set schema rollup;
