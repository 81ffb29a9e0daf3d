-- Whoever adds or changes a fact does so for a file of the ledger that this transaction has opened.
create or replace function ingest.require_open_file(p_stream text, p_source_file_id bigint) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select from ingest.source_file
      where source_file_id = p_source_file_id and stream = p_stream and undone_at is null
        and opened_by = pg_current_xact_id())
  then
    raise exception 'this transaction has opened no file % of stream %', p_source_file_id, p_stream
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_files or ingest.reopen_file first.';
  end if;
end
$$;
revoke execute on function ingest.require_open_file(text, bigint) from public;
comment on function ingest.require_open_file(text, bigint) is
  'Raises an error unless this transaction has opened the file in the ledger.';

-- Once for a statement: a load copies thousands of rows with each.
create or replace function ingest.refuse_facts_without_file() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from ingest.source_file
      where opened_by = pg_current_xact_id() and stream = tg_argv[0])
    and not pg_has_role((select relowner from pg_catalog.pg_class where oid = tg_relid), 'usage')
  then
    raise exception 'this transaction has opened no file of stream %', tg_argv[0]
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_files first.';
  end if;
  return null;
end
$$;
revoke execute on function ingest.refuse_facts_without_file() from public;
comment on function ingest.refuse_facts_without_file() is
  'Refuses rows of a role that does not own the table, unless its transaction has opened a file of the stream.';

-- A digest that is derived from the number stands for one that is not known yet.
create or replace function ingest.is_closed(p_file ingest.source_file) returns boolean
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select p_file.sha256 <> sha256(int8send(p_file.source_file_id))
$$;
revoke execute on function ingest.is_closed(ingest.source_file) from public;
comment on function ingest.is_closed(ingest.source_file) is
  'Whether the ledger entry of a file has been completed.';

create or replace function ingest.refuse_open_entry() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from ingest.source_file f
      where f.source_file_id = new.source_file_id and (f.released_count <> 0 or not ingest.is_closed(f)))
  then
    raise exception 'file % was opened and not closed', new.source_file_id
      using errcode = 'object_not_in_prerequisite_state', hint = 'Call ingest.close_files.';
  end if;
  return null;
end
$$;
revoke execute on function ingest.refuse_open_entry() from public;
comment on function ingest.refuse_open_entry() is
  'Refuses, at the commit, a ledger entry that was opened and not closed.';

-- The rows that a statement adds bear the number of a file that its transaction has opened.
create or replace function ingest.refuse_lines_of_other_files() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from added a where not exists (
      select from ingest.source_file f
        where f.source_file_id = a.source_file_id and f.opened_by = pg_current_xact_id()))
    and not pg_has_role((select relowner from pg_catalog.pg_class where oid = tg_relid), 'usage')
  then
    raise exception 'this transaction has not opened the file of these rows'
      using errcode = 'insufficient_privilege', hint = 'Call ingest.open_files first.';
  end if;
  return null;
end
$$;
revoke execute on function ingest.refuse_lines_of_other_files() from public;
comment on function ingest.refuse_lines_of_other_files() is
  'Refuses rows of a role that does not own the table, unless its transaction has opened their file.';

-- Only where they are missing: making a trigger waits for all loads, and makes loads wait.
do $$
declare
  statement text;
begin
  for statement in
    select format(
        'create trigger refuse_facts_without_file after insert on game.%I
           for each statement execute function ingest.refuse_facts_without_file(%L)', s.target_table, s.stream)
      from ingest.stream s
      where not exists (select from pg_catalog.pg_trigger
        where tgrelid = format('game.%I', s.target_table)::regclass and tgname = 'refuse_facts_without_file')
    union all
    select format(
        'create trigger refuse_lines_of_other_files after insert on %s referencing new table as added
           for each statement execute function ingest.refuse_lines_of_other_files()', t)
      from unnest(array['ingest.reject', 'ingest.unknown_field']::regclass[]) t
      where not exists (select from pg_catalog.pg_trigger
        where tgrelid = t and tgname = 'refuse_lines_of_other_files')
    union all
    select 'create constraint trigger refuse_open_entry after insert or update on ingest.source_file
        deferrable initially deferred for each row execute function ingest.refuse_open_entry()'
      where not exists (select from pg_catalog.pg_trigger
        where tgrelid = 'ingest.source_file'::regclass and tgname = 'refuse_open_entry')
  loop
    execute statement;
  end loop;
end
$$;
