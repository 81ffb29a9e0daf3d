-- Included by tests that run on a database of their own: runs the command refresh, with the options in refresh_options.
-- Afterwards refresh_error holds the message of the command, or nothing when the command succeeded. A test commits its
-- lines first, because the command has a session of its own.
\if :{?refresh_options}
\else
  \set refresh_options ''
\endif
\set refresh_error `said=$("$GAMEBASE_INGEST" refresh --database "$SQL_TEST_DATABASE" :refresh_options 2>&1) || echo "exit code $?: $said"`
