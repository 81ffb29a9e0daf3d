-- A refresh in the same transaction creates them again.
create or replace function rollup.drop_working_tables() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  working record;
begin
  for working in
    -- By its own name of the schema: Citus knows no schema pg_temp.
    select format('drop %s %I.%I', case c.relkind when 'v' then 'view' else 'table' end,
        c.relnamespace::regnamespace, c.relname) as statement
      from pg_catalog.pg_class c
      where c.relnamespace = pg_my_temp_schema() and pg_get_userbyid(c.relowner) = current_user
        and c.relkind in ('v', 'r')
        and (c.relname in ('current_refresh', 'touched_player', 'changed_place', 'touched_file', 'touched_row', 'touched_day',
            'rate_change', 'payment_change', 'new_set_aside', 'gone_history', 'player_row')
          or regexp_replace(c.relname, '^(new|old|change)_', '') in (
            select n.name from rollup.narrow_tables() n union all select s.name from rollup.sums() s))
  loop
    execute working.statement;
  end loop;
end
$$;
comment on function rollup.drop_working_tables is
  'Drops the temporary tables of a refresh. Part of rollup.finish_refresh and rollup.finish_erasure.';
