-- The reports show exactly the files and changes that a refresh has seen. After any change of the facts, a refresh of
-- the touched keys gives the same rows as a full one.
\ir parts/reports.sql
select no_plan();

-- The rows of all views at one moment.
create temporary table seen (moment text, view name, line text);
create function pg_temp.look(p_moment text) returns void language plpgsql as $$
declare
  one name;
begin
  delete from seen where moment = p_moment;
  -- Without the time of the refresh, and without files that no refresh has seen.
  for one in select viewname from pg_catalog.pg_views where schemaname = 'report'
    and viewname <> 'setting'
  loop
    -- Hours up to now are others in each transaction.
    execute format('insert into seen select $1, $2, %s from report.%I q', case when one in ('freshness', 'health')
      then '(to_jsonb(q) - ''{hours_behind_now, hours_since_load, hours_without_news, reason}''::text[])::text'
      else 'q::text' end, one)
      using p_moment, one;
  end loop;
end
$$;
-- The views whose rows differ between two moments.
create function pg_temp.changed(p_before text, p_after text) returns table (view name, difference text)
language sql as $$
  with before as (
    select view, line from seen where moment = p_before
  ), after as (
    select view, line from seen where moment = p_after
  )
  (select view, '- ' || line from before except all select view, '- ' || line from after)
  union all
  (select view, '+ ' || line from after except all select view, '+ ' || line from before)
$$;
-- Expects the same rows after the two refreshes of refresh_twice.sql.
create function pg_temp.refreshes(p_description text) returns text language sql as $$
  select is(
    coalesce((select string_agg(view || ' ' || difference, E'\n') from (
      select * from pg_temp.changed('touched', 'full') limit 20) d), ''),
    '', p_description)
$$;

