-- Included by tests that run on a database of their own: brings the reports up to date by the command refresh, with the
-- options in refresh_options. A refresh that fails ends the test. A test commits its lines first, since the command has
-- a session of its own.
\if :{?refresh_options}
\else
  \set refresh_options ''
\endif
\set refresh_error `said=$("$GAMEBASE_INGEST" refresh --database "$SQL_TEST_DATABASE" :refresh_options 2>&1) || echo "exit code $?: $said"`
select :'refresh_error' <> '' as has_refresh_failed \gset
\if :has_refresh_failed
  \warn :refresh_error
  do $$ begin raise exception 'the refresh failed'; end $$;
\endif
