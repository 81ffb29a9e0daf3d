-- Included by tests after rows_read.sql: refreshes, with the options in refresh_options, and counts the rows that the
-- refresh reads in rows_read.
-- The statistics of this session count before the refresh.
select pg_stat_force_next_flush() \g /dev/null
select pg_temp.rows_read() as rows_before \gset
\ir refresh.sql
select pg_temp.rows_read() - :rows_before as rows_read \gset
