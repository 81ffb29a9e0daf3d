-- ingest.empty_month and ingest.empty_ownerless: extra of rows that belong to no user, before the first erasure.
begin;
\ir parts/files.sql
select plan(6);

select ingest.ensure_partition('item', month)
  from unnest(array['2031-02-01', '2031-03-01', '2031-04-01']::date[]) month \g /dev/null
select pg_temp.load('item', 'items', variadic array(
  select jsonb_build_object('observed_at', at, 'extra', extra::jsonb, 'gamebase_product_id', 'g',
      'observed_at_source', 'line', 'price_repaired', false, 'price_imprecise', false)
    from (values ('2031-02-01 00:00Z', '{"a": 1}'), ('2031-02-28 23:59Z', null), ('2031-04-01 00:00Z', '{"a": 2}'))
      l (at, extra))) \g /dev/null
select pg_temp.load('level_up', 'levels', '{"extra": {"a": 3}}') \g /dev/null
create function pg_temp.kept() returns text language sql as $$
  select pg_temp.rows('select extra from game.item_snapshot where extra is not null
    union all select extra from game.level_up where extra is not null')
$$;
select is_empty($$ select * from ingest.empty_month('level_up', null) $$, 'rows that belong to a user keep extra');
select is(pg_temp.rows($$ select * from ingest.empty_month('item', null) $$),
  '(2031-02-01,"extra of game.item_snapshot",1)', 'the first month is emptied');
select is(pg_temp.rows($$ select * from ingest.empty_month('item', '2031-03-01') $$),
  '(2031-04-01,"extra of game.item_snapshot",1)', 'the month after the given one is emptied');
select is_empty($$ select * from ingest.empty_month('item', '2031-04-01') $$, 'after the last month is none');
update game.item_snapshot set extra = '{"a": 4}' where observed_at = '2031-04-01';
select is(pg_temp.rows($$ select place, trace_count from ingest.erase_user('v', null, sha256('v'), sha256('k'))
    where trace_count > 0 $$), '("extra of game.item_snapshot",1)', 'the erasure empties what came meanwhile');
update game.item_snapshot set extra = '{"a": 5}' where observed_at = '2031-04-01';
select ingest.empty_month('item', null), ingest.empty_ownerless(false) \g /dev/null
select is(pg_temp.kept(), '("{""a"": 5}") ("{""a"": 3}")', 'after the first erasure nothing is emptied');

select * from finish();
rollback;
