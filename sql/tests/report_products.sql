-- Products: their names, types and ids in the stores; names in the other views.
\ir parts/reports.sql
select plan(16);

insert into new_item (store_code, gamebase_product_id, market_item_id, currency, item_name, observed_at, observed_at_source) values
  ('GG', 'gem', 'm1', 'USD', 'Old gems', '2025-06-01 10:00Z', 'line'),
  ('GG', 'gem', 'm1', 'USD', 'Gems', '2025-07-01 10:00Z', 'line'),
  ('AS', 'gem', 'm2', 'USD', 'Gems (AS)', '2025-07-01 10:00Z', 'line'),        -- the smaller store at the same instant
  ('GG', 'gem', 'm1', 'USD', null, '2025-07-02 10:00Z', 'line'),                -- newer, but without a name
  ('GG', 'gem', 'm3', 'USD', 'Undated gems', '2025-07-03 10:00Z', 'load_start'),
  ('GG', 'gold', 'm4', 'USD', 'Undated gold', '2025-07-03 10:00Z', 'load_start'),
  ('GG', 'long', null, 'USD', repeat('x', 199) || 'yz', '2025-07-01 10:00Z', 'line'),
  ('GG', null, 'm5', 'USD', 'Without an id', '2025-07-01 10:00Z', 'line');
insert into new_receipt (payment_seq, gamebase_product_id, market_item_id, store_code, product_type, amount_minor, is_sandbox,
    purchased_at) values
  ('1', 'gem', 'm1', 'GG', 'CONSUMABLE', 100, null, '2025-07-01 10:00Z'),
  ('2', 'gem', 'm6', 'XX', 'UNKNOWN', 200, null, '2025-07-05 10:00Z'),
  ('3', 'gem', 'm1', 'GG', 'CONSUMABLE', 100, null, '2025-07-05 10:00Z'),       -- the same instant, a larger number
  ('4', 'gem', 'm1', null, null, 100, true, '2025-07-06 10:00Z'),               -- the newest: a test purchase without a type
  ('5', 'sword', null, 'AS', 'CONSUMABLE', 300, null, '2025-07-02 10:00Z'),
  ('6', null, 'm5', 'GG', 'CONSUMABLE', 400, null, '2025-07-02 10:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select gamebase_product_id, replace(left(product_name, 12), ' ', '_') as name, length(product_name) as length, is_named,
         product_type, market_item_id_count as ids, first_sold_on, last_sold_on
       from report.product $$, $$
  gem   Gems_(AS)    9   t -          4 2025-07-01 2025-07-05   # m1, m2, m3, m6
  gold  Undated_gold 12  t -          1 -          -
  long  xxxxxxxxxxxx 200 t -          0 -          -
  sword sword        5   f CONSUMABLE 0 2025-07-02 2025-07-02
  -     unknown      7   f CONSUMABLE 1 2025-07-02 2025-07-02 $$, 'names, types, ids and days of products');
select pg_temp.shows(
  $$ select payment_seq, replace(store_name, ' ', '_') as store, replace(product_name, ' ', '_') as product
       from report.purchase $$, $$
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
select is(
  array(
    select format('%s joined to %s: %s rows, not %s', k.view, k.dimension, n.joined, n.alone)
      from keyed k
      cross join lateral (
        select (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from report.%I', k.view), false, true, '')))[1]::text
            as alone,
          (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from report.%I v left join %s d on %s', k.view,
            k.dimension, k.condition), false, true, '')))[1]::text as joined) n
      where n.alone <> n.joined),
  '{}', 'no dimension multiplies a row of a view');
select pg_temp.shows(
  $$ select d.product_name, sum(r.amount) from report.revenue_by_day r
       join report.product d on d.app_id = r.app_id and d.gamebase_product_id is not distinct from r.gamebase_product_id
       where d.product_name <> 'Gems (AS)'
       group by d.product_name
     union all select 'all', sum(amount) from report.revenue_by_day
     union all select 'joined', sum(r.amount) from report.revenue_by_day r
       join report.product d on d.app_id = r.app_id and d.gamebase_product_id is not distinct from r.gamebase_product_id $$, $$
  sword 3.00
  unknown 4.00
  all 11.00
  joined 11.00 $$, 'money by name adds up to all money');
select is(
  array(select c.relname || '.' || n.name
    from (values ('store_code', 'store_name'), ('gamebase_product_id', 'product_name')) n (key, name)
    join pg_catalog.pg_attribute a on a.attname = n.key
    join pg_catalog.pg_class c on c.oid = a.attrelid and c.relnamespace = 'report'::regnamespace and c.relkind = 'v'
    where not exists (select from pg_catalog.pg_attribute o where o.attrelid = c.oid and o.attname = n.name)),
  '{}', 'each view with a code has the name beside it');

