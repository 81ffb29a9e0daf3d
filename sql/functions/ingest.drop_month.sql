-- The fills and loaded values of the dropped rows go, too: a later row with the same key is a new row, from which an undo must
-- not remove values that were filled in the old one. Conflicts and ledger entries stay; the conflicts become open again.
create or replace function ingest.drop_month(p_stream text, p_month date) returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  dropped regclass;
  place integer;
  newest bigint;
  registered ingest.stream;
  times constant tstzrange := tstzrange(p_month::timestamp at time zone 'UTC', (p_month + interval '1 month') at time zone 'UTC');
begin
  perform pg_advisory_xact_lock_shared(ingest.lock_key('migrate'));
  select partition into dropped from ingest.month_partitions(p_stream) where month = p_month;
  if dropped is null then
    return false;
  end if;
  select * into strict registered from ingest.stream s where s.stream = p_stream;
  place := array_position(registered.key_columns, registered.partition_column) - 1;
  -- The reports say until when they go, so they must contain all rows of the month.
  select max(f.source_file_id) into newest from ingest.source_file f where f.stream = p_stream;
  if newest > (select s.source_file_id from rollup.refresh_state s where s.stream = p_stream) then
    raise exception 'the reports lack files of stream %', p_stream
      using errcode = 'object_not_in_prerequisite_state', hint = 'Run gamebase-ingest refresh.';
  end if;
  execute rollup.note_statement(p_stream, dropped::text);
  if p_stream in ('level_up', 'game_user') then
    execute format(
      'insert into ingest.kept_observation as k
           (app_id, user_id, stream, source_file_id, first_observed_at, last_observed_at)
         select r.app_id, r.user_id, %1$L, r.source_file_id, min(r.%2$I), max(r.%2$I)
           from %3$s r
           where %4$s
           group by r.app_id, r.user_id, r.source_file_id
         on conflict (app_id, user_id, stream, source_file_id) do update
           set first_observed_at = least(k.first_observed_at, excluded.first_observed_at),
             last_observed_at = greatest(k.last_observed_at, excluded.last_observed_at)',
      p_stream, registered.time_column, dropped,
      case when registered.time_source_column is null then 'true'
        else format('r.%I <> ''load_start''', registered.time_source_column) end);
  end if;
  if p_stream = 'item' then
    execute format(
      'insert into ingest.kept_item_name (app_id, gamebase_product_id, source_file_id, observed_at, is_dated, item_name,
           store_code, market_item_id, item_seq, currency)
         select distinct on (r.app_id, r.gamebase_product_id, r.source_file_id) r.app_id, r.gamebase_product_id,
             r.source_file_id, r.observed_at, r.observed_at_source <> ''load_start'', left(r.item_name, 200), r.store_code,
             r.market_item_id, r.item_seq, r.currency
           from %s r
           where r.item_name is not null and r.gamebase_product_id is not null
           order by r.app_id, r.gamebase_product_id, r.source_file_id, r.observed_at_source = ''load_start'',
             r.observed_at desc, r.store_code, r.market_item_id, r.item_seq, r.currency
         on conflict do nothing', dropped);
  end if;
  insert into rollup.dropped_month (stream, month, source_file_id)
    values (p_stream, p_month, coalesce(newest, 0))
    on conflict (stream, month) do update set source_file_id = excluded.source_file_id;
  delete from ingest.fill f
    where f.stream = p_stream and (f.natural_key ->> place)::timestamptz <@ times;
  delete from ingest.overlaid_row o
    where o.stream = p_stream and (o.natural_key ->> place)::timestamptz <@ times;
  update ingest.conflict c set acceptance_id = null
    where c.acceptance_id is not null and c.stream = p_stream and (c.natural_key ->> place)::timestamptz <@ times;
  -- Without cascade: a view on this partition stops the drop with an error and is kept.
  execute format('drop table %s', dropped);
  return true;
end
$$;
comment on function ingest.drop_month is
  'Drops the partition of a stream''s table for a month, given by its first day, with the fills and loaded values of its rows. Returns false when there is no partition. For the owner.';
