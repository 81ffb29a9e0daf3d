create or replace function rollup.apply_players()
returns table (player_number bigint, attempt_count bigint, error text)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set jit = off
set work_mem = '64MB'
set default_statistics_target = 20
-- It would sort the rows of all players by their keys.
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  narrow record;
  is_full boolean;
  has_rows boolean;
  named_count bigint;
  gone_count bigint;
begin
  select c.is_full into strict is_full from rollup.current_refresh() c where not c.is_erasure;
  for narrow in
    select n.name,
        -- Equality can use a hash, which IS NOT DISTINCT FROM cannot.
        (select string_agg(format(case when a.attnotnull then 't.%1$I = o.%1$I'
            else 'coalesce(t.%1$I, '''') = coalesce(o.%1$I, '''') and (t.%1$I is null) = (o.%1$I is null)' end, a.attname), ' and ' order by k.place)
          from unnest(n.key) with ordinality k (name, place)
          join pg_catalog.pg_attribute a on a.attrelid = format('rollup.%I', n.name)::regclass and a.attname = k.name)
          as condition
      from rollup.narrow_tables() n
      order by n.name
  loop
    if is_full then
      execute format('select exists (select from rollup.%I)', narrow.name) into has_rows;
      if not has_rows then
        execute format('insert into rollup.%1$I select * from pg_temp.new_%1$s', narrow.name);
        continue;
      end if;
      -- The rows that are as before stay, so that a rebuild writes what differs.
      execute format(
        'create temporary table other_row on commit drop as
           select t.ctid as place, o.ctid as new_place
             from rollup.%1$I t full join pg_temp.new_%1$s o on %2$s
             where t.ctid is null or o.ctid is null or t is distinct from o', narrow.name, narrow.condition);
      analyze pg_temp.other_row;
      execute format('delete from rollup.%I t using pg_temp.other_row o where t.ctid = o.place', narrow.name);
      execute format(
        'insert into rollup.%1$I select n.* from pg_temp.new_%1$s n join pg_temp.other_row o on o.new_place = n.ctid',
        narrow.name);
      drop table other_row;
      continue;
    end if;
    -- The planner knows no statistics of users, and would read the whole table for a few rows.
    execute format(
      'delete from rollup.%1$I t where t.ctid = any (array(
         select r.place from pg_temp.old_%1$s o
           cross join lateral (select t.ctid as place from rollup.%1$I t where %2$s offset 0) r))',
      narrow.name, narrow.condition);
    get diagnostics gone_count = row_count;
    execute format('select count(*) from pg_temp.old_%s', narrow.name) into named_count;
    if gone_count <> named_count then
      raise exception 'rollup.% has % of the % rows that a refresh of its players takes back', narrow.name, gone_count,
          named_count
        using errcode = 'data_corrupted',
          hint = 'Run gamebase-ingest refresh --full, which makes the reports from the stored rows.';
    end if;
    execute format('insert into rollup.%1$I select * from pg_temp.new_%1$s', narrow.name);
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
        select p.player_number, array_agg(distinct k.stream order by k.stream) as streams
          from rollup.set_aside_player p
          join (
            select app_id, user_id, 'receipt' as stream, source_file_id from game.receipt
            union all
            select app_id, user_id, 'level_up', source_file_id from game.level_up
            union all
            select app_id, user_id, 'game_user', source_file_id from game.game_user_snapshot
          ) r using (app_id, user_id)
          join ingest.source_file f using (source_file_id)
          cross join lateral (values (r.stream), (f.stream)) k (stream)
          group by p.player_number
      ) k
      where k.player_number = s.player_number;
  end if;
  return query
    select s.player_number, s.attempt_count, s.error from rollup.set_aside_player s order by s.player_number;
end
$$;
comment on function rollup.apply_players is
  'Replaces the rows of players: removes those named by the tables old_…, and adds those of new_…; in a rebuild, makes the rows equal to new_…. Notes the players whose figures this refresh could not compute, with the streams of their rows, forgets those that are well again, and returns all that are set aside. Part of a refresh.';
