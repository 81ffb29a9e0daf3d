-- Events and items: events by day and hour, pushes, items and their prices, products and their names. Each theme has an
-- application of its own; all share the refreshes.
\ir parts/reports.sql
select plan(41);

-- Events by day: codes with names, pushes, the status of the service and revocations. One kick-out of a user can give a
-- received message and a closed popup.
select pg_temp.add('event', 'e', $$
  u1 code=303 observerLaunching@07-01T10:00 observerLaunching@07-01T11:00 code=777 observerLaunching@07-02
  u1 loggedOut@07-01T10:00 code=999 observerHeartbeat@07-01T10:00 code=1 observerNetwork@07-01T10:00
  u1 code=600 idp=appleid idPRevoked@07-01T10:00 idPRevoked@07-01T12:00
  u2 code=303 observerLaunching@07-01T23:59:59.999 code=603 idPRevoked@07-01T12:00
  - code=200 observerLaunching@07-02
  u1 push=p received@07-01T10:00 received@07-01T11:00 button@07-01T14:00 action=REPLY button@07-01T14:00
  u1 push=p action=SNOOZE button@07-01T14:00 push=- action=OPEN_APP button@07-01T14:00
  u2 push=p received@07-01T12:00 clicked@07-01T13:00 clicked@07-01T14:00
  u3 push=p received@07-01T12:00 clicked@07-02T10:00
  - push=p received@07-01T12:00
  u1 serverPushAppKickoutMessageReceived@07-10T10:00 serverPushAppKickout@07-10T10:01 serverPushAppKickout@07-11T10:00
  u1 serverPushTransferKickout@07-10T12:00
  u2 serverPushAppKickout@07-10T09:00
  - serverPushAppKickout@07-10T12:00 serverPushAppKickoutMessageReceived@07-10T11:00 $$) \g /dev/null
select pg_temp.load_lines('events');
select is_empty('select * from report.event_by_day', 'events loaded since the refresh are in no view');

