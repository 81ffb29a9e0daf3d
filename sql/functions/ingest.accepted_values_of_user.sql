-- An accepted value belongs to the user of its row. No acceptance changes the user of a row.
create or replace function ingest.accepted_values_of_user(p_user_id text, p_app_id text)
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
      'select k.accepted_value_id from ingest.accepted_value k where k.stream = %L and %s',
      registered.stream, ingest.user_key_condition(registered.stream))
      using p_user_id, p_app_id;
  end loop;
end
$$;
revoke execute on function ingest.accepted_values_of_user from public;
comment on function ingest.accepted_values_of_user is
  'The accepted values of a user''s rows, in one application or in all (NULL).';
