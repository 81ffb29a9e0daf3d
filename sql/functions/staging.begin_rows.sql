-- The first statement of a load that touches the facts.
--
-- In a cluster, a connection to a worker that has only read takes a later COPY without being prepared at COMMIT: if that
-- worker fails then, its rows are lost and the ledger has the file. A deletion that finds nothing marks the connections
-- to all shards as writing. One database user must do all this in a transaction, so a load reaches distributed facts
-- only through functions that run as the owner.
create or replace function staging.begin_rows(
  p_stream text, out is_staged boolean, out largest_key bytea)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  registered ingest.stream;
  order_column text;
  send text;
begin
  select * into strict registered from ingest.stream s where s.stream = p_stream;
  is_staged := ingest.is_distributed(p_stream);
  order_column := coalesce(registered.partition_column, registered.key_columns[1]);
  if is_staged then
    execute format('delete from game.%I where %I < %L', registered.target_table, order_column,
      case when registered.partition_column is null then '' else '-infinity' end);
  end if;
  select t.typsend::regproc into send
    from pg_catalog.pg_attribute a join pg_catalog.pg_type t on t.oid = a.atttypid
    where a.attrelid = format('game.%I', registered.target_table)::regclass and a.attname = order_column;
  execute format('select %s(max(%I)) from game.%I', send, order_column, registered.target_table)
    into largest_key;
end
$$;
comment on function staging.begin_rows is
  'Begins a transaction that adds rows to a stream: tells whether it adds them through staging.insert_rows, and returns the largest stored key of the stream''s order in binary form (NULL for an empty table).';