-- Lines of a part of the numbers, from January 20 to the end of February: two applications, 17 users, purchases of all kinds, subscriptions,
-- level-ups and snapshots.
create function pg_temp.write_lines(p_part integer, p_parts integer) returns void language sql as $$
  insert into new_receipt (payment_seq, app_id, user_id, gamebase_product_id, store_code, currency, amount_minor,
      is_sandbox, is_promotion, price_imprecise, purchased_at)
    select 'p' || n, (array['a', 'b'])[1 + n % 2], 'u' || n * 7 % 17, (array['gem', 'pack', null])[1 + n % 3],
        (array['GG', 'AS', 'GG', null])[1 + n % 4], (array['USD', 'USD', 'JPY', 'KWD', 'USD'])[1 + n % 5],
        case when n % 11 = 0 then null when n % 13 = 0 then 0 else 100 + n * 37 % 977 end,
        case n % 8 when 0 then true when 1 then false end, case n % 10 when 0 then true when 1 then false end,
        n % 7 = 0 and n % 11 <> 0, timestamptz '2025-01-20 00:00Z' + n * interval '9 hours 13 minutes'
      from generate_series(1, 100) n where n % p_parts = p_part;
  insert into new_receipt (payment_seq, app_id, user_id, gamebase_product_id, store_code, product_type, amount_minor,
      payment_id, original_payment_id, purchased_at, expires_at)
    select 's' || n, (array['a', 'b'])[1 + n % 2], 'u' || n % 6, case when n % 7 = 0 then 'platinum' else 'gold' end,
        case n % 3 when 0 then 'AS' else 'GG' end, 'AUTO_RENEWABLE', case when n < 7 then 0 else 500 end,
        case n % 4 when 0 then 'apple' || n when 1 then 'GPA.' || n % 6 || '..' || n end,
        case n % 4 when 0 then 'apple' || n % 6 end,
        timestamptz '2025-01-20 05:00Z' + (n / 6) * interval '5 days' + n * interval '5 hours',
        timestamptz '2025-01-25 06:00Z' + (n / 6) * interval '5 days' + n * interval '5 hours'
      from generate_series(1, 40) n where n % p_parts = p_part;
  insert into new_level_up (app_id, user_id, user_level, channel_id, character_id, leveled_up_at)
    select (array['a', 'b'])[1 + n % 2], 'u' || n * 5 % 19, 1 + n / 8, (array['x', 'y', null])[1 + n % 3],
        case n % 4 when 0 then 'c' || n % 3 end, timestamptz '2025-01-20 00:00Z' + n * interval '11 hours'
      from generate_series(1, 80) n where n % p_parts = p_part;
  insert into new_game_user (app_id, user_id, user_level, channel_id, character_id, class_id, observed_at,
      observed_at_source)
    select (array['a', 'b'])[1 + n % 2], 'u' || n * 3 % 21, 1 + n / 9, (array['x', 'y', null])[1 + n % 3],
        case n % 4 when 0 then 'c' || n % 3 end, (array['k', 'l', null])[1 + n % 3],
        timestamptz '2025-01-20 00:00Z' + n * interval '11 hours', case n % 8 when 0 then 'load_start' else 'line' end
      from generate_series(1, 80) n where n % p_parts = p_part;
  insert into new_event (event_id, app_id, user_id, category, event_group, code, push_id, push_action_type, idp_type,
      occurred_at)
    select 'e' || n, (array['a', 'b'])[1 + n % 2], case when n % 7 > 0 then 'u' || n % 11 end, c.category, c.event_group,
        c.code, case when c.event_group = 'push' and n % 5 > 0 then 'p' || n % 4 end,
        case when c.category = 'pushClickAction' then (array['REPLY', 'OPEN_APP', null])[1 + n % 3] end,
        case when c.code = 600 then 'appleid' end, timestamptz '2025-01-20 00:00Z' + n * interval '3 hours 7 minutes'
      from generate_series(1, 270) n
      join (values (0, 'observerLaunching', 'observer', 303), (1, 'observerLaunching', 'observer', 200),
        (2, 'pushReceivedMessage', 'push', null), (3, 'pushClickMessage', 'push', null),
        (4, 'pushClickAction', 'push', null), (5, 'idPRevoked', 'idp_revoked', 600),
        (6, 'serverPushAppKickoutMessageReceived', 'server_push', null),
        (7, 'serverPushAppKickout', 'server_push', null), (8, 'serverPushTransferKickout', 'server_push', null)
      ) c (place, category, event_group, code) on c.place = n / 3 % 9
      where n % p_parts = p_part;
  insert into new_item (app_id, store_code, gamebase_product_id, market_item_id, item_seq, currency, amount_minor,
      product_type, item_name, is_active, observed_at, observed_at_source)
    select (array['a', 'b'])[1 + n % 2], (array['GG', 'AS', null])[1 + n % 3], (array['gem', 'pack', null])[1 + n / 3 % 3],
        'm', case when n % 5 = 0 then n % 2 end, (array['USD', 'JPY', 'USD', null])[1 + n % 4],
        case when n % 4 < 3 and n % 11 > 0 then 100 + n / 9 * 10 end, (array['CONSUMABLE', null])[1 + n / 20 % 2],
        'name ' || n / 30, n % 13 > 0, timestamptz '2025-01-20 00:00Z' + n * interval '7 hours',
        case n % 9 when 0 then 'load_start' else 'line' end
      from generate_series(1, 120) n where n % p_parts = p_part;
$$;
insert into game.exchange_rate (base_currency, currency, valid_on, rate)
  select 'USD', currency, day, 0.01 + (day - date '2025-01-01')
    from unnest(array['JPY', 'KWD']) currency, unnest(array['2025-01-20', '2025-02-10', '2025-02-20']::date[]) day;
insert into ingest.setting (name, value) values ('base-currency', 'USD')
  on conflict (name) do update set value = excluded.value;

select pg_temp.write_lines(1, 3);
select pg_temp.load_lines('first');
\ir parts/refresh_twice.sql
select pg_temp.refreshes('the first refresh is a full one');
select is_empty(
  $$ select viewname from pg_catalog.pg_views v where schemaname = 'report'
       and viewname not in ('reject_by_day', 'reject_summary', 'unknown_field_summary', 'setting',
         'set_aside_player', 'open_failure')
       and not exists (select from seen s where s.moment = 'full' and s.view = v.viewname) $$,
  'every view has rows');

