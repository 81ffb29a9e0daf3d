-- Every change of a row empties its digest, so a row with a digest has not changed.
create or replace function staging.give_back(p_stream text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  registered ingest.stream;
  target regclass;
  borrowed regclass;
  assignments text;
begin
  if not ingest.is_distributed(p_stream) then
    return;
  end if;
  select * into strict registered from ingest.stream s where s.stream = p_stream;
  target := format('game.%I', registered.target_table)::regclass;
  borrowed := staging.table_of(p_stream, 'borrowed');
  -- All columns but those of the key, which never change: a new value of the distribution column is refused.
  select string_agg(format('%1$I = s.%1$I', a.attname), ', ') into assignments
    from pg_catalog.pg_attribute a
    where a.attrelid = target and a.attnum > 0 and not a.attisdropped and a.attname <> all (registered.key_columns);
  execute format('update %s t set %s from (select * from %s where not is_new and row_digest is null) s where %s',
    target, assignments, borrowed, ingest.key_condition(p_stream, 's.%1$I'));
  execute format('insert into %s (%s) select %2$s from %s where is_new', target, staging.columns_of(target), borrowed);
  execute format('truncate %s', borrowed);
end
$$;
comment on function staging.give_back is
  'Writes the changed and the new rows of staging.borrow back to the table of their stream.';
