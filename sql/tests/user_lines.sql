-- The user that a refused line belongs to: ingest.is_line_of_user, with the pattern of ingest.user_pattern.
begin;
select plan(6);

create function pg_temp.is_of(
  p_line bytea, p_user_id text, p_app_id text default null, p_unwrap text default null,
  p_default_app_id text default null)
returns boolean language sql as $$
  -- As in a WHERE clause, NULL counts as false.
  select coalesce(ingest.is_line_of_user(
    p_line, p_user_id, p_app_id, ingest.user_pattern(p_user_id), p_unwrap, p_default_app_id), false)
$$;
create function pg_temp.bytes(p_line text) returns bytea language sql as $$
  select convert_to(p_line, 'UTF8')
$$;

create temporary table line (is_users boolean, user_id text, line text, unwrap text);
insert into line values
  -- A readable line with one user.
  (true, 'u1', '{"userId":"u1"}'),
  (true, 'u1', '{"userId":"\u00751"}'),
  (false, 'u1', '{"userId":"U1"}'),
  (false, 'u1', '{"userId":"u1 "}'),
  (false, 'u1', '{"userId":"u2","payload":"u1"}'),
  (true, '7', '{"userId":7}'),
  (false, '8', '{"userId":"7","userLevel":8}'),
  (true, 'u1', '{"userId":"u1","userId":"u1"}'),
  (true, 'u1', '{"userId":"u1","appId":["x"],"x":"u1"}'),
  (false, 'u2', '{"userId":"u1","appId":["x"],"x":"u2"}'),
  (false, 'u1', '{"userId":"u2","appId":"u1"}'),
  (false, 'u1', '{"userId":"u2","userId":"","x":"u1"}'),
  (false, 'u1', '{"userId":"' || repeat('x', 512) || '","id":"u1"}'),
  -- A readable line without exactly one user.
  (true, 'u1', '{"userid":"u1"}'),
  (true, 'u1', '{"userId":"u1","userId":"u2"}'),
  (true, 'u2', '{"userId":"u1","userId":"u2"}'),
  (true, 'u1', '{"userId":["u1"]}'),
  (true, 'u1', '{"userId":true,"x":"u1"}'),
  (true, 'u1', '{"userId":null,"user":{"id":"u1"}}'),
  (true, 'u1', '{"userId":"0","id":"u1"}'),
  (true, 'u1', '{"userId":" \t","id":"u1"}'),
  (true, 'u1', '{"userId":"","id":"u1"}'),
  (true, 'u1', '{"userId":7.5,"id":"u1"}'),
  (true, 'u1', '{"userId":"7.5","userId":7.5,"id":"u1"}'),
  (true, 'u1', '{"userId":"' || repeat('x', 513) || '","id":"u1"}'),
  (false, 'u1', '{"id":"u12","b":"xu1"}'),
  (false, 'u1', '{}'),
  -- An unreadable line.
  (true, 'u1', '{"userId":"u1","price"'),
  (true, 'u1', '{"userId":"u1'),
  (true, 'u1', '{''userId'':''u1''}'),
  (true, 'u1', '{“userId“:“u1“}'),
  (true, 'u1', '{"userId":u1,}'),
  (true, 'u1', '{"userId":"\u0075\u0031","'),
  (false, 'u1', '{"userId":"u12","price"'),
  (true, 'u1', '{"userId":"u2","x":"u1","y":"\u0000"}'),
  (true, 'u1', '["u1"]'),
  (false, 'u1', 'userId u2'),
  (true, 'u1', 'é' || 'u1'),
  (true, 'u1', '\nu1'),
  (true, 'u1', '\u00e9u1'),
  (false, 'u1', 'xu1 u1x');
-- The record is inside a field of the line.
insert into line values
  (true, 'u1', '{"log":"{\"userId\":\"u1\"}"}', 'log'),
  (true, 'u1', '{"userId":"u1","log":{"userLevel":-1}}', 'log'),
  (false, 'u1', '{"userId":"u2","log":"{\"x\":\"u1\"}"}', 'log'),
  (false, 'u1', '{"x":"u1","log":{"userId":"u2"}}', 'log'),
  (true, 'u1', '{"x":"u1","log":{"userId":"u2"}}', null),
  (true, 'u1', '{"log":"{\"userId\":\"\\u00751\",}"}', 'log'),
  (true, 'u1', '{"log":"{\"userId\":\"u1"}', 'log'),
  (false, 'u1', '{"other":{"userId":"u1"},"userId":"u2"}', 'log'),
  (true, 'u1', '{"userId":"u1","other":5}', 'log'),
  (false, 'u2', '{"userId":{"userId":"u1","x":"u2"}}', 'userId'),
  (false, 'u2', '{"userId":"u1","userId":"u1","x":"u2"}', null);