-- Rows loaded since are in no view but the live ones.
select pg_temp.write_lines(2, 3);
select pg_temp.load_lines('second');
select pg_temp.look('loaded');
select is(
  array(select distinct view::text from pg_temp.changed('full', 'loaded') where view <> 'load_history' order by 1),
  '{event,freshness,game_user_snapshot,health,horizon,level_up,quality_by_day}'::text[], 'a load without a refresh changes the live views alone');
-- Nor are values that a load filled in, but in the columns that show the receipt itself.
insert into new_receipt (payment_seq, app_id, user_id, gamebase_product_id, store_code, currency, amount_minor,
    market_item_id, item_seq, purchased_at)
  select payment_seq, app_id, user_id, gamebase_product_id, store_code, currency, amount_minor, 'filled', 7, purchased_at
    from game.receipt where payment_seq like 'p%';
select pg_temp.load_lines('items');
select pg_temp.look('filled');
select is(
  array(select distinct view::text from pg_temp.changed('loaded', 'filled')
    where view not in ('load_history', 'quality_by_day') order by 1),
  '{freshness,health,purchase}'::text[], 'a load that fills in values changes the live views and one other');
select is_empty(
  $$ select view, line from seen where moment = 'loaded' and view in ('purchase', 'receipt_price_check')
     except all
     select view, regexp_replace(line, ',filled,(7,)?', case view when 'purchase' then ',,,' else ',,' end)
       from seen where moment = 'filled' $$,
  'and there only the item of the receipt');
create temporary table earlier as select 'first' as moment, view, line from seen where moment = 'full';
\ir parts/refresh_twice.sql
select pg_temp.refreshes('a second load');
insert into seen select * from earlier;
select is_empty(
  $$ select distinct view from earlier except select view from pg_temp.changed('first', 'full') $$,
  'the refresh brings the load into every view');
select pg_temp.look('before');
\ir parts/refresh.sql
select pg_temp.look('after');
select is_empty($$ select * from pg_temp.changed('before', 'after') $$, 'a refresh without a load changes nothing');

-- The third part of the lines lies between the others, so it moves first purchases, observations and chains.
select pg_temp.write_lines(0, 3);
select pg_temp.load_lines('third');
\ir parts/refresh_twice.sql
select pg_temp.refreshes('a late file');
create temporary table later as select 'third' as moment, view, line from seen where moment = 'full';

-- Two loads and an undo between two refreshes.
insert into new_receipt (payment_seq, user_id, purchased_at)
  values ('x1', 'u1', '2025-01-10 10:00Z'), ('x2', 'x', '2025-02-01 10:00Z');
insert into new_level_up (user_id, user_level, leveled_up_at)
  values ('u1', 70, '2025-02-01 10:00Z'), ('x', 3, '2025-03-10 00:00Z');
insert into new_game_user (user_id, user_level, observed_at)
  values ('u1', 70, '2025-03-11 10:00Z'), ('y', 3, '2025-03-10 00:00Z');
insert into new_item (amount_minor, observed_at) values (1, '2025-01-10 00:00Z'), (2, '2025-03-10 00:00Z');
select pg_temp.load_lines('fourth');
\ir parts/refresh_twice.sql
select pg_temp.refreshes('a load that moves every horizon and begins earlier');
insert into new_receipt (app_id, payment_seq, user_id, purchased_at) values ('c', 'x3', 'x', '2025-02-01 10:00Z');
select pg_temp.load_lines('fifth');
select ingest.undo_files(f.stream, array[f.source_file_id]) from ingest.source_file f
  where f.path in ('fourth', 'fifth') order by f.source_file_id desc \g /dev/null
\ir parts/refresh_twice.sql
select pg_temp.refreshes('an undo of a refreshed file and of one that no refresh saw');
insert into seen select * from later;
select is_empty(
  $$ select * from pg_temp.changed('third', 'full')
       where view not in ('load_history', 'freshness', 'health', 'open_failure') $$,
  'the undo brings back every row as it was');