-- Pushes in their first seven days.
create function pg_temp.shows_pushes(p_table text, p_description text) returns text language sql as $$
  select pg_temp.shows('select app_id, push_id, first_received_at, received_user_count, clicked_user_count, click_rate
    from report.push_performance where app_id in (''a'', ''b'')', p_table, p_description)
$$;

select pg_temp.add('event', 'a', $$
  u1 push=p received@07-01T10:00 received@07-02T10:00 clicked@07-03T10:00 clicked@07-04T10:00
  u2 push=p received@07-02T11:00
  u3 push=p clicked@07-03T11:00                    # a click of a user whose receipt is not there
  u4 push=p action=OPEN_APP button@07-03T12:00     # a button is no click, and its user no receiver
  - push=p received@07-01T09:00 clicked@07-03T10:00
  u1 push=s received@07-01T10:00 clicked@07-08T10:00
  u2 push=s clicked@07-08T09:59:59.999             # in the last instant of seven days
  u1 push=c clicked@07-05T10:00                    # clicked only
  u1 push=k action=REPLY button@07-05T10:00        # a button only
  - push=n received@07-06T10:00                    # of unknown users only
  u1 received@07-05T10:00                          # without an id
  $$), pg_temp.add('event', 'b', 'u1 push=p received@07-06T10:00') \g /dev/null
-- A month is dropped later: the first message of e lies in it, of i and j 31 days after its end but for an instant, of
-- o at that end.
select pg_temp.add('event', 'm', $$
  u6 push=e received@07-31T23:00 push=i received@08-31T23:59:59.999 push=j received@08-31T23:59:59.999 push=o received@09-01
  u7 push=e received@08-01 clicked@08-01 $$) \g /dev/null
select pg_temp.load_lines('pushes');

-- Hours of purchases and events.
select pg_temp.add('receipt', 'h', $$
  u1 100@05-01T10:00 250@05-01T10:59:59.999 100@05-01T11:00 0@05-01T12:00 sandbox 900@05-01T11:00
  u2 100@05-01T10:30 currency=JPY 100@05-01T10:30 $$), pg_temp.add('event', 'h', $$
  u1 code=1 observerNetwork@05-01T10:00 observerNetwork@05-01T10:59:59.999
  u2 code=-1 observerNetwork@05-01T10:01 code=- loggedOut@05-02
  - code=1 observerNetwork@05-01T10:01 $$) \g /dev/null
select pg_temp.load_lines('hours');

-- Items.
select pg_temp.add('item', 'i', $$
  gem market=m item_seq=7 type=CONSUMABLE name=gem title=Gem is_active localized_price=$4.99 499@07-03
  gem market=m item_seq=7 type=CONSUMABLE name=gem title=Gem is_active source=option localized_price=4.99$ 499@07-04
  gem market=m item_seq=7 type=CONSUMABLE name=gem title=Gem is_active localized_price=$5.99 599@07-05
  gem market=m item_seq=7 type=CONSUMABLE name=gem title=Gem is_active=f localized_price=$9.99 source=load_start 999@07-30
  gem market=m item_seq=7 type=CONSUMABLE name=gem title=젬 is_active currency=KRW 5900@07-03
  gem market=m item_seq=7 store=AS 699@07-06
  gold store=- currency=- name=gold is_active -@07-01
  - store=- market=old source=load_start 100@07-02
  - market=alone 300@07-02
  # The last snapshot of p has no price; o comes last, but has the smallest id.
  pearl market=p 499@07-04 -@07-04T06:00 market=q 450@07-05 market=o 400@07-06 $$) \g /dev/null
-- Receipts: each is compared with the history of its item.
select pg_temp.add('receipt', 'i', $$
  u product=gem before:1@06-30 equal:399@07-01 instant:499@07-05 store:599@07-07 unpriced:-@07-05T12:00
  u product=gem currency=KRW currency:5000@07-07
  u product=gem sandbox=f late:399@07-04T12:00 sandbox sandbox:1@07-05T12:00
  u product=gem promotion promotion:0@07-05T12:00
  u product=gem store=HUAWEI other_store:599@07-07 newest_store:699@07-07
  u product=ruby no_item:1@07-07 product=gold no_price:1@07-07 product=x market=alone own_id:301@07-07
  u product=- market=alone market:301@07-07 market=old undated:1@07-07
  u product=pearl after_no_price:399@07-04T12:00 two_items:399@07-05T12:00 three_items:399@07-06T12:00 $$) \g /dev/null
select pg_temp.load_lines('items');

-- Products.
select pg_temp.add('item', 'p', $$
  gem market=m1 name=Old_gems @06-01T10:00 name=Gems @07-01T10:00
  gem store=AS market=m2 name=Gems_(AS) @07-01T10:00                # the smaller store at the same instant
  gem market=m1 name=- @07-02T10:00                                 # newer, but without a name
  gem market=m3 name=Undated_gems source=load_start @07-03T10:00
  gold market=m4 name=Undated_gold source=load_start @07-03T10:00
  - market=m5 name=Without_an_id @07-01T10:00 $$),
  pg_temp.add('item', 'p', 'long name=' || repeat('x', 199) || 'yz @07-01T10:00') \g /dev/null
select pg_temp.add('receipt', 'p', $$
  u product=gem market=m1 1:100@07-01T10:00 3:100@07-05T10:00
  u product=gem market=m6 store=XX type=UNKNOWN 2:200@07-05T10:00   # the same instant as 3, a smaller number
  u product=gem market=m1 store=- type=- sandbox 4:100@07-06T10:00  # the newest: a test purchase without a type
  u product=sword store=AS 5:300@07-02T10:00
  u product=- market=m5 6:400@07-02T10:00 $$),
  -- The same product of another application.
  pg_temp.add('receipt', 'q', 'u market=m1 @07-01T10:00') \g /dev/null
select pg_temp.load_lines('products');
select pg_temp.add('item', 'p', $$
  tin name=Tin @07-01T10:00
  ruby name=Rubies @07-01T10:00 $$) \g /dev/null
select pg_temp.load_lines('kept');
\ir parts/refresh.sql

select pg_temp.shows($$ select day, category, event_group, code, replace(code_name, ' ', ''), event_count, user_count
       from report.event_by_day where app_id = 'e' and event_group not in ('push', 'server_push') $$, $$
  2025-07-01 observerLaunching observer    303 INSPECTING_SERVICE 3 2
  2025-07-02 observerLaunching observer    200 IN_SERVICE 1 0   # no known user
  2025-07-02 observerLaunching observer    777 - 1 1            # an unknown code
  2025-07-01 observerHeartbeat observer    999 SOCKET_UNKNOWN_ERROR/UNKNOWN_ERROR 1 1
  2025-07-01 observerNetwork   observer    1   ReachableViaWifi/TYPE_WIFI 1 1
  2025-07-01 loggedOut         logged_out  -   - 1 1
  2025-07-01 idPRevoked        idp_revoked 600 WITHDRAW 2 1
  2025-07-01 idPRevoked        idp_revoked 603 - 1 1 $$, 'events are counted by day, category and code');
select pg_temp.shows(
  $$ select day, push_id, received_count, received_user_count, clicked_count, clicked_user_count, action_count,
       open_app_count, open_url_count, reply_count, dismiss_count, other_action_count
       from report.push_by_day where app_id = 'e' $$, $$
  2025-07-01 p 5 3 2 1 3 0 0 1 0 2
  2025-07-01 - 0 0 0 0 1 1 0 0 0 0
  2025-07-02 p 0 0 1 1 0 0 0 0 0 0   # a click of the day after $$, 'pushes are counted by day');
select pg_temp.shows(
  $$ select day, code, code_name, report_count, user_count from report.service_status_by_day where app_id = 'e' $$, $$
  2025-07-01 303 INSPECTING_SERVICE 3 2
  2025-07-02 200 IN_SERVICE 1 0
  2025-07-02 777 - 1 1 $$, 'the status of the service is counted by day');
select pg_temp.shows($$ select day, idp_type, code, code_name, event_count, user_count from report.idp_revocation_by_day
       where app_id = 'e' $$, $$
  2025-07-01 appleid 600 WITHDRAW 2 1
  2025-07-01 -       603 - 1 1 $$, 'revocations are counted by provider and code');
create temporary view kickout as
  select day, kind, message_count, message_user_count, close_count, close_user_count from report.kickout_by_day
    where app_id = 'e';
select pg_temp.shows('table kickout', $$
  2025-07-10 app      2 1 3 2
  2025-07-10 transfer 1 1 0 0
  2025-07-11 app      0 0 1 1 $$, 'messages and closed popups of kick-outs are counted apart');

select pg_temp.shows_pushes($$
  a p 2025-07-01T09:00 3 2 0.666667   # u1 and u3 of u1, u2, u3
  a s 2025-07-01T10:00 2 1 0.500000   # u1 and u2
  a c -                1 1 1.000000
  a k -                0 0 -
  a n 2025-07-06T10:00 0 0 -
  b p 2025-07-06T10:00 1 0 0.000000 $$, 'users count once in the first seven days of a push');

select pg_temp.shows($$ select * from report.revenue_by_hour where app_id = 'h' $$, $$
  2025-05-01T10:00 h USD 3 2 450 4.5000
  2025-05-01T10:00 h JPY 1 1 100 100.0000
  2025-05-01T11:00 h USD 1 1 100 1.0000 $$, 'an hour begins with its first instant');
select pg_temp.shows($$ select * from report.event_by_hour where app_id = 'h' $$, $$
  2025-05-01T10:00 h observerNetwork observer 1 3 1
  2025-05-01T10:00 h observerNetwork observer -1 1 1
  2025-05-02T00:00 h loggedOut logged_out - 1 1 $$, 'events by hour; NULL is a code');
create temporary view identity as
  select (select sum(paid_count) from report.revenue_by_hour where app_id = 'h') as purchases,
    (select sum(paid_count) from report.revenue_by_day where app_id = 'h') as purchases_of_days,
    (select sum(event_count) from report.event_by_hour where app_id = 'h') as events,
    (select sum(event_count) from report.event_by_day where app_id = 'h') as events_of_days;
select pg_temp.shows('select * from identity', '5 5 5 5', 'hours and days have the same purchases and events');

select pg_temp.shows(
  $$ select gamebase_product_id, replace(left(product_name, 12), ' ', '_') as name, length(product_name) as length, is_named,
         product_type, first_sold_on, last_sold_on
       from report.product where app_id = 'p' and gamebase_product_id is distinct from 'tin'
         and gamebase_product_id is distinct from 'ruby' $$, $$
  gem   Gems_(AS)    9   t -          2025-07-01 2025-07-05
  gold  Undated_gold 12  t -          -          -
  long  xxxxxxxxxxxx 200 t -          -          -
  sword sword        5   f CONSUMABLE 2025-07-02 2025-07-02
  -     unknown      7   f CONSUMABLE 2025-07-02 2025-07-02 $$, 'names, types and days of products');
select pg_temp.shows(
  $$ select payment_seq, replace(store_name, ' ', '_') as store, replace(product_name, ' ', '_') as product
       from report.purchase where app_id = 'p' $$, $$
  1 Google_Play Gems_(AS)
  2 XX          Gems_(AS)
  3 Google_Play Gems_(AS)
  4 unknown     Gems_(AS)
  5 App_Store   sword
  6 Google_Play unknown $$, 'names at purchases: never NULL');

-- Each dimension joins each view with its key, and multiplies nothing.
create temporary table keyed as
  select c.relname as view, d.dimension, d.key, d.condition
    from (values ('report.app', 'app_id', 'd.app_id = v.app_id'),
      ('report.product', 'gamebase_product_id',
        'd.app_id = v.app_id and d.gamebase_product_id is not distinct from v.gamebase_product_id'),
      ('game.store', 'store_code', 'd.store_code = v.store_code')) d (dimension, key, condition)
    join pg_catalog.pg_attribute a on a.attname = d.key
    join pg_catalog.pg_class c on c.oid = a.attrelid and c.relnamespace = 'report'::regnamespace and c.relkind = 'v'
    where d.dimension <> 'report.' || c.relname;
select cmp_ok((select count(*) from keyed), '>=', 55::bigint, 'the query finds the views with the keys of dimensions');
select is(array(
    select format('%s joined to %s: %s rows, not %s', k.view, k.dimension, n.joined, n.alone)
      from keyed k
      cross join lateral (
        select (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from report.%I', k.view), false, true, '')))[1]::text
            as alone,
          (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from report.%I v left join %s d on %s', k.view,
            k.dimension, k.condition), false, true, '')))[1]::text as joined) n
      where n.alone <> n.joined), '{}', 'no dimension multiplies a row of a view');
