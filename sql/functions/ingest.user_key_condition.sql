create or replace function ingest.user_key_condition(p_stream text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when not has_user then 'false'
    when key_columns @> '{user_id,app_id}' then
      format('(k.natural_key ->> %s = $1 and ($2::text is null or k.natural_key ->> %s = $2))',
        array_position(key_columns, 'user_id') - 1, array_position(key_columns, 'app_id') - 1)
    else
      format('k.natural_key in (select %s from game.%I t where %s)',
        ingest.natural_key_array(stream, 't'), target_table, ingest.condition_of_user(stream))
    end
    from ingest.stream where stream = p_stream
$$;
comment on function ingest.user_key_condition is
  'SQL condition that the natural_key array of k identifies a row of user $1, in application $2 or in all (NULL); false for a stream whose rows belong to no user.';
