-- A statement that changes facts and records the change joins them with tables of the ledger, reads whole rows and prints
-- their values; a distributed table takes no such statement. So the rows with the given keys are copied into a temporary
-- table, the statement changes them there, and staging.give_back writes the changed and the new ones back. On one server
-- the statement works on the table of the stream itself.
--
-- p_keys is a query of distinct keys, with the columns of the key.
create or replace function staging.borrow(p_stream text, p_keys text) returns regclass
language plpgsql
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
declare
  registered ingest.stream;
  target regclass;
  borrowed regclass;
  months text := '';    -- the condition that leaves out months without such a key
begin
  select * into strict registered from ingest.stream s where s.stream = p_stream;
  target := format('game.%I', registered.target_table)::regclass;
  if not ingest.is_distributed(p_stream) then
    return target;
  end if;
  if to_regclass(format('pg_temp.%I', 'borrowed_' || p_stream)) is null then
    -- With the check constraints, so that a change that breaks one fails here, where no error shows a row.
    execute format(
      'create temporary table %I (like %s including constraints, is_new boolean not null default true) on commit drop',
      'borrowed_' || p_stream, target);
  end if;
  borrowed := staging.table_of(p_stream, 'borrowed');
  execute format('truncate %s', borrowed);
  if registered.partition_column is not null then
    execute format('select format('' and t.%1$I between %%L and %%L'', min(k.%1$I), max(k.%1$I)) from (%2$s) k',
      registered.partition_column, p_keys) into months;
  end if;
  execute format('insert into %s (%s, is_new) select %s, false from %s t join (%s) s on %s%s',
    borrowed, staging.columns_of(target), staging.columns_of(target, 't'), target, p_keys,
    ingest.key_condition(p_stream, 's.%1$I'), months);
  return borrowed;
end
$$;
comment on function staging.borrow is
  'The table in which a statement changes the stored rows of a stream with the keys of a query: that of the stream, or a temporary copy of these rows where the stream is distributed.';
