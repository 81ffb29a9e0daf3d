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
  is_full boolean;
  named_count bigint;
  gone_count bigint;
begin
  perform rollup.require_working_tables();
  select c.is_full into strict is_full from pg_temp.current_refresh c;
  for narrow in
    select n.name,
        -- No identifier is the empty text, and equality can use a hash.
        (select string_agg(format(case when a.attnotnull then 't.%1$I = o.%1$I'
            else 'coalesce(t.%1$I, '''') = coalesce(o.%1$I, '''')' end, a.attname), ' and ' order by k.place)
          from unnest(n.key) with ordinality k (name, place)
          join pg_catalog.pg_attribute a on a.attrelid = format('rollup.%I', n.name)::regclass and a.attname = k.name)
          as condition
      from rollup.narrow_tables() n
      order by n.name
  loop
    if is_full then
      -- The rows that are as before stay, so that a rebuild writes what differs.
      execute format('analyze pg_temp.new_%s', narrow.name);
      execute format(
        'with other as materialized (
           select t.ctid as place from rollup.%1$I t left join pg_temp.new_%1$s o on %2$s
             where o.app_id is null or t is distinct from o
         )
         delete from rollup.%1$I t where t.ctid = any (array(select place from other))', narrow.name, narrow.condition);
      execute format(
        'insert into rollup.%1$I select o.* from pg_temp.new_%1$s o
           where not exists (select from rollup.%1$I t where %2$s)', narrow.name, narrow.condition);
      continue;
    end if;
    execute format('analyze pg_temp.old_%s', narrow.name);
    -- The planner knows no statistics of users, and would read the whole table for a few rows.
    execute format(
      case when rollup.is_small_part(format('pg_temp.old_%s', narrow.name)::regclass, format('rollup.%I', narrow.name)::regclass)
        then 'with gone as (delete from rollup.%1$I t where t.ctid = any (array(
              select r.place from pg_temp.old_%1$s o
                cross join lateral (select t.ctid as place from rollup.%1$I t where %2$s offset 0) r)) returning t.*)'
        else 'with gone as (delete from rollup.%1$I t using pg_temp.old_%1$s o where %2$s returning t.*)' end
        || ' insert into pg_temp.gone_%1$s select * from gone', narrow.name, narrow.condition);
    get diagnostics gone_count = row_count;
    execute format('select count(*) from pg_temp.old_%s', narrow.name) into named_count;
    if gone_count <> named_count then
      raise exception 'rollup.% has % of the % rows that a refresh of its players takes back', narrow.name, gone_count,
          named_count
        using errcode = 'data_corrupted',
          hint = 'Run gamebase-ingest refresh --full, which makes the reports from the stored rows.';
    end if;
    execute format('insert into rollup.%1$I select * from pg_temp.new_%1$s', narrow.name);
    execute format('analyze pg_temp.new_%s', narrow.name);
    execute format('analyze pg_temp.gone_%s', narrow.name);
  end loop;
  perform rollup.set_players_aside();
  return query
    select s.player_number, s.attempt_count, s.error from rollup.set_aside_player s order by s.player_number;
end
$$;
revoke execute on function rollup.apply_players from public;
comment on function rollup.apply_players is
  'Replaces the rows of players: removes those named by the tables old_…, and adds those of new_…; in a rebuild, makes the rows equal to new_…. Sets players aside, and returns all that are. Part of a refresh.';
