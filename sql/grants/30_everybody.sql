-- Revokes everything from PUBLIC, the loader and the eraser; the files after this one grant what each role needs. The
-- analyst and the monitor keep what an administrator gave them: they only read, and nothing opens by default.
select ingest.switch_jit_off();
-- No role can create an object in schema public, where its name could shadow another one.
revoke create on schema public from public, :"loader", :"eraser";
revoke all on schema game, ingest, report, rollup, staging from public, :"loader", :"eraser";
-- Objects that the owner creates later, such as the partition of a month, are also closed to other roles until a file
-- grants access.
alter default privileges for role :"owner" revoke execute on functions from public;
do $$
declare
  loader constant text := current_setting('gamebase_ingest.loader');
  analyst constant text := current_setting('gamebase_ingest.analyst');
  eraser constant text := current_setting('gamebase_ingest.eraser');
  monitor constant text := current_setting('gamebase_ingest.monitor');
  kind text;
  place text;
begin
  execute format('revoke create, temporary on database %1$I from %2$I, %4$I; grant connect on database %1$I to %2$I, %3$I, '
    '%4$I, %5$I', current_database(), loader, analyst, eraser, monitor);
  foreach kind in array '{tables, sequences, routines}'::text[] loop
    execute format('revoke all on all %s in schema game, ingest, report, rollup, staging from public, %I, %I', kind, loader,
      eraser);
    foreach place in array array['', 'in schema game, ingest, report, rollup, staging'] loop
      execute format('alter default privileges for role %I %s revoke all on %s from %I, %I, %I, %I',
        current_setting('gamebase_ingest.owner'), place, kind, loader, analyst, eraser, monitor);
    end loop;
  end loop;
end
$$;