-- Fills and accepted conflicts change stored rows.
insert into new_receipt (payment_seq, app_id, user_id, gamebase_product_id, store_code, currency, amount_minor,
    is_sandbox, is_promotion, product_type, purchased_at)
  select payment_seq, app_id, user_id, coalesce(gamebase_product_id, 'filled'), coalesce(store_code, 'filled'), currency,
      coalesce(amount_minor, 777), coalesce(is_sandbox, payment_seq like '%1'), coalesce(is_promotion, false),
      product_type, purchased_at
    from game.receipt where payment_seq like 'p%';
select pg_temp.load_lines('fill');
select cmp_ok((select filled_count from ingest.source_file where path = 'fill'), '>', 30::bigint, 'values are filled in');
\ir parts/refresh_twice.sql
select pg_temp.refreshes('fills of price, product, store and flags');
insert into new_receipt (payment_seq, app_id, user_id, gamebase_product_id, currency, amount_minor, store_code,
    product_type, purchased_at)
  select payment_seq, app_id, user_id, 'other', 'EUR', 4321, store_code, product_type, purchased_at - interval '8 days'
    from game.receipt where payment_seq like 'p%5';
insert into new_level_up (app_id, user_id, user_level, channel_id, character_id, class_id, leveled_up_at)
  select app_id, user_id, user_level, 'z', character_id, 'z', leveled_up_at
    from game.level_up where channel_id is not null and user_level % 2 = 0;
insert into new_game_user (app_id, user_id, user_level, channel_id, character_id, class_id, observed_at)
  select app_id, user_id, user_level + 20, channel_id, character_id, 'z', observed_at
    from game.game_user_snapshot where user_level % 2 = 0 and observed_at_source = 'line';
insert into new_item (app_id, store_code, gamebase_product_id, market_item_id, item_seq, currency, amount_minor,
    is_active, observed_at, observed_at_source)
  select app_id, store_code, gamebase_product_id, market_item_id, item_seq, currency, amount_minor + 5, is_active,
      observed_at, observed_at_source
    from game.item_snapshot where currency = 'USD' and amount_minor % 20 = 0;
select pg_temp.load_lines('conflict');
select cmp_ok(
  (select value_count from ingest.accept_conflicts('{receipt,level_up,game_user,item}', 'conflict', null, null, null, null)),
  '>', 30::bigint, 'the conflicts are accepted');
\ir parts/refresh_twice.sql
select pg_temp.refreshes('accepted conflicts move purchases to other days and currencies, and change levels');
select ingest.undo_acceptance(max(acceptance_id)) from ingest.acceptance \g /dev/null
\ir parts/refresh_twice.sql
select pg_temp.refreshes('the undo of an acceptance');
select ingest.undo_files(f.stream, array[f.source_file_id]) from ingest.source_file f
  where f.path in ('conflict', 'fill') order by f.source_file_id desc \g /dev/null
\ir parts/refresh_twice.sql
select pg_temp.refreshes('the undo of fills');
select is_empty(
  $$ select * from pg_temp.changed('third', 'full')
       where view not in ('load_history', 'freshness', 'health', 'quality_by_day', 'open_failure') $$,
  'the undo of fills brings back every row as it was');

