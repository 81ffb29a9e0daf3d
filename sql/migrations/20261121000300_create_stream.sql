create table ingest.stream (
  stream text collate "C" primary key,
  target_table text collate "C" not null,
  key_columns text[] not null,
  compared_columns text[] not null,
  followers jsonb not null default '{}',
  empty_is_absent_columns text[] not null default '{}',
  partition_column text
);
comment on table ingest.stream is
  'One row per stream: how its rows are told apart and compared. Written by the migration that creates the stream.';
comment on column ingest.stream.stream is 'Kind of record; staging.<stream> is its staging table.';
comment on column ingest.stream.target_table is 'Its table in schema game.';
comment on column ingest.stream.key_columns is 'The natural key, in the order in which a natural_key array lists it.';
comment on column ingest.stream.compared_columns is 'Columns that tell a duplicate from a conflict, and that a later line may fill where they are NULL.';
comment on column ingest.stream.followers is 'JSON object: for a compared column, the columns that come from the line that fills it.';
comment on column ingest.stream.empty_is_absent_columns is 'Compared columns in which the empty text stands for "absent".';
comment on column ingest.stream.partition_column is 'The column whose month (UTC) partitions the table; NULL: not partitioned.';

-- Months are made when they are needed, by a function that runs as its owner: the loader itself
-- has no right to create anything. The table is made apart and then attached, for ATTACH lets
-- loads that are running go on, which CREATE TABLE ... PARTITION OF does not.
create function ingest.ensure_partition(p_stream text, p_month date) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  month_start timestamptz := date_trunc('month', p_month)::timestamp at time zone 'UTC';
  month_end timestamptz := (date_trunc('month', p_month) + interval '1 month')::timestamp at time zone 'UTC';
  parent text;
  partition text;
begin
  select target_table, target_table || to_char(p_month, '_YYYY_MM')
    into parent, partition
    from ingest.stream
    where stream = p_stream and partition_column is not null;
  if parent is null then
    raise exception 'stream % is not partitioned', p_stream using errcode = 'undefined_object';
  end if;
  if to_regclass(format('game.%I', partition)) is not null then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('gamebase-ingest partition ' || partition, 0));
  if to_regclass(format('game.%I', partition)) is not null then
    return false;
  end if;
  execute format('create table game.%I (like game.%I including all)', partition, parent);
  execute format('comment on table game.%I is %L', partition,
    format('One row per row of game.%s in %s, UTC. Made by: ingest.ensure_partition.',
      parent, to_char(p_month, 'YYYY-MM')));
  execute format('alter table game.%I attach partition game.%I for values from (%L) to (%L)',
    parent, partition, month_start, month_end);
  return true;
end
$$;
revoke execute on function ingest.ensure_partition(text, date) from public;
comment on function ingest.ensure_partition(text, date) is
  'Makes the partition of a stream''s table for the month of a date (UTC); true when it was not there.';