select pg_temp.shows($$ select d.product_name, sum(r.amount) from report.revenue_by_day r
       join report.product d on d.app_id = r.app_id and d.gamebase_product_id is not distinct from r.gamebase_product_id
       where r.app_id = 'p' and d.product_name <> 'Gems (AS)'
       group by d.product_name
     union all select 'all', sum(amount) from report.revenue_by_day where app_id = 'p'
     union all select 'joined', sum(r.amount) from report.revenue_by_day r
       join report.product d on d.app_id = r.app_id and d.gamebase_product_id is not distinct from r.gamebase_product_id
       where r.app_id = 'p' $$, 'sword 3.00 | unknown 4.00 | all 11.00 | joined 11.00',
  'money by name adds up to all money');
select is(array(select c.relname || '.' || n.name
    from (values ('store_code', 'store_name'), ('gamebase_product_id', 'product_name')) n (key, name)
    join pg_catalog.pg_attribute a on a.attname = n.key
    join pg_catalog.pg_class c on c.oid = a.attrelid and c.relnamespace = 'report'::regnamespace and c.relkind = 'v'
    where not exists (select from pg_catalog.pg_attribute o where o.attrelid = c.oid and o.attname = n.name)),
  '{}', 'each view with a code has the name beside it');

-- Late files. One of a message of a kick-out.
select pg_temp.add('event', 'e', 'u1 serverPushAppKickoutMessageReceived@07-11T09:00') \g /dev/null
select pg_temp.load_lines('late');
-- A user of another day, the first click of u2, earlier messages, and a new push.
select pg_temp.add('event', 'a', $$
  u1 push=p received@06-30T10:00
  u2 push=p clicked@07-02T12:00
  u5 push=p received@06-30T11:00 push=q received@07-02T11:00 push=s received@06-30T10:00 $$) \g /dev/null
