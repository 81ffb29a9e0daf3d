-- By the counts of ANALYZE; false before the first one of the whole. A row costs about 20 times as much to look up as to
-- read with all others.
create or replace function rollup.is_small_part(p_part regclass, p_whole regclass) returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select p.reltuples * 20 < w.reltuples
    from pg_catalog.pg_class p, pg_catalog.pg_class w
    where p.oid = p_part and w.oid = p_whole
$$;
revoke execute on function rollup.is_small_part from public;
comment on function rollup.is_small_part is
  'True if a table has so few rows that looking each up in another one costs less than reading that one. Part of rollup.open_player_rows and rollup.apply_players.';
