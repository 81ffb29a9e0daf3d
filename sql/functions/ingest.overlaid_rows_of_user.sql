-- Loaded values belong to the user of their row. No acceptance changes the user of a row.
create or replace function ingest.overlaid_rows_of_user(p_user_id text, p_app_id text)
returns setof bigint
language plpgsql stable
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
declare
  registered ingest.stream;
begin
  for registered in select * from ingest.stream loop
    return query execute format(
      'select k.overlaid_row_id from ingest.overlaid_row k where k.stream = %L and %s',
      registered.stream, ingest.user_key_condition(registered.stream))
      using p_user_id, p_app_id;
  end loop;
end
$$;
revoke execute on function ingest.overlaid_rows_of_user from public;
comment on function ingest.overlaid_rows_of_user is
  'The user''s rows with accepted lines, in one application or in all (NULL).';
