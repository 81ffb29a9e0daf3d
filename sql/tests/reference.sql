-- The vendor's code tables: all rows are there, under their keys, and some of them as read in the documents.
begin;
select plan(10);

create temporary table expected (name, key, row_count) as
  values ('launching_status', 'code', 12::bigint), ('event_category', 'category', 14), ('error_code', 'code,name', 109),
    ('network_status', 'platform,code', 8), ('idp_revoked_code', 'code', 3), ('display_language', 'code', 20),
    ('store', 'store_code', 15), ('identity_provider', 'idp_type', 12);
create function pg_temp.row_count(p_name text) returns bigint language plpgsql as $$
declare
  count bigint;
begin
  execute format('select count(*) from game.%I', p_name) into count;
  return count;
end
$$;

select set_eq($$ select e.name, string_agg(a.attname, ',' order by k.place), pg_temp.row_count(e.name)
       from expected e
       join pg_catalog.pg_index i on i.indrelid = format('game.%I', e.name)::regclass and i.indisprimary
       cross join unnest(i.indkey::smallint[]) with ordinality k (attnum, place)
       join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
       group by e.name $$, 'table expected', 'the keys are those of the data contract, and all rows are there');
select is_empty($$ select conrelid::regclass, conname from pg_catalog.pg_constraint
       where contype = 'f' and confrelid in (select format('game.%I', name)::regclass from expected) $$,
  'no table refers to them, so that an unknown code is stored');
select is_empty($$ select name from expected
       where obj_description(format('game.%I', name)::regclass, 'pg_class') not like '%Source: %document%' $$,
  'every comment names the document');

select results_eq(
  $$ select code, name collate "default", family collate "default" from game.error_code where code in (999, 9999) order by 1, 2 $$,
  $$ values (999::bigint, 'SOCKET_UNKNOWN_ERROR', 'Network(Socket)'), (999, 'UNKNOWN_ERROR', 'Network(Socket)'),
       (9999, 'IAP_UNKNOWN_ERROR', 'IAP'), (9999, 'UNKNOWN_ERROR', 'Common') $$, '999 and 9999 have two meanings');
select is_empty($$ select code from game.error_code where code not in (999, 9999) group by code having count(*) > 1 $$,
  'every other error code has one meaning');
select results_eq($$ select code from game.launching_status where is_playable order by code $$,
  $$ values (200::bigint), (201), (202), (203), (204), (205) $$,
  'a game can be played at the statuses from 200 to 205');
select results_eq(
  $$ select category collate "default" from game.event_category where constant_name is null order by category $$,
  $$ values ('observerIntrospect'), ('observerWebview') $$, 'the two categories of Unity have no iOS constant');
select is_empty($$ select category from game.event_category where lower(constant_name) <> lower('kTCGB' || category) $$,
  'a constant is named as its category');
select results_eq($$ select name collate "default" from game.network_status where code = -1 order by platform $$,
  $$ values ('TYPE_NOT'), ('NotReachable') $$, 'both platforms have a code without a network');
select results_eq($$ select is_gamebase, is_hive, string_agg(code collate "default", ' ' order by code collate "C")
       from game.display_language group by 1, 2 order by 1, 2 $$,
  $$ values (false, true, 'ar tr zh-Hans zh-Hant'), (true, false, 'fi ms zh-CN zh-TW'),
       (true, true, 'de en es fr id it ja ko pt ru th vi') $$,
  'Gamebase and Hive have 16 languages each, 12 of them in common');

select * from finish();
rollback;