select pg_temp.changes(c.stream, c.change) from (values
  ('receipt', $$update %s set user_id = 'u3', app_id = 'b' where payment_seq in ('p5', 'p50', 's7', 's13')$$),
  ('receipt', $$update %s set purchased_at = purchased_at - interval '5 days',
    expires_at = expires_at + interval '3 days' where payment_seq like 's%%4'$$),
  ('receipt', $$update %s set is_sandbox = not coalesce(is_sandbox, false) where payment_seq like '%%7'$$),
  ('level_up', $$update %s set user_level = user_level + 3, user_id = 'u2' where user_id = 'u4' and app_id = 'a'$$),
  ('game_user', $$update %s set observed_at_source = case observed_at_source
    when 'load_start' then 'line' else 'load_start' end where user_id in ('u3', 'u6', 'u9')$$),
  ('item', $$update %s set observed_at_source = case observed_at_source
    when 'load_start' then 'line' else 'load_start' end where amount_minor > 150 and store_code = 'GG'$$)
) c (stream, change) \g /dev/null
\ir parts/refresh_twice.sql
select pg_temp.refreshes('receipts and levels that change their user, times that change their source');
select pg_temp.changes(c.stream, 'delete from %s where ' || c.condition) from (values
  ('receipt', $$payment_seq like '%%9'$$),
  ('level_up', 'user_level = 5'),
  ('game_user', $$user_id = 'u12' or observed_at < '2025-01-25 00:00Z'$$),
  ('event', $$user_id = 'u5' or code = 200$$),
  ('item', 'item_seq = 0 or amount_minor = 130')
) c (stream, condition) \g /dev/null
\ir parts/refresh_twice.sql
select pg_temp.refreshes('deleted rows');

-- An erased user is in no view, not even before the next refresh by a load.
select ingest.erase_user('u3', null, sha256('u3'), sha256('key'), null) \g /dev/null
\ir parts/refresh_twice.sql
select pg_temp.refreshes('an erased user');
select is_empty(
  $$ select view, line from seen where moment = 'full' and line ~ '\mu3\M' $$, 'no view shows the erased user');
select ingest.erase_user('u5', 'a', sha256('u5'), sha256('key'), null) \g /dev/null
insert into new_receipt (payment_seq, app_id, user_id, purchased_at)
  values ('y1', 'a', 'u14', '2025-01-28 10:00Z'), ('y2', 'd', 'u14', '2025-01-28 10:00Z');
select pg_temp.load_lines('together');
\ir parts/refresh_twice.sql
select pg_temp.refreshes('an erased user and a load at once');

-- A dropped month, and rows loaded into it later.
select ingest.drop_month('level_up', '2025-01-01') \g /dev/null
select ingest.drop_month('game_user', '2025-01-01') \g /dev/null
select ingest.drop_month('item', '2025-01-01') \g /dev/null
select ingest.drop_month('event', '2025-01-01') \g /dev/null
\ir parts/refresh_twice.sql
select pg_temp.refreshes('a dropped month');
insert into new_level_up (user_id, user_level, leveled_up_at) values ('u1', 2, '2025-01-28 00:00Z');
select pg_temp.load_lines('month');

-- Another zone.
select pg_temp.set_zone('Asia/Seoul');
\ir parts/refresh_full.sql
\ir parts/refresh_twice.sql
select pg_temp.refreshes('another zone');
insert into new_receipt (payment_seq, user_id, purchased_at)
  select 'z' || n, 'u' || n, timestamptz '2025-01-31 14:00Z' + n * interval '20 minutes' from generate_series(1, 8) n;
select pg_temp.load_lines('zone');
\ir parts/refresh_twice.sql
select pg_temp.refreshes('a load under another zone');

-- Nothing is left when every file is undone.
select ingest.undo_files(f.stream, array[f.source_file_id]) from ingest.source_file f
  where f.undone_at is null order by f.source_file_id desc \g /dev/null
\ir parts/refresh_twice.sql
select pg_temp.refreshes('the undo of all files');
select is((select count(*) from game.receipt) + (select count(*) from game.level_up)
    + (select count(*) from game.game_user_snapshot) + (select count(*) from game.item_snapshot)
    + (select count(*) from game.event), 0::bigint, 'no fact is left');
select is_empty(
  $$ select view, line from seen where moment = 'full'
       and view in ('purchase', 'revenue_by_day', 'payers_by_period', 'arppu_by_period', 'subscription_period',
         'subscription_by_day', 'mrr_by_day', 'level_funnel', 'character_history', 'current_game_user', 'calendar_gap',
         'revenue_by_level', 'payer_concentration', 'product_by_day', 'current_item', 'item_history',
         'receipt_price_check', 'event_by_day', 'push_by_day', 'kickout_by_day') $$,
  'and no row of a report of them');

select * from finish();
