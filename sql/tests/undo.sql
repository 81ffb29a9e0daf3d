-- ingest.undo_files: the data that is deleted with a file, and the data of other files.
begin;
\ir parts/files.sql
\ir parts/acceptance_functions.sql
select plan(21);
set local timezone = 'Asia/Kolkata';
-- A table of another schema, with a column named like a key column. It must not disturb an undo.
create table public.namesake (payment_seq bigint);

create function pg_temp.receipts() returns text language sql as $$
  select pg_temp.rows('select payment_seq, app_id, amount_minor, price_raw, price_repaired, payload, store_code,
    row_digest is null as changed from game.receipt order by payment_seq')
$$;
create function pg_temp.undo(variadic p_paths text[]) returns text language sql as $$
  select pg_temp.rows(format('select f.path, u.row_count, u.fill_count, u.reject_count, u.conflict_count
    from ingest.undo_files(%L) u join ingest.source_file f using (source_file_id)',
    array(select pg_temp.file(path) from unnest(p_paths) path)))
$$;

select pg_temp.load_rows('receipt', 'a', '- | q | r | t store=s') \g /dev/null
select pg_temp.load_rows('receipt', 'b', $$
  amount=7 price=7 price_repaired=t payload=x | q app=a | n store=s | r store=s | t store=v $$) \g /dev/null
select pg_temp.load_rows('receipt', 'c', 'n payload=y | n store=u | q payload=z | r amount=3 | m store=m1') \g /dev/null
create temporary table loaded as select pg_temp.receipts() as receipts;
-- Records of the same key in another stream, and refused lines.
insert into ingest.acceptance (acceptance_id, streams, is_asked_by_key) values (0, '{level_up}', false);
select pg_temp.load_rows('level_up', 'levels', '-') \g /dev/null
insert into ingest.fill (stream, natural_key, field, source_file_id, line_number)
  values ('level_up', '["n"]', 'channel_id', pg_temp.file('levels'), 1);
insert into ingest.overlaid_row (stream, natural_key, loaded_values)
  values ('level_up', '["n"]', '{"store_code": "v"}'), ('level_up', '["p"]', '{"amount_minor": "v"}'),
    ('receipt', '["other"]', '{"store_code": "v"}');
insert into ingest.conflict
    (stream, natural_key, field, kept, refused, source_file_id, line_number, acceptance_id)
  values ('level_up', '["n"]', 'channel_id', '1', '2', pg_temp.file('levels'), 1, 0),
    ('receipt', '["other"]', 'store_code', '1', '2', pg_temp.file('c'), 9, 0);
insert into ingest.reject (source_file_id, stream, line_number, byte_offset, code, reason, raw, raw_byte_count)
  select pg_temp.file(path), 'receipt', 99, 0, 'malformed_json', 'r', '{', 1
    from unnest('{b,b,c}'::text[]) path;
-- A replay of the older file fills a row of file b; and a digest that a fill has left to a row.
insert into ingest.fill (stream, natural_key, field, source_file_id, line_number)
  values ('receipt', '["n"]', 'product_type', pg_temp.file('a'), 1);
update game.receipt set row_digest = '00000000-0000-0000-0000-000000000001' where payment_seq = 'p';

-- An accepted value replaces a value of file b in row n.
select pg_temp.accept(p_file => 'c') \g /dev/null
select is(pg_temp.undo('b'), '(b,1,4,2,1)', 'an undo returns the counts of the file');
select is(pg_temp.receipts(),
  '(m,"",,,f,,m1,f) (p,"",,,f,,,t) (q,"",,,f,z,,t) (r,"",3,,f,,,t) (t,"",,,f,,s,f)',
  'the rows of the file are deleted, and its filled values are absent');
select is(pg_temp.rows($$ select stream, natural_key ->> 0, field from ingest.fill order by natural_key, field $$),
  '(level_up,n,channel_id) (receipt,q,payload) (receipt,r,amount_minor)',
  'the fills of its rows are deleted, and other fills stay');
select is(pg_temp.rows($$ select stream, natural_key ->> 0 from ingest.overlaid_row order by 1, 2 $$),
  '(level_up,n) (level_up,p) (receipt,other)', 'the loaded values of its rows are deleted');
select is(pg_temp.rows($$ select stream, natural_key ->> 0, field, acceptance_id is null
       from ingest.conflict order by 1, 2 $$),
  '(level_up,n,channel_id,f) (receipt,n,store_code,t) (receipt,other,store_code,f)',
  'conflicts of other files with its rows are open again');
select is(pg_temp.rows($$ select path, undone_at is not null from ingest.source_file order by path $$),
  '(a,f) (b,t) (c,f) (levels,f)', 'only this file is marked as undone');
select is((select count(*) from ingest.reject), 1::bigint, 'refused lines of other files stay');

-- A new load, with a value accepted over a filled one.
select pg_temp.load_rows('receipt', 'd', 'amount=8 price=8 | q app=b | m amount=1 | r app=b') \g /dev/null
select pg_temp.load_rows('receipt', 'e', $$
  amount=9 price=9 | amount=10 price=10 | m payload=k | q app=c | m store=m2 | r amount=4 | m amount=2 $$) \g /dev/null
select pg_temp.accept(p_file => 'e') \g /dev/null
select is(pg_temp.undo('d'), '(d,0,4,0,0)', 'a file with a fill under an accepted value can be undone');
select is(pg_temp.receipts(),
  '(m,"",2,,f,k,m2,t) (p,"",10,10,f,,,t) (q,"",,,f,z,,t) (r,"",4,,f,,,t) (t,"",,,f,,s,f)', 'the accepted value stays');
select is(pg_temp.rows($$ select o.stream, o.natural_key ->> 0, v.key, v.value
       from ingest.overlaid_row o, jsonb_each_text(o.loaded_values) v
       where v.key in ('amount_minor', 'price_raw', 'store_code') order by 1, 2, 3 $$),
  '(level_up,n,store_code,v) (level_up,p,amount_minor,v) (receipt,m,amount_minor,) (receipt,m,price_raw,)'
    || ' (receipt,m,store_code,m1) (receipt,other,store_code,v) (receipt,p,amount_minor,) (receipt,p,price_raw,)'
    || ' (receipt,r,amount_minor,3) (receipt,r,price_raw,)', 'the loaded value under the accepted one becomes absent');
select ingest.undo_acceptance(max(acceptance_id)) from ingest.acceptance \g /dev/null
select is(pg_temp.receipts(),
  '(m,"",,,f,k,m1,t) (p,"",,,f,,,t) (q,"",,,f,z,,t) (r,"",3,,f,,,t) (t,"",,,f,,s,f)',
  'the undo of the acceptance makes the value absent');
select is(pg_temp.undo('c', 'e'), '(c,1,2,1,2) (e,0,1,0,6)', 'several files can be undone at once');
select is(pg_temp.undo('a'), '(a,4,0,0,0)', 'the first file can be undone last');
select is((select count(*) from game.receipt), 0::bigint, 'no row of the stream is left');
select is((select count(*) from game.level_up), 1::bigint, 'rows of other streams stay');
select is((select "row" from ingest.trace_line(pg_temp.file('levels'), null, 1) where became = 'inserted'),
  '["", "u", null, 1, "2031-02-03T04:05:06+00:00"]', 'trace_line returns the key of a line''s row');
select is(pg_temp.rows($$ select became, file = pg_temp.file('levels'), line like '%:1'
       from ingest.trace_row('level_up', '["", "u", null, 1, "2031-02-03T04:05:06+00:00"]') $$),
  '(inserted,t,t)', 'trace_row returns the row of a key');

-- A fill of a deleted row with a time in its key.
select pg_temp.load_rows('level_up', 'row', 'x'), pg_temp.load_rows('level_up', 'fill', 'x class=d') \g /dev/null
select ingest.undo_files(array[pg_temp.file('row')]) \g /dev/null
select is((select count(*) from ingest.fill where source_file_id = pg_temp.file('fill')),
  0::bigint, 'a fill is deleted with its row in any time zone');

-- A partitioned table, with an absent column in its key.
select pg_temp.load_rows('level_up', 'more', 'channel=k | w character=c') \g /dev/null
select pg_temp.load_rows('level_up', 'most', 'w channel=k | w character=c class=d') \g /dev/null
select is(pg_temp.rows($$ select row_count, fill_count
       from ingest.undo_files(array[pg_temp.file('more'), pg_temp.file('most')])
       order by source_file_id $$), '(1,1) (1,1)', 'files of a partitioned table can be undone');
select is(pg_temp.rows($$ select user_id, character_id, channel_id, class_id from game.level_up $$),
  '(u,,,)', 'fills of a row without a character are absent again');

-- The bytes of an undone file under another path.
select pg_temp.load_rows('receipt', 'renamed', 'renamed') \g /dev/null
update ingest.source_file set sha256 = (select sha256 from ingest.source_file where path = 'b') where path = 'renamed';
select is(pg_temp.rows($$ select path from ingest.undone_file where path in ('b', 'd') $$), '(d)',
  'an undone file is open until its bytes are loaded');

select * from finish();
rollback;
