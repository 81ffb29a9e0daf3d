-- Everybody starts from nothing: what a role may do is what the files after this one say.
-- No table of one's own beside ours, in which a name could hide another.
revoke create on schema public from public, :"loader", :"analyst", :"eraser";
select pg_catalog.set_config('gamebase_ingest.loader', :'loader', true),
  pg_catalog.set_config('gamebase_ingest.analyst', :'analyst', true),
  pg_catalog.set_config('gamebase_ingest.eraser', :'eraser', true);

do $$
declare
  kind text;
begin
  execute pg_catalog.format('revoke temporary on database %I from public', pg_catalog.current_database());
  foreach kind in array array['loader', 'analyst', 'eraser'] loop
    execute pg_catalog.format('revoke create, temporary on database %I from %I',
      pg_catalog.current_database(), pg_catalog.current_setting('gamebase_ingest.' || kind));
    execute pg_catalog.format('grant connect on database %I to %I', pg_catalog.current_database(),
      pg_catalog.current_setting('gamebase_ingest.' || kind));
  end loop;
end
$$;

-- What the owner makes from now on is nobody else's until somebody is named.
alter default privileges for role :"owner" revoke execute on functions from public;
revoke all on schema game, ingest, report, staging
  from public, :"loader", :"analyst", :"eraser";
revoke all on all tables in schema game, ingest, report, staging
  from public, :"loader", :"analyst", :"eraser";
revoke all on all sequences in schema game, ingest, report, staging
  from public, :"loader", :"analyst", :"eraser";
revoke all on all routines in schema game, ingest, report, staging
  from public, :"loader", :"analyst", :"eraser";

-- The same for what is not there yet, such as the table of a month to come.
alter default privileges for role :"owner"
  revoke all on tables from :"loader", :"analyst", :"eraser";
alter default privileges for role :"owner"
  revoke all on sequences from :"loader", :"analyst", :"eraser";
alter default privileges for role :"owner"
  revoke all on functions from :"loader", :"analyst", :"eraser";
alter default privileges for role :"owner" in schema game, ingest, report, staging
  revoke all on tables from :"loader", :"analyst", :"eraser";
alter default privileges for role :"owner" in schema game, ingest, report, staging
  revoke all on sequences from :"loader", :"analyst", :"eraser";
alter default privileges for role :"owner" in schema game, ingest, report, staging
  revoke all on functions from :"loader", :"analyst", :"eraser";
