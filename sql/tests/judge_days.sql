-- Days whose figures are implausible: which are judged, against what, until when they are open, and what they hold back.
\ir parts/reports.sql
select plan(16);

-- The day a number of days before today, which has ended by the server's clock.
create function pg_temp.ago(p_days integer) returns timestamptz language sql stable as $$
  select (((now() at time zone 'UTC')::date - p_days)::timestamp at time zone 'UTC') + interval '12 hours'
$$;
create function pg_temp.level_ups(p_days integer, p_count integer, p_app_id text default 'a') returns void language sql as $$
  insert into new_level_up (app_id, user_id, user_level, leveled_up_at)
    -- No event of today lies ahead of the clock, which would count for nothing.
    select p_app_id, 'u' || n, 1, least(pg_temp.ago(p_days) + n * interval '1 second', now()) from generate_series(1, p_count) n
$$;
create function pg_temp.opened(p_table text, p_description text) returns text language sql as $$
  select pg_temp.shows('select app_id, stream, kind, (now() at time zone ''UTC'')::date - day as ago
    from ingest.open_day where app_id = ''a''',
    p_table, p_description)
$$;
create function pg_temp.trusted() returns text language sql as $$
  select extract(day from date_trunc('day', now()) - trusted_at)::text from rollup.app_horizon where app_id = 'a'
$$;

-- 60 days of 60 lines; every seventh day has 120.
select pg_temp.level_ups(n, case when n % 7 = 0 then 120 else 60 end) from generate_series(10, 70) n \g /dev/null
select pg_temp.load_lines('before');
-- A third of a day, in a file of its own. The day is the one with most rows of the file, and is over.
select pg_temp.level_ups(9, 20);
select pg_temp.load_lines('a third');
-- Amounts, in application m: 50 purchases a day in each of two currencies, then prices in cents of one of them.
insert into new_receipt (payment_seq, app_id, currency, amount_minor, purchased_at)
  select format('%s-%s-%s', c, d, n), 'm', c, case when c = 'KRW' and d = 9 then 100000 when d = 12 then 300 else 1000 end,
      pg_temp.ago(d) + n * interval '1 second'
    from unnest('{USD,KRW}'::text[]) c, generate_series(9, 60) d, generate_series(1, 50) n;
select pg_temp.load_lines('money');
\ir parts/refresh.sql
select pg_temp.opened('a level_up implausible 9',
  'a third of a day is implausible, and days like those before are plausible');
select is(pg_temp.trusted(), '9', 'no period from the beginning of the day on is complete');
select ok((select error from report.open_failure where app_id = 'a') ~
  '^Lines: 20, 0\.33 times a usual \w+day \(60\.0\); the 14 days before had 1\.00 to 1\.00 times\. No period', 'the failure has the figures');
select pg_temp.shows('select verdict, implausible_day_count, missing_day_count from report.health where app_id = ''a''',
  'implausible 1 0', 'and the feed has the verdict');

select pg_temp.shows($$ select app_id, stream, kind, error ~ '^Paid in KRW: 5000000, 100\.00 times' as is_krw from report.open_failure
  where app_id = 'm' $$, 'm receipt implausible t', 'an amount in another unit is implausible, one that a few purchases move is not');
select pg_temp.shows($$ select period_start = pg_temp.ago(9)::date as is_open, is_complete from report.payers_by_period
  where app_id = 'm' and period = 'day' and period_start >= pg_temp.ago(10)::date $$, '
  f t
  t f', 'and holds the money views of the application back');

-- The day after is judged without the open one; the day of today has not ended.
select pg_temp.level_ups(8, 60), pg_temp.level_ups(7, 20), pg_temp.level_ups(0, 3) \g /dev/null
select pg_temp.load_lines('three days');
\ir parts/refresh.sql
select pg_temp.opened('
  a level_up implausible 9
  a level_up implausible 7
  a level_up incomplete  6
  a level_up incomplete  5
  a level_up incomplete  4
  a level_up incomplete  3
  a level_up incomplete  2
  a level_up implausible 1', 'an open day is no measure for those after it; days without a line are incomplete, but the newest one has 0 lines');
select ingest.undo_files(array[pg_temp.file('three days')]) \g /dev/null
-- The rest of the day.
select pg_temp.level_ups(9, 60);
delete from new_level_up where split_part(user_id, 'u', 2)::integer <= 20;
select pg_temp.load_lines('the rest');
\ir parts/refresh.sql
select pg_temp.opened('', 'a day ends when its figures are plausible, and an undo ends what its file brought');
select is((select a.trusted_at = h.newest_event_at from rollup.app_horizon a, rollup.horizon h where a.app_id = 'a' and h.app_id = 'a' and h.stream = 'level_up'), true, 'and the horizon is that of the newest event again');
select ingest.undo_files(array[pg_temp.file('the rest')]) \g /dev/null
\ir parts/refresh.sql
select ingest.dismiss_failures('{implausible}', '{level_up}', array[(select path from report.open_failure
  where kind = 'implausible' and app_id = 'a')], 'a holiday') \g /dev/null
select pg_temp.opened('', 'or is dismissed');
select is((select a.trusted_at = h.newest_event_at from rollup.app_horizon a, rollup.horizon h where a.app_id = 'a' and h.app_id = 'a' and h.stream = 'level_up'), true, 'which gives the horizon back at once');
-- A dismissed day is a measure like any other.
select pg_temp.level_ups(8, 20);
select pg_temp.load_lines('quiet');
\ir parts/refresh_full.sql
select pg_temp.opened('', 'it stays dismissed in a rebuild, and is known');

-- An empty file counts as a day of 0 lines, for the application that it was expected for.
select pg_temp.load_empty('of another', 'level_up', 'b', pg_temp.ago(6)::date);
select pg_temp.load_empty('empty', 'level_up', 'a', pg_temp.ago(7)::date);
\ir parts/refresh.sql
select pg_temp.opened('a level_up implausible 7', 'an empty file is a day of 0 lines, for its application alone');
select pg_temp.load_empty('empty too', 'level_up', 'a', pg_temp.ago(6)::date);
\ir parts/refresh.sql
select pg_temp.opened('
  a level_up implausible 7
  a level_up implausible 6', 'and so is the next one');
insert into ingest.setting (name, value) values ('min-usual-lines', '61');
select rollup.refresh_horizons() \g /dev/null
select pg_temp.opened('a level_up implausible 7', 'usual days of few lines are not judged');
delete from ingest.setting;
-- After an upgrade.
delete from ingest.open_day;
update ingest.stream set judged_from = pg_temp.ago(8)::date where stream = 'receipt';
\ir parts/refresh_full.sql
select is_empty($$ select from ingest.open_day where stream = 'receipt' $$, 'days from before an upgrade are not judged');

select * from finish();
