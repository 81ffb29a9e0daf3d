-- To compile the plan of a view takes longer than to run it: the planner adds up the cost of all months and cannot know
-- that a day needs one. A setting of the analyst would not reach the members of that role, nor the owner.
create or replace function ingest.switch_jit_off() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  -- An administrator's own setting stays.
  if not exists (
    select from pg_db_role_setting s
      where s.setrole = 0 and array_to_string(s.setconfig, ',') ~ '(^|,)jit='
        and s.setdatabase = (select d.oid from pg_database d where d.datname = current_database()))
  then
    execute format('alter database %I set jit = off', current_database());
  end if;
exception when insufficient_privilege then
  -- The database belongs to a role that runs grant.
  null;
end
$$;
comment on function ingest.switch_jit_off is
  'Switches JIT off in this database, unless it has a setting of its own. Part of migrate and grant.';
