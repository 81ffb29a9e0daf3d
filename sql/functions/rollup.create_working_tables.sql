-- Temporary tables go with the transaction, so an erasure leaves nothing in them, and no statistics of an earlier refresh
-- mislead the planner. They belong to the owner of this function. The caller may only add rows; other sessions cannot
-- reach them. An existing table of the name is an error, so no table of the caller takes their place.
create or replace function rollup.create_working_tables(p_is_full boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  narrow record;
begin
  create temporary table current_refresh on commit drop as select p_is_full as is_full;
  create temporary table touched_player (
    player_no integer generated always as identity primary key,
    app_id text collate "C" not null,
    user_id text collate "C" not null,
    -- The reports have nothing of the player.
    is_set_aside boolean not null
  ) on commit drop;
  -- Where rows of known files have changed, come or gone.
  create temporary table changed_place (
    player_no integer not null,
    stream text collate "C" not null,
    event_at timestamptz,
    -- Of a receipt, which can change its time.
    payment_seq text collate "C"
  ) on commit drop;
  for narrow in
    select n.name, array_to_string(n.key, ', ') as key,
        -- ANALYZE is slow for arrays and bytes, and no plan needs their statistics.
        coalesce((
          select string_agg(format('alter table pg_temp.%s_%s alter column %I set statistics 0;', t.kind, n.name,
              l.attname), ' ')
            from pg_catalog.pg_attribute l cross join (values ('new'), ('gone')) t (kind)
            where l.attrelid = format('rollup.%I', n.name)::regclass and not l.attisdropped
              and (l.attndims > 0 or l.atttypid = 'bytea'::regtype)), 'select') as without_statistics
      from rollup.narrow_tables() n
  loop
    -- The rows to add, the keys of those to remove, and the removed rows.
    execute format('create temporary table new_%1$s (like rollup.%1$I) on commit drop', narrow.name);
    execute format('create temporary table old_%1$s on commit drop as select %2$s from rollup.%1$I limit 0',
      narrow.name, narrow.key);
    execute format('create temporary table gone_%1$s (like rollup.%1$I) on commit drop', narrow.name);
    execute narrow.without_statistics;
    execute format('grant insert on pg_temp.new_%1$s, pg_temp.old_%1$s to public', narrow.name);
    -- The rows whose sums a refresh adds up: in a full one, all.
    execute format(case when p_is_full
        then 'create temporary view %1$s_change as select 1::bigint as sign, r.* from rollup.%1$I r'
        else 'create temporary view %1$s_change as select 1::bigint as sign, r.* from pg_temp.new_%1$s r
          union all select -1, r.* from pg_temp.gone_%1$s r' end, narrow.name);
  end loop;
  -- The differences that players make to the durations until levels.
  create temporary table new_level_time (
    app_id text collate "C" not null,
    user_level integer not null,
    kind text collate "C" not null,
    bucket integer not null,
    user_count bigint not null
  ) on commit drop;
  -- The players whose figures cannot be computed.
  create temporary table new_set_aside (
    app_id text collate "C" not null,
    user_id text collate "C" not null,
    error text collate "C" not null,
    primary key (app_id, user_id)
  ) on commit drop;
  grant insert on pg_temp.new_level_time, pg_temp.new_set_aside to public;
end
$$;
revoke execute on function rollup.create_working_tables from public;
comment on function rollup.create_working_tables is
  'Creates the temporary tables of a refresh, which it drops at its end. Part of rollup.begin_refresh.';
