-- The checks of the facts: what the data contract promises of every row, whoever inserts it.
begin;
\ir parts/files.sql
select plan(14);

select is_empty(
  $$ select conrelid::regclass, conname from pg_catalog.pg_constraint
       where connamespace = 'game'::regnamespace and contype = 'c' and not convalidated $$,
  'every check holds for all rows of a new database');
select is_empty(
  $$ select s.stream from ingest.stream s
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
create function pg_temp.all_refused(p_stream text, p_column text, variadic p_values text[]) returns text
language sql as $$
  select string_agg(distinct pg_temp.refused(p_stream, p_column, to_jsonb(v)), ' ') from unnest(p_values) v
$$;

select is(pg_temp.all_refused('receipt', 'purchased_at', '1999-12-31 23:59:59.999Z', '2100-01-02 00:00:00.001Z', '9999-12-31Z'),
  'receipt_purchased_at_in_range', 'a purchase is in the years 2000 to 2099');
select is(pg_temp.all_refused('receipt', 'expires_at', '1999-12-31Z', '2100-01-01 00:00:00.001Z', '9999-12-31Z'),
  'receipt_expires_at_in_range', 'so is the end of a subscription');
select is(pg_temp.all_refused('receipt', 'expires_at', '2000-01-01Z', '2100-01-01Z'), 'taken', 'with both bounds');
select is(pg_temp.all_refused('receipt', 'user_id', '', '0'), 'receipt_user_id_named', 'a receipt has a user');
select is(pg_temp.all_refused('receipt', 'payment_seq', ''), 'receipt_payment_seq_named', 'and a payment');
select is(pg_temp.all_refused('receipt', 'line_number', '0', '-1'), 'receipt_line_number_counted',
  'lines are counted from 1');
select is(
  concat_ws(' ', pg_temp.all_refused('level_up', 'user_level', '-1'), pg_temp.all_refused('level_up', 'user_id', '', '0'),
    pg_temp.all_refused('level_up', 'line_number', '0'), pg_temp.all_refused('game_user', 'user_level', '-1'),
    pg_temp.all_refused('game_user', 'user_id', '', '0'), pg_temp.all_refused('game_user', 'line_number', '0')),
  'level_up_user_level_check level_up_user_id_named level_up_line_number_counted'
    || ' game_user_snapshot_user_level_check game_user_snapshot_user_id_named game_user_snapshot_line_number_counted',
  'levels and users');
select is(
  concat_ws(' ', pg_temp.all_refused('event', 'user_id', '', '0'), pg_temp.all_refused('event', 'event_id', ''),
    pg_temp.all_refused('event', 'category', ''), pg_temp.all_refused('event', 'line_number', '0')),
  'event_user_id_named event_event_id_named event_category_named event_line_number_counted', 'events');
select ingest.ensure_partition(stream, '2100-01-01') from unnest(array['level_up', 'game_user', 'event', 'item']) stream \g /dev/null
select is(
  concat_ws(' ', pg_temp.all_refused('level_up', 'leveled_up_at', '2100-01-02 00:00:00.001Z', '2100-01-31Z'),
    pg_temp.all_refused('game_user', 'observed_at', '2100-01-02 00:00:00.001Z', '2100-01-31Z'),
    pg_temp.all_refused('event', 'occurred_at', '2100-01-02 00:00:00.001Z', '2100-01-31Z')),
  'level_up_leveled_up_at_in_range game_user_snapshot_observed_at_in_range event_occurred_at_in_range',
  'every row has a time of these years, whatever the partitions');
-- Each identifier that an index of the reports holds.
create function pg_temp.bounds(p_stream text, variadic p_columns text[]) returns text language sql as $$
  select string_agg(distinct concat_ws(' ', pg_temp.all_refused(p_stream, c, repeat('x', 513)),
      pg_temp.all_refused(p_stream, c, repeat('x', 512))), ', ')
    from unnest(p_columns) c
$$;
select is(
  concat_ws(', ', pg_temp.bounds('receipt', 'payment_seq', 'app_id', 'user_id', 'gamebase_product_id', 'market_item_id',
      'store_code'), pg_temp.bounds('level_up', 'app_id', 'user_id', 'character_id', 'channel_id'),
    pg_temp.bounds('game_user', 'app_id', 'user_id', 'character_id', 'channel_id')),
  'receipt_identifiers_bounded taken, level_up_identifiers_bounded taken, game_user_snapshot_identifiers_bounded taken',
  'identifiers have at most 512 bytes');
select is(
  pg_temp.bounds('event', 'app_id', 'event_id', 'user_id', 'category', 'push_id', 'payment_seq'),
  'event_identifiers_bounded taken', 'those of events, too');
-- Before the merge, too: staging has the checks of its target.
select throws_ok(
  $$ select pg_temp.stage('receipt', pg_temp.open_file('receipt', 'far'), '{"purchased_at": "9999-12-31 00:00Z"}') $$,
  '23514', null, 'such a row is not even staged');

select * from finish();
rollback;