select pg_temp.load_lines('late pushes');
-- A file that no refresh has seen is in no hour. Its events are after the horizon, of clients whose clock is fast.
select pg_temp.add('event', 'h', 'u2 loggedOut@05-01T10:00 loggedOut@05-03') \g /dev/null
select pg_temp.load_lines('second');
select pg_temp.shows('select * from identity', '5 5 5 5', 'the views show the state of the last refresh');
update ingest.file_app set first_event_at = '2025-05-01 10:30Z', newest_event_at = '2025-05-01 10:30Z'
  where app_id = 'h';
-- Older rows of items, and of "old" a row of an earlier time, but of a later load.
select pg_temp.add('item', 'i', $$
  gem market=m item_seq=7 name=gem title=Gem is_active type=CONSUMABLE 399@07-01 type=- 399@07-02
  gold store=- currency=- is_active=f name=gold -@07-02 name=Gold -@07-03 title=G -@07-04
  - store=- market=old source=load_start 90@07-01 $$) \g /dev/null
select pg_temp.load_lines('older');
select pg_temp.add('receipt', 'p', 'u market=m7 7:@07-04T10:00 product=sword market=m8 type=UNKNOWN 8:@07-03T10:00'),
  pg_temp.add('item', 'p', $$
  sword name=Sword @06-30T10:00
  axe name=Wooden_axe @07-02T10:00 name=Axe @07-03T10:00 $$) \g /dev/null
