-- Included by tests: brings the reports up to date by the command refresh. A refresh that fails ends the test.
\ir try_refresh.sql
select :'refresh_error' <> '' as has_refresh_failed \gset
\if :has_refresh_failed
  \warn :refresh_error
  do $$ begin raise exception 'the refresh failed'; end $$;
\endif
