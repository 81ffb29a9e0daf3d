-- How times are written is the caller's to set: under another style than ISO a zone is told by its
-- abbreviation, which may mean another zone when it is read again ("IST", "CST"). The bounds of a
-- month would then lie hours off, and neither it nor the next one could be loaded.
create or replace function ingest.ensure_partition(p_stream text, p_month date) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
set datestyle = 'ISO, YMD'
as $$
declare
  month_start timestamptz := date_trunc('month', p_month)::timestamp at time zone 'UTC';
  month_end timestamptz := (date_trunc('month', p_month) + interval '1 month')::timestamp at time zone 'UTC';
  parent text;
  partition text;
  unobserved text;
begin
  select target_table, target_table || to_char(p_month, '_YYYY_MM')
    into parent, partition
    from ingest.stream
    where stream = p_stream and partition_column is not null;
  if parent is null then
    raise exception 'stream % is not partitioned', p_stream using errcode = 'undefined_object';
  end if;
  -- A year before the first would take the name of one after it, and one of five digits a name that
  -- ingest.month_partitions does not know.
  if p_month between date '0001-01-01' and date '9999-12-31' is not true then
    raise exception 'no month has a table before the year 1, or after 9999'
      using errcode = 'datetime_field_overflow';
  end if;
  if to_regclass(format('game.%I', partition)) is not null then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('gamebase-ingest partition ' || partition, 0));
  if to_regclass(format('game.%I', partition)) is not null then
    return false;
  end if;
  execute format('create table game.%I (like game.%I including all)', partition, parent);
  -- "including all" leaves out which columns ANALYZE is to pass over.
  for unobserved in
    select attname from pg_catalog.pg_attribute
      where attrelid = format('game.%I', parent)::regclass and attnum > 0 and not attisdropped
        and attstattarget = 0
  loop
    execute format('alter table game.%I alter column %I set statistics 0', partition, unobserved);
  end loop;
  execute format('comment on table game.%I is %L', partition,
    format('One row per row of game.%s in %s, UTC. Made by: ingest.ensure_partition.',
      parent, to_char(p_month, 'YYYY-MM')));
  execute format('alter table game.%I attach partition game.%I for values from (%L) to (%L)',
    parent, partition, month_start, month_end);
  return true;
end
$$;

-- Where nobody was erased there is nothing to suppress, and a loader empties nothing.
create or replace function ingest.suppress_rejects(p_rejects bigint[]) returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $$
  update ingest.reject set raw = '', resolved_at = clock_timestamp()
    where reject_id = any (p_rejects) and resolved_at is null
      and exists (select from ingest.erased_user)
$$;
