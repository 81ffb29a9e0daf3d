-- The level at a purchase: a level-up and a purchase at one instant, several characters, and no level at all.
\ir parts/reports.sql
select plan(5);

insert into new_level_up (app_id, user_id, user_level, channel_id, character_id, class_id, leveled_up_at)
  values
    ('l', 'u1', 5, 'ch1', null, 'k1', '2025-04-01 10:00Z'),
    ('l', 'u1', 6, 'ch1', null, 'k1', '2025-04-01 11:00Z'),
    ('l', 'u1', 8, 'ch3', null, 'k3', '2025-04-01 12:00Z'),
    ('l', 'u2', 3, 'c1', 'x', 'kx', '2025-04-01 08:00Z'),
    ('l', 'u2', 9, 'c1', 'y', 'ky', '2025-04-01 08:30Z'),
    ('l', 'u3', 3, null, 'x', null, '2025-04-01 09:00Z'),
    ('l', 'u3', 2, null, 'x', null, '2025-04-01 09:00Z'),
    ('l', 'u5', 7, null, null, null, '2025-04-01 09:00Z'),
    ('l', 'u6', 2, null, null, null, '2025-04-01 09:00Z'),
    ('l', 'u6', 2, null, 'z', null, '2025-04-01 09:00Z'),
    ('l', 'u7', 4, null, null, null, '2025-04-01 10:00:00.001Z');
insert into new_game_user (app_id, user_id, user_level, channel_id, character_id, class_id, observed_at, observed_at_source)
  values
    ('l', 'u1', 6, 'ch2', null, 'k2', '2025-04-01 11:00Z', 'line'),
    ('l', 'u1', 7, 'ch4', null, 'k4', '2025-04-01 12:00Z', 'option'),
    ('l', 'u1', 4, 'ch4', null, 'k5', '2025-04-01 13:00Z', 'line'),
    ('l', 'u4', 50, null, null, null, '2025-04-01 09:00Z', 'load_start');
insert into new_receipt (payment_seq, app_id, user_id, amount_minor, purchased_at, is_sandbox)
  values
    ('l1', 'l', 'u1', 100, '2025-04-01 09:59:59.999Z', null),
    ('l2', 'l', 'u1', 200, '2025-04-01 10:00Z', null),
    ('l3', 'l', 'u1', 300, '2025-04-01 11:00Z', null),
    ('l4', 'l', 'u1', 400, '2025-04-01 12:30Z', null),
    ('l5', 'l', 'u1', 500, '2025-04-01 13:30Z', null),
    ('l6', 'l', 'u2', 100, '2025-04-01 08:15Z', null),
    ('l7', 'l', 'u2', 100, '2025-04-01 09:00Z', null),
    ('l8', 'l', 'u3', 100, '2025-04-01 10:00Z', null),
    ('l9', 'l', 'u4', 100, '2025-04-01 10:00Z', null),
    ('l10', 'l', 'u5', 100, '2025-04-01 10:00Z', true),
    ('l11', 'l', 'u6', 100, '2025-04-01 10:00Z', null),
    ('l12', 'l', 'u7', 100, '2025-04-01 10:00Z', null),
    ('l13', 'm', 'u1', 100, '2025-04-01 14:00Z', null);
select pg_temp.load_lines();
\ir parts/refresh.sql

select pg_temp.shows(
  $$ select payment_seq, user_level, level_attribution, channel_id, character_id, class_id from report.purchase $$, $$
  l1  - none               -   - -    # a millisecond before the level-up
  l2  5 exact              ch1 - k1   # at its instant
  l3  6 exact              ch2 - k2   # of equal levels at one instant, the snapshot's
  l4  8 exact              ch3 - k3   # 8 and 7 at one instant
  l5  4 exact              ch4 - k5   # the latest level, although it is lower
  l6  3 exact              c1  x kx   # y is not known yet
  l7  9 highest_of_several -   - -
  l8  3 exact              -   x -    # 3 and 2 at one instant
  l9  - none               -   - -    # only a row without a time of its own
  l10 7 exact              -   - -
  l11 2 highest_of_several -   - -    # NULL and z are two characters
  l12 - none               -   - -    # a millisecond before the level-up
  l13 - none               -   - -    # the levels are of another application
  $$, 'the level at a purchase is the latest one of the character, or the highest of several characters');
select pg_temp.shows(
  $$ select app_id, currency, user_level, level_attribution, payer_count, paid_count, amount_minor, amount
       from report.revenue_by_level $$, $$
  l USD - none               3 3 300 3.00   # l1 l9 l12
  l USD 2 highest_of_several 1 1 100 1.00
  l USD 3 exact              2 2 200 2.00   # l6 l8
  l USD 4 exact              1 1 500 5.00
  l USD 5 exact              1 1 200 2.00
  l USD 6 exact              1 1 300 3.00
  l USD 8 exact              1 1 400 4.00
  l USD 9 highest_of_several 1 1 100 1.00
  m USD - none               1 1 100 1.00 $$, 'revenue by level is of paid purchases');

-- A late level-up and a late snapshot between those that are there.
insert into new_level_up (app_id, user_id, user_level, class_id, leveled_up_at)
  values ('l', 'u1', 11, 'k9', '2025-04-01 12:15Z');
insert into new_game_user (app_id, user_id, user_level, character_id, observed_at)
  values ('l', 'u7', 30, 'q', '2025-04-01 07:00Z');
select pg_temp.load_lines('late');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select payment_seq, user_level, level_attribution, channel_id, character_id, class_id from report.purchase
       where user_id in ('u1', 'u7') and app_id = 'l' $$, $$
  l1  -  none  -   - -
  l2  5  exact ch1 - k1
  l3  6  exact ch2 - k2
  l4  11 exact -   - k9
  l5  4  exact ch4 - k5
  l12 30 exact -   q - $$, 'late rows change the purchases after them, and no others');
select pg_temp.shows(
  $$ select user_level, level_attribution, payer_count, paid_count, amount_minor from report.revenue_by_level
       where app_id = 'l' and (user_level is null or user_level > 7) $$, $$
  -  none               2 2 200
  9  highest_of_several 1 1 100
  11 exact              1 1 400
  30 exact              1 1 100 $$, 'and the revenue of their levels');
select ingest.undo_files('level_up', array(select source_file_id from ingest.source_file
    where path = 'late' and stream = 'level_up')) \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select payment_seq, user_level, class_id from report.purchase where payment_seq in ('l4', 'l12') $$, $$
  l4  8  k3
  l12 30 - $$, 'an undo gives a purchase its level back');

select * from finish();
