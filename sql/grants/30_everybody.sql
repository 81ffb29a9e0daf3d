-- Revokes everything from PUBLIC, the loader and the eraser; the files after this one grant what each role needs. The
-- analyst and the monitor keep what an administrator gave them: they only read, and nothing opens by default.
select ingest.switch_jit_off();
-- No role can create an object in schema public, where its name could shadow another one.
revoke create on schema public from public, :"loader", :"eraser";
do $$
declare
  kind text;
begin
  foreach kind in array array['loader', 'analyst', 'eraser', 'monitor'] loop
    if kind in ('loader', 'eraser') then
      execute pg_catalog.format('revoke create, temporary on database %I from %I',
        pg_catalog.current_database(), pg_catalog.current_setting('gamebase_ingest.' || kind));
    end if;
    execute pg_catalog.format('grant connect on database %I to %I', pg_catalog.current_database(),
      pg_catalog.current_setting('gamebase_ingest.' || kind));
  end loop;
end
$$;

-- Objects that the owner creates later are also closed to other roles until a file grants access.
alter default privileges for role :"owner" revoke execute on functions from public;
revoke all on schema game, ingest, report, rollup, staging
  from public, :"loader", :"eraser";
revoke all on all tables in schema game, ingest, report, rollup, staging
  from public, :"loader", :"eraser";
revoke all on all sequences in schema game, ingest, report, rollup, staging
  from public, :"loader", :"eraser";
revoke all on all routines in schema game, ingest, report, rollup, staging
  from public, :"loader", :"eraser";

-- The same for future objects, such as the partition of a later month.
alter default privileges for role :"owner"
  revoke all on tables from :"loader", :"analyst", :"eraser", :"monitor";
alter default privileges for role :"owner"
  revoke all on sequences from :"loader", :"analyst", :"eraser", :"monitor";
alter default privileges for role :"owner"
  revoke all on functions from :"loader", :"analyst", :"eraser", :"monitor";
alter default privileges for role :"owner" in schema game, ingest, report, rollup, staging
  revoke all on tables from :"loader", :"analyst", :"eraser", :"monitor";
alter default privileges for role :"owner" in schema game, ingest, report, rollup, staging
  revoke all on sequences from :"loader", :"analyst", :"eraser", :"monitor";
alter default privileges for role :"owner" in schema game, ingest, report, rollup, staging
  revoke all on functions from :"loader", :"analyst", :"eraser", :"monitor";