select pg_temp.load_lines('second');
\ir parts/refresh.sql

select pg_temp.shows('select * from kickout where day = ''2025-07-11''', '2025-07-11 app 1 1 1 1',
  'a late message is counted on its day');
select pg_temp.shows_pushes($$
  a p 2025-06-30T10:00 4 3 0.750000
  a q 2025-07-02T11:00 1 0 0.000000
  a s 2025-06-30T10:00 2 0 0.000000   # the clicks come after seven days
  a c -                1 1 1.000000
  a k -                0 0 -
  a n 2025-07-06T10:00 0 0 -
  b p 2025-07-06T10:00 1 0 0.000000 $$, 'a late file moves the first seven days');
select pg_temp.shows('select * from identity', '5 5 7 7', 'and that of the next one');

select pg_temp.shows(
  $$ select store_code, gamebase_product_id, market_item_id, item_seq, currency, valid_from, amount_minor, amount,
       product_type, item_name, localized_title, is_active, valid_to
       from report.item_history where app_id = 'i' and gamebase_product_id is distinct from 'pearl' $$, $$
  GG gem m 7 USD 2025-07-01T00:00 399 3.99 CONSUMABLE gem Gem t 2025-07-02T00:00
  GG gem m 7 USD 2025-07-02T00:00 399 3.99 -          gem Gem t 2025-07-03T00:00   # no type is a type
  GG gem m 7 USD 2025-07-03T00:00 499 4.99 CONSUMABLE gem Gem t 2025-07-05T00:00   # only localized_price on 07-04
  GG gem m 7 USD 2025-07-05T00:00 599 5.99 CONSUMABLE gem Gem t -
  GG gem m 7 KRW 2025-07-03T00:00 5900 5900 CONSUMABLE gem 젬 t -
  AS gem m 7 USD 2025-07-06T00:00 699 6.99 - - - - -
  -  gold - - - 2025-07-01T00:00 - - - gold - t 2025-07-02T00:00
  -  gold - - - 2025-07-02T00:00 - - - gold - f 2025-07-03T00:00
  -  gold - - - 2025-07-03T00:00 - - - Gold - f 2025-07-04T00:00
  -  gold - - - 2025-07-04T00:00 - - - Gold G f -
  GG -   alone - USD 2025-07-02T00:00 300 3.00 - - - - - $$,
  'a history has a row for each change of price, type, names or flag, for any order of loads');
select pg_temp.shows(
  $$ select store_code, gamebase_product_id, market_item_id, currency, amount_minor, amount, localized_price, is_active,
       observed_at, observed_at_source, source_file_id, line_number
       from report.current_item where app_id = 'i' and gamebase_product_id is distinct from 'pearl' $$,
  format($$
  GG gem m     USD 599 5.99 $5.99 t 2025-07-05T00:00 line %1$s 3   # not the load_start row
  GG gem m     KRW 5900 5900 -    t 2025-07-03T00:00 line %1$s 5
  AS gem m     USD 699 6.99 -     - 2025-07-06T00:00 line %1$s 6
  -  gold -    -   -   -    -     f 2025-07-04T00:00 line %2$s 5
  -  -   old   USD 90  0.90 -     - 2025-07-01T00:00 load_start %2$s 6   # the newest load
  GG -   alone USD 300 3.00 -     - 2025-07-02T00:00 line %1$s 9 $$, pg_temp.file('items'), pg_temp.file('older')),
  'the current state is the newest one with a time of its own, else that of the newest load');
