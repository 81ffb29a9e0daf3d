-- Exposed fields: members of lines without a column that the operator shows.
\ir parts/reports.sql
select plan(16);

insert into new_receipt (payment_seq, user_id, purchased_at, extra) values
  ('1', 'u1', '2025-07-01 10:00Z', '{"guild": "red", "score": 1.50, "note": null, "guild": "blue", "nested": {"guild": "no"}}'),
  ('2', 'u2', '2025-07-01 11:00Z', '{"guild": "green", "Guild": "other", "list": [1, "a"]}'),
  ('3', 'u2', '2025-07-01 12:00Z', null);
insert into new_level_up (user_id, user_level, leveled_up_at, extra)
  values ('u1', 2, '2025-07-01 10:00Z', '{"guild": "hidden"}');
insert into new_event (event_id, user_id, category, event_group, occurred_at, extra)
  values ('1', 'u1', 'x', 'other', '2025-07-01 10:00Z', '{"guild": "of-event"}'),
    ('2', 'u2', 'x', 'other', '2025-07-01 10:00Z', '{"guild": "of-other"}');
select pg_temp.load_lines();
\ir parts/refresh.sql
select is_empty('select 1 from report.exposed_field', 'no field is exposed by default');

insert into ingest.field_exposure (stream, field)
  values ('receipt', 'guild'), ('receipt', 'score'), ('receipt', 'note'), ('receipt', 'list'), ('event', 'guild');
\ir parts/refresh.sql
create temporary view shown as select stream, natural_key::text as key, field, value from report.exposed_field;
select pg_temp.shows($$ select replace(key, ' ', '') as key, field, value from shown where stream = 'receipt' $$, $$
  ["1"] guild blue      # the last of a repeated member; nested ones are none
  ["1"] score 1.50
  ["2"] guild green
  ["2"] list [1, "a"] $$, 'values as text; NULL has no row, names are exact');
select pg_temp.shows($$ select replace(key, ' ', '') as key, value from shown where stream = 'event' $$, $$
  ["2025-07-01T10:00:00+00:00","a","1"] of-event
  ["2025-07-01T10:00:00+00:00","a","2"] of-other $$, 'fields of one stream only');

-- New files, changed and deleted rows; the view shows the last refresh.
insert into new_receipt (payment_seq, user_id, purchased_at, extra)
  values ('4', 'u3', '2025-07-02 10:00Z', '{"guild": "new"}');
select pg_temp.load_lines('second');
create temporary view guild as select natural_key ->> 0 as key, value from report.exposed_field
  where stream = 'receipt' and field = 'guild';
select pg_temp.shows('select * from guild', '1 blue
  2 green', 'rows of a file that no refresh has seen are not shown');
\ir parts/refresh.sql
select pg_temp.shows('select * from guild', '1 blue
  2 green
  4 new', 'a refresh adds them');
select pg_temp.changes('receipt', $$ update %s set extra = '{"guild": "changed"}' where payment_seq = '2' $$) \g /dev/null
select pg_temp.changes('receipt', $$ delete from %s where payment_seq = '4' $$) \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows('select * from guild', '1 blue
  2 changed', 'changed and deleted rows');
create temporary table before_full as select e::text as line from rollup.exposed_field e;
\ir parts/refresh_full.sql
select set_eq('select e::text from rollup.exposed_field e', 'select line from before_full', 'a rebuild changes nothing');
select set_eq('select stream || field from rollup.read_field',
  $$ values ('receiptguild'), ('receiptscore'), ('receiptnote'), ('receiptlist'), ('eventguild') $$,
  'a rebuild reads every exposed field');

-- An erasure; another user's event that has changed since the last refresh stays right.
select pg_temp.changes('event', $$ update %s set extra = '{"guild": "of-other-changed"}' where event_id = '2' $$) \g /dev/null
select ingest.erase_user('u1', null, sha256('u1'), sha256('key'), 1) \g /dev/null
select pg_temp.shows('select stream, value from shown', $$
  receipt changed
  event of-other-changed $$, 'an erased user has no value');
select ingest.hold_stream(s) from unnest(array['event', 'receipt']) s \g /dev/null
select ingest.undo_files('receipt', array_agg(source_file_id)) from ingest.source_file
  where stream = 'receipt' and path = 'file' \g /dev/null
\ir parts/refresh.sql
select is_empty('select 1 from guild', 'an undo removes the values of its file');

-- Hiding removes all values, and says who did.
update ingest.field_exposure set hidden_at = now(), hidden_by = session_user where stream = 'event';
\ir parts/refresh.sql
select is_empty($$ select 1 from rollup.exposed_field where stream = 'event' $$, 'a hidden field has no value left');
select is_empty($$ select 1 from rollup.read_field where stream = 'event' $$, 'and would be read again');
select throws_ok($$ insert into ingest.field_exposure (stream, field) values ('receipt', 'guild') $$, '23505', null,
  'a field is exposed once');

-- Rows that a loader's role inserts by hand: under the number of no file, with the line of another row, with an escape of
-- no character.
insert into new_receipt (payment_seq, user_id, purchased_at, extra)
  values ('5', 'u5', '2025-07-05 10:00Z', '{"guild": "\ud83d\ude00"}');
select pg_temp.load_lines('third');
select pg_temp.changes('receipt', $$ insert into %s (payment_seq, app_id, user_id, currency, purchased_at, text_repaired,
    price_repaired, price_imprecise, source_file_id, line_number, row_digest, extra)
  select p.seq, r.app_id, 'u6', r.currency, r.purchased_at, false, false, false, coalesce(p.file, r.source_file_id),
      r.line_number, md5(p.seq)::uuid, p.extra::json
    from %1$s r cross join (values ('6', null, '{"guild": "same line"}'), ('7', 9223372036854775807, '{"guild": "far"}'),
      ('8', 9223372036854775806, '{"guild": "\u0000"}')) p (seq, file, extra)
    where r.payment_seq = '5' $$) \g /dev/null
\ir parts/refresh.sql
insert into new_receipt (payment_seq, user_id, purchased_at) values ('9', 'u5', '2025-07-05 11:00Z');
select pg_temp.load_lines('fourth');
\ir parts/refresh.sql
select is((select sum(line_count) from rollup.file_day where day = '2025-07-05' and stream = 'receipt'), 3::numeric,
  'a row under the number of no file belongs to no file, in every refresh');
select is((select count(*) from report.purchase where purchased_on = '2025-07-05'), 5::bigint, 'but is a purchase');
\ir parts/refresh_full.sql
select is(
  (select string_agg(value, ' ' order by value collate "C") from report.exposed_field
    where natural_key ->> 0 in ('5', '6', '7', '8')),
  'far ' || E'\U0001F600', 'of two rows of one line one is shown, and an escape that is no character has no value');

select * from finish();
