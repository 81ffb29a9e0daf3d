-- Included by report_state.sql: refreshes, refreshes in full, and keeps what the views show after each of the two.
\ir refresh.sql
select pg_temp.look('touched') \g /dev/null
\ir refresh_full.sql
select pg_temp.look('full') \g /dev/null