-- Later files add; a changed receipt moves a product.
insert into new_receipt (payment_seq, gamebase_product_id, market_item_id, product_type, purchased_at) values
  ('7', 'gem', 'm7', 'CONSUMABLE', '2025-07-04 10:00Z'), ('8', 'sword', 'm8', 'UNKNOWN', '2025-07-03 10:00Z');
insert into new_item (gamebase_product_id, item_name, observed_at) values ('sword', 'Sword', '2025-06-30 10:00Z'),
  ('axe', 'Wooden axe', '2025-07-02 10:00Z'), ('axe', 'Axe', '2025-07-03 10:00Z');
select pg_temp.load_lines('second');
\ir parts/refresh.sql
create temporary view short as
  select gamebase_product_id, product_name, product_type, market_item_id_count, first_sold_on, last_sold_on
    from report.product where gamebase_product_id in ('gem', 'sword');
select pg_temp.shows('select * from short', $$
  gem   Gems (AS) -       5 2025-07-01 2025-07-05
  sword Sword     UNKNOWN 1 2025-07-02 2025-07-03 $$, 'a later file adds to what is known');
select pg_temp.changes('receipt',
  $$ update %s set gamebase_product_id = 'sword', product_type = 'AUTO_RENEWABLE' where payment_seq = '4' $$) \g /dev/null
select pg_temp.changes('receipt', $$ delete from %s where payment_seq in ('1', '8') $$) \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows('select * from short', $$
  gem   Gems (AS) CONSUMABLE     5 2025-07-04 2025-07-05   # m1 of 3, m2, m3, m6, m7
  sword Sword     AUTO_RENEWABLE 1 2025-07-02 2025-07-02   # m1 of 4 $$, 'changed and deleted receipts count as they are now');
create temporary view content as
  select p::text as line from rollup.product p union all select p::text from rollup.product_market_item p
  union all select n::text from rollup.product_name n;
create temporary table before_full as select line from content;
\ir parts/refresh_full.sql
select set_eq('select line from content', 'select line from before_full', 'a rebuild changes nothing');

-- Retention drops the items of July; their names are kept.
select ingest.drop_month('item', '2025-07-01') \g /dev/null
\ir parts/refresh.sql
create temporary view name as
  select gamebase_product_id, left(product_name, 9) as name from report.product where is_named;
select pg_temp.shows('select * from name', $$
  axe Axe   # its newest name
  gem Gems (AS)
  gold Undated g
  long xxxxxxxxx
  sword Sword $$, 'a dropped item leaves its name');
-- A file from before the drop, and a name after it.
insert into new_item (gamebase_product_id, item_name, observed_at) values ('gem', 'New gems', '2025-08-01 10:00Z');
select pg_temp.load_lines('third');
\ir parts/refresh.sql
select pg_temp.shows($$ select * from name where gamebase_product_id = 'gem' $$, 'gem New gems', 'a newer name replaces a kept one');
select ingest.undo_files('item', array[pg_temp.file('third')]) from ingest.hold_stream('item') \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows($$ select * from name where gamebase_product_id = 'gem' $$, 'gem Gems (AS)', 'an undo brings the kept one back');
-- A file brings a dropped item again, with another name.
insert into new_item (store_code, gamebase_product_id, market_item_id, currency, item_name, observed_at)
  values ('AS', 'gem', 'm2', 'USD', 'Gems 2', '2025-07-01 10:00Z');
select pg_temp.load_lines('fourth');
\ir parts/refresh.sql
select pg_temp.shows($$ select * from name where gamebase_product_id = 'gem' $$, 'gem Gems 2', 'a stored item counts before a dropped one');
\ir parts/refresh_full.sql
select pg_temp.shows($$ select * from name where gamebase_product_id = 'gem' $$, 'gem Gems 2', 'also after a rebuild');
select ingest.undo_files('item', array[pg_temp.file('fourth')]) from ingest.hold_stream('item') \g /dev/null
\ir parts/refresh.sql
select ingest.undo_files('item', array[pg_temp.file('file')])
  from ingest.hold_stream('item') \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows('select * from name', $$
  axe Axe
  sword Sword $$, 'the undo of its file forgets a kept name');

select ingest.erase_user('u', null, sha256('u'), sha256('key'), 1) \g /dev/null
select pg_temp.shows('select gamebase_product_id, first_sold_on from report.product', $$
  axe -
  sword - $$,
  'products of erased users only are gone');

select * from finish();
