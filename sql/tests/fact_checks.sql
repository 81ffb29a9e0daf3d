-- The checks of the facts: what the data contract promises of every row, whoever inserts it.
begin;
\ir parts/files.sql
select plan(5);

select is_empty($$ select conrelid::regclass, conname from pg_catalog.pg_constraint
       where connamespace = 'game'::regnamespace and contype = 'c' and not convalidated $$,
  'every check holds for all rows of a new database');
select is_empty($$ select s.stream from ingest.stream s
       where not exists (select from pg_catalog.pg_constraint c
         where c.conrelid = format('game.%I', s.target_table)::regclass and c.conname like '%\_at_in_range') $$,
  'every stream has a range for its time');

-- Tries a value of a column in a row that is valid without it. The row goes straight into the table, as by a loader
-- that copies into it.
create function pg_temp.refused(p_stream text, p_column text, p_value jsonb) returns text language plpgsql as $$
declare
  target text := (select target_table from ingest.stream where stream = p_stream);
  file bigint := pg_temp.open_file(p_stream, p_column || p_value);
  failed text;
begin
  perform pg_temp.stage(p_stream, file,
    case p_stream when 'game_user' then '{"observed_at_source": "line"}' else '{}' end::jsonb);
  execute format('insert into game.%I select (jsonb_populate_record(s, $1)).* from pg_temp.%I s', target,
    'staging_' || p_stream) using jsonb_build_object(p_column, p_value);
  raise exception using errcode = 'TAKEN';
exception
  when check_violation then
    get stacked diagnostics failed = constraint_name;
    return failed;
  when sqlstate 'TAKEN' then
    return 'taken';
end
$$;
-- The days of 2100 that a table by months could hold.
select ingest.ensure_partition(stream, '2100-01-01') from unnest(array['level_up', 'game_user', 'event', 'item']) stream \g /dev/null
select is_empty($$
  select v.stream, v.field, value, r.refused
    from (values
      -- Times are in the years 2000 to 2099, whatever the partitions, and an expiry takes both bounds.
      ('receipt', 'purchased_at', '{1999-12-31 23:59:59.999Z, 2100-01-02 00:00:00.001Z, 9999-12-31Z}'::text[],
        'receipt_purchased_at_in_range'),
      ('receipt', 'expires_at', '{1999-12-31Z, 2100-01-01 00:00:00.001Z, 9999-12-31Z}', 'receipt_expires_at_in_range'),
      ('receipt', 'expires_at', '{2000-01-01Z, 2100-01-01Z}', 'taken'),
      ('level_up', 'leveled_up_at', '{2100-01-02 00:00:00.001Z, 2100-01-31Z}', 'level_up_leveled_up_at_in_range'),
      ('game_user', 'observed_at', '{2100-01-02 00:00:00.001Z, 2100-01-31Z}',
        'game_user_snapshot_observed_at_in_range'),
      ('event', 'occurred_at', '{2100-01-02 00:00:00.001Z, 2100-01-31Z}', 'event_occurred_at_in_range'),
      -- Users and other names are not empty.
      ('receipt', 'user_id', '{"", 0}', 'receipt_user_id_named'),
      ('receipt', 'payment_seq', '{""}', 'receipt_payment_seq_named'),
      ('level_up', 'user_id', '{"", 0}', 'level_up_user_id_named'),
      ('game_user', 'user_id', '{"", 0}', 'game_user_snapshot_user_id_named'),
      ('event', 'user_id', '{"", 0}', 'event_user_id_named'),
      ('event', 'event_id', '{""}', 'event_event_id_named'),
      ('event', 'category', '{""}', 'event_category_named'),
      -- Lines are counted from 1, and levels from 0.
      ('receipt', 'line_number', '{0, -1}', 'receipt_line_number_counted'),
      ('level_up', 'line_number', '{0}', 'level_up_line_number_counted'),
      ('game_user', 'line_number', '{0}', 'game_user_snapshot_line_number_counted'),
      ('event', 'line_number', '{0}', 'event_line_number_counted'),
      ('level_up', 'user_level', '{-1}', 'level_up_user_level_check'),
      ('game_user', 'user_level', '{-1}', 'game_user_snapshot_user_level_check')
    ) v (stream, field, tried, refused), unnest(v.tried) value,
      lateral (select pg_temp.refused(v.stream, v.field, to_jsonb(value))) r (refused)
    where r.refused <> v.refused $$, 'a row has a time of these years, a user where it needs one, and a place');
-- Each identifier that an index of the reports holds.
select is_empty($$
  select s.stream, s.target_table, field, r.refused
    from (values
      ('receipt', '{payment_seq, app_id, user_id, gamebase_product_id, market_item_id, store_code}'::text[]),
      ('level_up', '{app_id, user_id, character_id, channel_id}'),
      ('game_user', '{app_id, user_id, character_id, channel_id}'),
      ('event', '{app_id, event_id, user_id, category, push_id, payment_seq}')) v (stream, fields)
    join ingest.stream s using (stream), unnest(v.fields) field, (values (512), (513)) b (bytes),
      lateral (select pg_temp.refused(v.stream, field, to_jsonb(repeat('x', b.bytes)))) r (refused)
    where r.refused <> case b.bytes when 512 then 'taken' else s.target_table || '_identifiers_bounded' end $$,
  'identifiers have at most 512 bytes');
-- Before the merge, too: staging has the checks of its target.
select throws_ok(
  $$ select pg_temp.stage('receipt', pg_temp.open_file('receipt', 'far'), '{"purchased_at": "9999-12-31 00:00Z"}') $$,
  '23514', null, 'such a row is not even staged');

select * from finish();
rollback;
