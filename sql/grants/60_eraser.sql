-- The eraser role counts and erases the traces of one user through functions. It can read no table with facts or figures;
-- its program gets the rows of an erased user that the reports counted, and sends what the sums lose.
grant usage on schema ingest, rollup to :"eraser";
grant execute on function ingest.count_user_traces, ingest.empty_month, ingest.erase_user, ingest.forget_statistics,
  rollup.open_player_rows, rollup.finish_refresh to :"eraser";
grant select on rollup.calendar_period, rollup.cohort_step to :"eraser";
