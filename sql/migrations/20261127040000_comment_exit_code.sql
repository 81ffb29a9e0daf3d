-- No option changes the exit code of a run any more.
comment on column ingest.load.exit_code is 'Exit code of the run; NULL while finished_at is NULL.';