select pg_temp.shows(
  $$ select payment_seq, store_code, currency, amount_minor, amount, item_amount_minor, item_amount,
       difference_minor, difference, observed_at from report.receipt_price_check where app_id = 'i' $$, $$
  late        GG USD 399  3.99 499  4.99 -100 -1.00 2025-07-03T00:00   # since the price stands
  instant     GG USD 499  4.99 599  5.99 -100 -1.00 2025-07-05T00:00   # at the instant of the change
  promotion   GG USD 0    0.00 599  5.99 -599 -5.99 2025-07-05T00:00
  currency    GG KRW 5000 5000 5900 5900 -900 -900  2025-07-03T00:00
  market      GG USD 301  3.01 300  3.00 1    0.01  2025-07-02T00:00   # by the id in the store
  three_items GG USD 399  3.99 400  4.00 -1   -0.01 2025-07-06T00:00   # the smallest id
  $$, 'a receipt is compared with the item of its store, product and currency, where that has a price');

create temporary view short as
  select gamebase_product_id, product_name, product_type, first_sold_on, last_sold_on
    from report.product where app_id in ('p', 'q') and gamebase_product_id in ('gem', 'sword');
select pg_temp.shows('select * from short', $$
  gem   Gems (AS) -       2025-07-01 2025-07-05
  gem   gem CONSUMABLE    2025-07-01 2025-07-01   # of q
  sword Sword     UNKNOWN 2025-07-02 2025-07-03 $$, 'a later file adds to what is known');

-- A changed receipt, which moves a product, and a late snapshot of another price, which changes the check of the
-- purchases after it.
select pg_temp.changes('receipt',
  $$ update %s set gamebase_product_id = 'sword', product_type = 'AUTO_RENEWABLE' where payment_seq = '4' $$) \g /dev/null
select pg_temp.changes('receipt', $$ delete from %s where payment_seq in ('1', '8') $$) \g /dev/null
select pg_temp.add('item', 'i', 'gem market=m item_seq=7 399@07-04T06:00') \g /dev/null
select pg_temp.load_lines('late snapshot');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select payment_seq from report.receipt_price_check where payment_seq in ('late', 'instant', 'equal') $$,
  'instant', 'a late snapshot ends a difference');
select pg_temp.shows($$ select valid_from, amount_minor, valid_to from report.item_history
       where app_id = 'i' and gamebase_product_id = 'gem' and store_code = 'GG' and currency = 'USD' and valid_from >= '2025-07-03' $$, $$
  2025-07-03T00:00 499 2025-07-04T06:00
  2025-07-04T06:00 399 2025-07-05T00:00
  2025-07-05T00:00 599 - $$, 'and divides the history');
select pg_temp.shows('select * from short', $$
  gem   Gems (AS) CONSUMABLE     2025-07-04 2025-07-05
  gem   gem       CONSUMABLE     2025-07-01 2025-07-01   # of q
  sword Sword     AUTO_RENEWABLE 2025-07-02 2025-07-02 $$, 'changed and deleted receipts count as they are now');

-- The deleted snapshot is later than the corrected receipt.
select pg_temp.changes('receipt', $$ update %s set amount_minor = 599 where payment_seq = 'instant' $$) \g /dev/null
select pg_temp.changes('item', $$ delete from %s where app_id = 'i' and store_code = 'AS' $$) \g /dev/null
\ir parts/refresh.sql
select is_empty($$ select * from report.receipt_price_check where payment_seq = 'instant' $$,
  'a receipt that was corrected to the price of its item has no difference');
select is_empty($$ select * from report.current_item where app_id = 'i' and store_code = 'AS' $$,
  'an item without a snapshot is gone');

-- Erasures.
select ingest.erase_user(user_id, app_id, sha256('u'), sha256('key'))
  from (values ('u1', 'e'), ('u1', 'a'), ('u', 'i')) e (user_id, app_id) \g /dev/null
