-- The rows of a new file need no note, because a refresh finds them through the ledger.
--
-- SECURITY DEFINER: functions of the owner change the facts, but the owner may be another role than the table's.
create or replace function rollup.note_changes() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  statement constant text := format(
    'insert into rollup.touched_row
         (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number, payment_seq)
       select %s from ', rollup.noted_values(tg_argv[0]));
begin
  execute statement || 'before_change r';
  if tg_op = 'UPDATE' then
    execute statement || 'after_change r';
  end if;
  return null;
end
$$;
revoke execute on function rollup.note_changes from public;
comment on function rollup.note_changes is
  'Trigger function that notes changed and deleted rows in rollup.touched_row, as before and as after the change. Its argument is the stream.';

-- CREATE TRIGGER waits for all loads and blocks new ones, so only a missing trigger is created. To change the
-- trigger, drop it in a migration.
do $$
declare
  registered record;
begin
  for registered in
    select s.stream, s.target_table, c.event, c.name, c.tables
      from ingest.stream s
      cross join (values
        ('update', 'note_update', 'old table as before_change new table as after_change'),
        ('delete', 'note_delete', 'old table as before_change')
      ) c (event, name, tables)
      where s.time_column is not null and not exists (select 1 from pg_catalog.pg_trigger g
        where g.tgrelid = format('game.%I', s.target_table)::regclass and g.tgname = c.name)
      order by s.target_table, c.event
  loop
    execute format(
      'create trigger %I after %s on game.%I referencing %s
         for each statement execute function rollup.note_changes(%L)',
      registered.name, registered.event, registered.target_table, registered.tables, registered.stream);
  end loop;
end
$$;
