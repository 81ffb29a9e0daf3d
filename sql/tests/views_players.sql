-- The level funnel, the current state of users, and the runs. Columns of collation "C" are cast to the default
-- collation of the expected values, because results_eq compares under one collation.
begin;
select plan(6);
truncate game.level_up, game.game_user_snapshot;
select ingest.ensure_partition('level_up', '2025-07-01');
select ingest.ensure_partition('game_user', '2025-07-01');
select ingest.ensure_partition('game_user', '2025-08-01');

insert into game.level_up
    (leveled_up_at, user_id, user_level, app_id, character_id, text_repaired, source_file_id, line_number)
  select at::timestamptz, who, level, app, character, false, 1, 1
    from (values
      ('2025-07-01 00:00+00', 'u1', 1, 'a', null), ('2025-07-02 00:00+00', 'u1', 2, 'a', null),
      ('2025-07-03 00:00+00', 'u1', 5, 'a', 'c'), ('2025-07-04 00:00+00', 'u1', 1, 'a', 'c'),
      ('2025-07-05 00:00+00', 'u2', 1, 'a', null), ('2025-07-06 00:00+00', 'u3', 3, 'a', null),
      ('2025-07-07 00:00+00', 'u1', 9, 'b', null)) v (at, who, level, app, character);

select results_eq(
  $$ select app_id collate "default", user_level, recorded_user_count, reached_user_count, stopped_user_count,
       (first_reached_at at time zone 'UTC')::date::text
       from report.level_funnel order by app_id, user_level $$,
  $$ values ('a', 1, 2::bigint, 3::bigint, 1::bigint, '2025-07-01'), ('a', 2, 1, 2, 0, '2025-07-02'),
       ('a', 3, 1, 2, 1, '2025-07-06'), ('a', 5, 1, 1, 1, '2025-07-03'), ('b', 9, 1, 1, 1, '2025-07-07') $$,
  'the funnel counts each user once, also on levels without a trace');
select results_eq(
  $$ select app_id collate "default", sum(stopped_user_count) from report.level_funnel group by 1 order by 1 $$,
  $$ select app_id collate "default", count(distinct user_id)::numeric from game.level_up group by 1 order by 1 $$,
  'each user stopped at exactly one level');

insert into game.game_user_snapshot
    (observed_at, user_id, app_id, channel_id, character_id, user_level, class_id,
      observed_at_source, text_repaired, source_file_id, line_number)
  select at::timestamptz, who, 'a', channel, character, level, class, 'line', false, file, 1
    from (values
      ('2025-07-31 23:59+00', 'u1', null, null, 5, 'k', 1), ('2025-08-01 00:00+00', 'u1', null, null, 4, null, 2),
      ('2025-07-01 00:00+00', 'u1', null, null, 9, 'z', 3), ('2025-07-01 00:00+00', 'u1', null, 'c', 7, 'k', 1),
      ('2025-07-01 00:00+00', 'u1', 's', null, 8, 'k', 1), ('2025-07-02 00:00+00', 'u2', null, null, 1, 'k', 1)
    ) v (at, who, channel, character, level, class, file);

select results_eq(
  $$ select user_id collate "default", channel_id collate "default", character_id collate "default", user_level,
       class_id collate "default", source_file_id
       from report.current_game_user order by user_id, channel_id nulls first, character_id nulls first $$,
  $$ values ('u1', null, null, 4, null, 2::bigint), ('u1', null, 'c', 7, 'k', 1), ('u1', 's', null, 8, 'k', 1),
       ('u2', null, null, 1, 'k', 1) $$,
  'the current state is the newest snapshot, not the last loaded one');

-- Rejects and runs.
insert into ingest.load (load_id, loader_version) overriding system value values (-1, 'test'), (-2, 'test');
insert into ingest.source_file (source_file_id, load_id, stream, path, sha256, byte_count, line_count,
    inserted_count, filled_count, duplicate_count, conflict_count, rejected_count, blank_count, as_of,
    time_unit, purchase_token_mode, max_line_bytes, max_nesting, max_identifier_bytes, max_text_bytes)
  values (-1, -1, 'receipt', 'a.jsonl', sha256('a'), 1, 4, 1, 0, 0, 0, 3, 0, now(), 'ms', 'hash', 1, 1, 1, 1);
insert into ingest.failed_file (load_id, stream, path, reason, line_count, rejected_count)
  values (-1, 'receipt', 'b.jsonl', 'does not exist', 0, 0);
insert into ingest.reject
    (source_file_id, stream, line_number, byte_offset, code, field, reason, raw, raw_byte_count, resolved_at)
  values (-1, 'receipt', 4, 9, 'test_code', 'price', 'later', '', 0, null),
    (-1, 'receipt', 2, 1, 'test_code', 'price', 'first', '', 0, now()),
    (-1, 'receipt', 3, 5, 'test_code', null, 'whole line', '', 0, null);

select results_eq(
  $$ select code collate "default", field, reject_count, open_count, example_path, example_line_number, example_reason
       from report.reject_summary where code = 'test_code' order by field nulls last $$,
  $$ values ('test_code', 'price', 2::bigint, 1::bigint, 'a.jsonl', 2::bigint, 'first'),
       ('test_code', null, 1, 1, 'a.jsonl', 3, 'whole line') $$,
  'rejects are grouped by code and field, with the first example');
select results_eq(
  $$ select load_id, status, path, inserted_count, rejected_count, reason from report.load_history
       where load_id < 0 order by load_id desc, path $$,
  $$ values (-1::bigint, 'loaded', 'a.jsonl', 1::bigint, 3::bigint, null),
       (-1, 'failed', 'b.jsonl', null, 0, 'does not exist'), (-2, null, null, null, null, null) $$,
  'the history lists runs with loaded files, with failed files and without files');
update ingest.source_file set undone_at = now() where source_file_id = -1;
select is((select status from report.load_history where path = 'a.jsonl' and load_id = -1), 'undone',
  'an undone file has the status undone');

select * from finish();
rollback;