select pg_temp.shows($$ select day, kind, message_count, close_count from report.kickout_by_day where app_id = 'e'
     union all select day, category, event_count, user_count
       from report.event_by_day where app_id = 'e' and code = 303 $$, $$
  2025-07-10 app 1 2
  2025-07-01 observerLaunching 1 1 $$, 'an erased user is in no count');
select pg_temp.shows_pushes($$
  a p 2025-06-30T11:00 3 2 0.666667   # u2 and u3 of u2, u3, u5
  a q 2025-07-02T11:00 1 0 0.000000
  a s 2025-06-30T10:00 1 0 0.000000
  a n 2025-07-06T10:00 0 0 -
  b p 2025-07-06T10:00 1 0 0.000000 $$, 'an erased user leaves the pushes, and pushes without another event go');
select is_empty($$ select * from report.receipt_price_check where app_id = 'i' $$,
  'an erasure removes the checks of a user');
select is((select count(*) from report.current_item where app_id = 'i'), 8::bigint, 'and leaves the shop as it was');

-- Retention drops items, whose names are kept, and events; and files bring dropped items and events again. The zone
-- moves days, but no hour.
select ingest.drop_month(stream, '2025-07-01') from unnest('{item,event}'::text[]) stream \g /dev/null
select pg_temp.add('event', 'm', 'u6 push=d received@07-20 push=j received@06-20') \g /dev/null
select pg_temp.add('item', 'p', 'gem name=New_gems @08-01T10:00'), pg_temp.load_lines('newer name') \g /dev/null
select pg_temp.add('item', 'p', 'ruby name=Rubies_2 @07-01T10:00'), pg_temp.load_lines('dropped again') \g /dev/null
select pg_temp.set_zone('Asia/Kathmandu');
\ir parts/refresh_full.sql
select pg_temp.shows($$ select push_id, first_received_at, received_user_count, clicked_user_count, click_rate
       from report.push_performance where app_id = 'm' $$, $$
  d 2025-07-20T00:00        1 0 -
  e 2025-08-01T00:00        1 1 -          # u6 is gone
  i 2025-08-31T23:59:59.999 1 0 -
  j 2025-06-20T00:00        1 0 0.000000   # begins before the dropped month
  o 2025-09-01T00:00        1 0 0.000000 $$, 'a push has no rate if its first messages may have been dropped');
select is_empty($$ select app_id from report.current_item where app_id = 'i'
  union all select app_id from report.item_history where app_id = 'i' $$, 'a dropped month leaves no item');
create temporary view name as
  select gamebase_product_id, left(product_name, 9) as name from report.product where app_id = 'p' and is_named;
select pg_temp.shows('select * from name', $$
  axe Axe         # its newest name
  gem New gems    # a newer name replaces a kept one
  gold Undated g
  long xxxxxxxxx
  ruby Rubies 2   # a stored item counts before a dropped one
  sword Sword
  tin Tin $$, 'a dropped item leaves its name');
select pg_temp.shows($$ select hour, paid_count
  from report.revenue_by_hour where app_id = 'h' and currency = 'USD' $$, '2025-05-01T10:00 3 | 2025-05-01T11:00 1',
  'the zone moves no hour');
select pg_temp.shows('select * from identity', '5 5 7 7', 'days of another zone have the same sums');

select ingest.undo_files(array(select source_file_id from ingest.source_file
  where stream = 'item' and path in ('newer name', 'dropped again', 'kept')))
    from ingest.hold_stream('item') \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows('select * from name', $$
  axe Axe
  gem Gems (AS)
  gold Undated g
  long xxxxxxxxx
  sword Sword $$, 'an undo brings a kept name back, and that of its file forgets it');

select ingest.erase_user('u', 'p', sha256('u'), sha256('key')) \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows($$ select gamebase_product_id, first_sold_on from report.product where app_id = 'p' $$, $$
  axe -
  gem -
  gold -
  long -
  sword - $$, 'products of erased users only are gone');

set enable_seqscan = off;
select ok(exists (select from pg_temp.plan_of(
  $$ select * from report.revenue_by_hour where app_id = 'h' and hour >= '2025-05-01Z' and hour < '2025-05-02Z' $$) p
  where p like '%purchase_hour%'), 'a range of hours is found by the index');

select * from finish();
