-- A function of its own, so that tests can make a refresh of few players take the way of many.
create or replace function rollup.scan_factor() returns integer
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select 20
$$;
revoke execute on function rollup.scan_factor from public;
comment on function rollup.scan_factor is
  'A refresh looks single rows up where this number times their count is below the rows of the table, and reads the whole table otherwise. Part of rollup.is_small_part.';
