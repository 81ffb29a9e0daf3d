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
        and (c.relname in ('current_refresh', 'touched_player', 'new_level_time', 'new_set_aside',
            'changed_place', 'player_row', 'changed_chain', 'changed_trial', 'changed_cohort_day',
            'compared_receipt', 'suspected_receipt')
          or regexp_replace(c.relname, '^(new|old|gone)_|_change$', '') in (
            select n.name from rollup.narrow_tables() n))
      order by c.relkind desc
  loop
    execute working.statement;
  end loop;
end
$$;
revoke execute on function rollup.drop_working_tables from public;
comment on function rollup.drop_working_tables is
  'Drops the temporary tables of a refresh. Part of rollup.finish_refresh and rollup.forget_user.';