select is_empty(
  $$ select is_users, user_id, line
       from line where pg_temp.is_of(pg_temp.bytes(line), user_id, null, unwrap) is distinct from is_users $$,
  'a line belongs to its user, or without a known user to every user whose id it contains');

set local standard_conforming_strings = off;
select is_empty(
  $$ select is_users, user_id, line
       from line where pg_temp.is_of(pg_temp.bytes(line), user_id, null, unwrap) is distinct from is_users $$,
  'the result does not depend on standard_conforming_strings');
set local standard_conforming_strings = on;

-- Each letter of an id in each JSON spelling, between two other letters.
create temporary table spelling (letter text, spelled text);
insert into spelling values
  ('/', '/'), ('/', '\/'),
  ('"', '\"'),
  ('\', '\\'),
  (e'\b', '\b'),
  (e'\t', '\t'),
  (e'\n', '\n'),
  (e'\f', '\f'),
  (e'\r', '\r'),
  ('é', 'é'), ('é', '\u00e9'), ('é', '\u00E9'),
  ('😀', '😀'), ('😀', '\ud83d\ude00'), ('😀', '\uD83D\uDE00'),
  (U&'\FFFF', '\uffff'),
  (U&'\+010000', '\ud800\udc00'),
  ('a', '\u0061'),
  ('z', '\u007A'),
  ('.', '.'),
  ('+', '+'),
  ('9', '\u0039'),
  ('J', '\u004a'), ('J', '\u004A');
select is_empty(
  $$ select letter, spelled
       from spelling
       where not pg_temp.is_of(pg_temp.bytes(format('{"x":"k%sk"', spelled)), 'k' || letter || 'k') $$,
  'the pattern finds an id in each of its spellings');
select is_empty(
  $$ select a.letter, b.spelled
       from spelling a, spelling b
       where a.letter <> b.letter
         and pg_temp.is_of(pg_temp.bytes(format('{"x":"k%sk"', b.spelled)), 'k' || a.letter || 'k') $$,
  'the pattern does not match the spellings of another id');
select is(
  array[
    pg_temp.is_of('\x7b22757365724964223a227531222c2278223a22ff227d', 'u1'),
    pg_temp.is_of('\x7b22757365724964223a227532222c2278223a2200ff227d', 'u1')],
  '{t,f}', 'the pattern also works on bytes that are not UTF-8');

-- The application.
create temporary table application (is_users boolean, line text, asked text, of_file text);
insert into application values
  (true, '{"userId":"u1","appId":"a"}', 'a', null),
  (false, '{"userId":"u1","appId":"b"}', 'a', null),
  (true, '{"userId":"u1","appId":"b"}', null, null),
  (true, '{"userId":"u1"}', 'a', 'a'),
  (false, '{"userId":"u1"}', 'a', 'b'),
  (false, '{"userId":"u1"}', 'a', null),
  (true, '{"userId":"u1"}', '', null),
  (true, '{"userId":"u1","appId":"a"}', 'a', 'b'),
  (true, '{"userId":"u1","appId":"b","appId":"c"}', 'a', null),
  (false, '{"userId":"u1","appId":"b","appId":"b"}', 'a', null),
  (true, '{"userId":"u1","appId":""}', 'a', 'a'),
  (true, '{"userId":"u1', 'a', 'b'),
  (true, '{"userId":"u1","appId":["x"]}', 'a', null),
  (false, '{"userId":"u1","appId":"b","x":["a"]}', 'a', null);
select is_empty(
  $$ select * from application
       where pg_temp.is_of(pg_temp.bytes(line), 'u1', asked, null, of_file) is distinct from is_users $$,
  'a line belongs to its application, else to that of its file, else to all');

select * from finish();
rollback;
