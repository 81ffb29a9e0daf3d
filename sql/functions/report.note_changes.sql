-- The rows of a new file need no note, because a refresh finds them through the ledger. An event without a user is noted
-- with an empty one; events make nobody a player.
--
-- SECURITY DEFINER: functions of the owner change the facts, but the owner may be another role than the table's.
create or replace function report.note_changes() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- The arguments of the trigger: stream, column of the time, condition of a time of its own, payment, and the user
  -- where it is not the column user_id.
  statement constant text := format(
    'insert into report.touched_row
         (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number, payment_seq)
       select %L, r.app_id, %s, r.%I, %s, r.source_file_id, r.line_number, %s from ',
    tg_argv[0], coalesce(tg_argv[4], 'r.user_id'), tg_argv[1], tg_argv[2], tg_argv[3]);
begin
  execute statement || 'before_change r';
  if tg_op = 'UPDATE' then
    execute statement || 'after_change r';
  end if;
  return null;
end
$$;
revoke execute on function report.note_changes from public;
comment on function report.note_changes is
  'Trigger function that notes changed and deleted rows in report.touched_row, as before and as after the change.';

-- CREATE TRIGGER waits for all loads and blocks new ones, so only a missing trigger is created. To change the
-- trigger, drop it in a migration.
do $$
declare
  registered record;
begin
  for registered in
    select t.*, c.event, c.name, c.tables
      from (values
        ('receipt', array['receipt', 'purchased_at', 'true', 'r.payment_seq']),
        ('level_up', array['level_up', 'leveled_up_at', 'true', 'null']),
        ('game_user_snapshot', array['game_user', 'observed_at', 'r.observed_at_source <> ''load_start''', 'null']),
        ('item_snapshot', array['item', 'observed_at', 'r.observed_at_source <> ''load_start''', 'null', 'null']),
        ('event', array['event', 'occurred_at', 'true', 'null', 'null'])
      ) t (target_table, arguments)
      cross join (values
        ('update', 'note_update', 'old table as before_change new table as after_change'),
        ('delete', 'note_delete', 'old table as before_change')
      ) c (event, name, tables)
      where not exists (select 1 from pg_catalog.pg_trigger g
        where g.tgrelid = format('game.%I', t.target_table)::regclass and g.tgname = c.name)
      order by t.target_table, c.event
  loop
    execute format(
      'create trigger %I after %s on game.%I referencing %s
         for each statement execute function report.note_changes(%s)',
      registered.name, registered.event, registered.target_table, registered.tables,
      (select string_agg(quote_literal(a), ', ') from unnest(registered.arguments) a));
  end loop;
end
$$;
