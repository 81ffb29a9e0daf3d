create or replace function rollup.apply_players() returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set jit = off
set work_mem = '64MB'
as $$
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
end
$$;
revoke execute on function rollup.apply_players from public;
comment on function rollup.apply_players is
  'Replaces the rows of players: removes those named by the tables old_…, and adds those of new_…. Part of a refresh.';
