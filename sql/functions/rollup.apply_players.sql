create or replace function rollup.apply_players()
returns table (player_number bigint, attempt_count bigint, error text)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set jit = off
set work_mem = '64MB'
set default_statistics_target = 20
as $$
#variable_conflict use_column
declare
  narrow record;
begin
  perform rollup.require_working_tables();
  for narrow in
    select c.relname as name,
        string_agg(format(case when a.attnotnull then 't.%1$I = o.%1$I' else 't.%1$I is not distinct from o.%1$I' end,
          a.attname), ' and ' order by k.place) as condition
      from pg_catalog.pg_constraint o
      join pg_catalog.pg_class c on c.oid = o.conrelid
      cross join unnest(o.conkey) with ordinality k (number, place)
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
      where o.conrelid = any (rollup.narrow_tables()) and o.contype in ('p', 'u')
      group by c.relname
      order by c.relname
  loop
    execute format('analyze pg_temp.old_%s', narrow.name);
    execute format(
      'with gone as (delete from rollup.%1$I t using pg_temp.old_%1$s o where %2$s returning t.*)
       insert into pg_temp.gone_%1$s select * from gone', narrow.name, narrow.condition);
    execute format('insert into rollup.%1$I select * from pg_temp.new_%1$s', narrow.name);
    execute format('analyze pg_temp.new_%s', narrow.name);
    execute format('analyze pg_temp.gone_%s', narrow.name);
  end loop;
  -- A refresh tries every player that is set aside, so the others are well again.
  delete from rollup.set_aside_player s
    where not exists (select 1 from pg_temp.new_set_aside n where n.app_id = s.app_id and n.user_id = s.user_id);
  insert into rollup.set_aside_player as s (app_id, user_id, error)
    select n.app_id, n.user_id, n.error from pg_temp.new_set_aside n order by n.app_id, n.user_id
    on conflict (app_id, user_id) do update set attempt_count = s.attempt_count + 1, error = excluded.error;
  if exists (select 1 from rollup.set_aside_player) then
    update rollup.set_aside_player s
      set streams = k.streams
      from (
        select p.player_number,
            coalesce(array_agg(distinct k.stream order by k.stream) filter (where k.stream is not null), '{}') as streams
          from rollup.set_aside_player p
          left join (
            select app_id, user_id, 'receipt' as stream, source_file_id from game.receipt
            union all
            select app_id, user_id, 'level_up', source_file_id from game.level_up
            union all
            select app_id, user_id, 'game_user', source_file_id from game.game_user_snapshot
          ) r on r.app_id = p.app_id and r.user_id = p.user_id
          left join ingest.source_file f on f.source_file_id = r.source_file_id
          cross join lateral (values (r.stream), (f.stream)) k (stream)
          group by p.player_number
      ) k
      where k.player_number = s.player_number;
  end if;
  return query
    select s.player_number, s.attempt_count, s.error from rollup.set_aside_player s order by s.player_number;
end
$$;
revoke execute on function rollup.apply_players from public;
comment on function rollup.apply_players is
  'Replaces the rows of players: removes those named by the tables old_…, and adds those of new_…. Sets players aside, and returns all that are. Part of a refresh.';
