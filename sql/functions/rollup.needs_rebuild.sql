-- A new row of a known player costs half as much again as a row of a rebuild, so a rebuild is the faster way while the
-- reports have at most a quarter as many rows. Few rows take no time either way.
create or replace function rollup.needs_rebuild() returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select not exists (select 1 from rollup.refresh_state where source_file_id > 0) and exists (select 1 from ingest.source_file)
    or (
      select coalesce(sum(f.inserted_count) filter (where f.source_file_id > s.source_file_id), 0)
          >= greatest(100000, 4 * coalesce(sum(f.inserted_count) filter (where f.source_file_id <= s.source_file_id), 0))
        from rollup.refresh_state s join ingest.source_file f using (stream)
        where f.undone_at is null)
    -- An older version kept none, or others.
    or exists (select from rollup.player) and not exists (select from rollup.history)
    -- The sums count an erased user.
    or exists (select from rollup.refresh_state s where s.has_open_erasure)
    -- A refresh computed the figures with other days, or in another currency.
    or rollup.is_calendar_outdated()
    or (select b.currency from rollup.base_unit b) is distinct from rollup.base_currency()
$$;
comment on function rollup.needs_rebuild is
  'True when the reports have few or none of the stored rows, so that a refresh of all is the faster one, when they have no histories of players, when days begin at other times, and when the base currency is another one. Part of rollup.begin_refresh.';
