create or replace function ingest.month_partitions(p_stream text)
returns table (month date, partition regclass)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select to_date(right(c.relname, 7), 'YYYY_MM'), c.oid::regclass
    from ingest.stream s
    join pg_inherits i on i.inhparent = format('game.%I', s.target_table)::regclass
    join pg_class c on c.oid = i.inhrelid
    where s.stream = p_stream and s.partition_column is not null
      -- Only partitions that ingest.ensure_partition has created.
      and c.relname ~ ('^' || s.target_table || '_[0-9]{4}_[0-9]{2}$')
    order by 1
$$;
comment on function ingest.month_partitions is
  'The monthly partitions of a stream''s table.';
