-- Old months go as whole partitions: no row is looked at, and their space is free at once.
create or replace function ingest.month_partitions(p_stream text)
returns table (month date, partition regclass, estimated_rows bigint, bytes bigint)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select to_date(right(c.relname, 7), 'YYYY_MM'), c.oid::regclass, greatest(c.reltuples, 0)::bigint,
      pg_total_relation_size(c.oid)
    from ingest.stream s
    join pg_inherits i on i.inhparent = format('game.%I', s.target_table)::regclass
    join pg_class c on c.oid = i.inhrelid
    where s.stream = p_stream and s.partition_column is not null
      -- Only what ingest.ensure_partition has made.
      and c.relname ~ ('^' || s.target_table || '_[0-9]{4}_[0-9]{2}$')
    order by 1
$$;
revoke execute on function ingest.month_partitions from public;
comment on function ingest.month_partitions is
  'The months that a stream''s table has a partition for, with their size; the number of rows is the planner''s.';
