-- The partition of a month is made apart and then attached, for ATTACH lets loads that are running go
-- on, which CREATE TABLE ... PARTITION OF does not.
--
-- SECURITY DEFINER: the loader role cannot create a table.
--
-- How times are written is the caller's to set: under another style than ISO a zone is told by its
-- abbreviation, which may mean another zone when it is read again ("IST", "CST"). The bounds of a
-- month would then lie hours off, and neither it nor the next one could be loaded.
create or replace function ingest.ensure_partition(p_stream text, p_month date) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
set datestyle = 'ISO, YMD'
-- The owner may not be allowed to use the caller's.
set default_tablespace = ''
as $$
declare
  month_start timestamptz := date_trunc('month', p_month)::timestamp at time zone 'UTC';
  month_end timestamptz := (date_trunc('month', p_month) + interval '1 month')::timestamp at time zone 'UTC';
  parent text;
  partition text;
  unobserved text;
  made regclass;
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
  made := to_regclass(format('game.%I', partition));
  if made is null then
    -- Behind the lock of migrations and grants, which change the same rows of the catalog.
    perform ingest.share_catalog();
    perform pg_advisory_xact_lock(hashtextextended('gamebase-ingest partition ' || partition, 0));
    -- Another session may have made it while this one waited. By a query, for to_regclass remembers that there
    -- was no table of this name.
    select oid into made from pg_catalog.pg_class
      where relnamespace = 'game'::regnamespace and relname = partition;
  end if;
  if made is not null then
    if not exists (select 1 from pg_catalog.pg_inherits
        where inhrelid = made and inhparent = format('game.%I', parent)::regclass and not inhdetachpending)
    then
      raise exception 'the table game.% is there and is no partition of game.%, so no row of that month can be loaded',
          partition, parent
        using errcode = 'object_not_in_prerequisite_state', hint = format(
          'Attach it again: alter table game.%1$I attach partition game.%2$I for values from (%3$L) to (%4$L); or rename it, or drop it.',
          parent, partition, month_start, month_end);
    end if;
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
  -- Nor how a publication tells rows apart: without this an update of a published row fails.
  if (select relreplident from pg_catalog.pg_class where oid = format('game.%I', parent)::regclass) = 'f' then
    execute format('alter table game.%I replica identity full', partition);
  end if;
  execute format('comment on table game.%I is %L', partition,
    format('One row per row of game.%s in %s, UTC. Made by: ingest.ensure_partition.',
      parent, to_char(p_month, 'YYYY-MM')));
  execute format('alter table game.%I attach partition game.%I for values from (%L) to (%L)',
    parent, partition, month_start, month_end);
  return true;
end
$$;
revoke execute on function ingest.ensure_partition from public;
comment on function ingest.ensure_partition is
  'Makes the partition of a stream''s table for the month of a date (UTC); true when it was not there.';
