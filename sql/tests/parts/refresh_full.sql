-- Included by tests: rebuilds all reports by the command refresh.
\set refresh_options --full
\ir refresh.sql
\set refresh_options ''
