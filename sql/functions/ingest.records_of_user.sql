-- Fills and loaded values belong to the user of their row. No acceptance changes the user of a row.
create or replace function ingest.records_of_user(p_table text, p_user_id text, p_app_id text) returns setof bigint
language plpgsql stable
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
declare
  registered ingest.stream;
begin
  for registered in select * from ingest.stream loop
    return query execute format('select k.%I from ingest.%I k where k.stream = %L and %s',
      p_table || '_id', p_table, registered.stream, ingest.user_key_condition(registered.stream))
      using p_user_id, p_app_id;
  end loop;
end
$$;
comment on function ingest.records_of_user is
  'The rows of p_table, fill or overlaid_row, that are of a user''s rows, in one application or in all (NULL).';
