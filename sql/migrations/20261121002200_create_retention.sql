-- Old months go as whole partitions: no row is looked at, and their space is free at once.
create function ingest.month_partitions(p_stream text)
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
comment on function ingest.month_partitions(text) is
  'The months that a stream''s table has a partition for, with their size; the number of rows is the planner''s.';

create function ingest.drop_month(p_stream text, p_month date) returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  dropped regclass;
begin
  select partition into dropped from ingest.month_partitions(p_stream) where month = p_month;
  if dropped is null then
    return false;
  end if;
  -- Without cascade: whoever has built a view on this month alone is told, and keeps it.
  execute format('drop table %s', dropped);
  return true;
end
$$;
revoke execute on function ingest.drop_month(text, date) from public;
comment on function ingest.drop_month(text, date) is
  'Drops the partition of a stream''s table for a month (its first day); false when there is none. For the owner.';
