-- A function of its own, so that tests can make a refresh of few players take the way of many.
create or replace function rollup.scan_factor() returns integer
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select 20
$$;
revoke execute on function rollup.scan_factor from public;
comment on function rollup.scan_factor is
  'The late players of a refresh, times this number, that are more than all players make it read whole tables and not look up single players. Part of rollup.open_player_rows.';
