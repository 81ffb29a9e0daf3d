-- Included by tests after files.sql: files with conflicts, and functions that accept them and print the results.
\ir acceptance_functions.sql
create function pg_temp.newest() returns bigint language sql stable as $$
  select max(acceptance_id) from ingest.acceptance where undone_at is null
$$;
create function pg_temp.undo() returns text language sql as $$
  select concat_ws(' ', line_count, value_count) from ingest.undo_acceptance(pg_temp.newest())
$$;
create function pg_temp.receipts() returns text language sql as $$
  select pg_temp.rows('select payment_seq, user_id, currency, amount_minor, price_raw, payload, app_id,
    row_digest is null as changed from game.receipt order by payment_seq')
$$;
-- The accepted values of one payment or of all.
create function pg_temp.values(p_payment_seq text default null) returns text language sql as $$
  select pg_temp.rows(format('select natural_key ->> 0, field, before, after, line_number
    from ingest.accepted_changes(array(select conflict_id from ingest.conflict))
    where %1$L is null or natural_key ->> 0 = %1$L', p_payment_seq))
$$;

select pg_temp.load_rows('receipt', 'a', $$
  amount=5 price=5 | q | r amount=1 | s store=s1 amount=3 | z token=t digest=01 $$) \g /dev/null
select pg_temp.load_rows('receipt', 'in/b', $$
  amount=6 price=6.0 payload=x | amount=7 user=v | q currency=USD | currency=USD
  r amount=2 currency=USD at=2031-02-03T04:05:07+00 $$) \g /dev/null
select pg_temp.load_rows('receipt', 'in/bb', $$
  amount=8 at=2031-02-03T04:05:08+00 | r amount=1 currency=EUR $$) \g /dev/null
insert into ingest.load (loader_version) values ('test');
select pg_temp.load_rows('receipt', 'c', 'amount=9 | amount=10 | s store=s2') \g /dev/null
select pg_temp.load_rows('level_up', 'levels', 'channel=k | channel=l') \g /dev/null
-- Fills and loaded values of other keys.
insert into ingest.fill (stream, natural_key, field, source_file_id, line_number)
  select f.stream, f.key::jsonb, f.field, pg_temp.file('a'), 1
    from (values
      ('level_up', '["p"]', 'user_id'),
      ('receipt', '["other"]', 'user_id'),
      ('receipt', '["p"]', 'market_item_id')) f (stream, key, field);
insert into ingest.overlaid_row (stream, natural_key, loaded_values)
  select stream, natural_key, jsonb_build_object(field, 'u') from ingest.fill where natural_key <> '["p"]' or stream <> 'receipt';
