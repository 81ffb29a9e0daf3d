-- An event belongs to its user, and to the user of the receipt that it brought. The number of that receipt can be one
-- that an acceptance has replaced: an undo would bring it back.
create or replace function ingest.condition_of_user(p_stream text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select '(t.user_id = $1 and ($2::text is null or t.app_id = $2)'
      || coalesce((
        select format(' or t.%I in (%s) or (%s) in (%s)', e.key_columns[1], owned.keys,
            (select string_agg(format('t.%I', c.name), ', ' order by c.position)
              from unnest(s.key_columns) with ordinality c (name, position)),
            ingest.recorded_keys(p_stream, format(
              '(select natural_key from ingest.overlaid_row
                  where stream = %1$L and loaded_values ->> %2$L in (%3$s)
                union all
                select natural_key from ingest.conflict
                  where stream = %1$L and acceptance_id is not null and refused_row ->> %2$L in (%3$s))',
              p_stream, e.key_columns[1], owned.keys)))
          from ingest.stream e, ingest.embedded_keys_of_user(p_stream) owned (keys)
          where e.stream = s.embedded_stream), '')
      || ')'
    from ingest.stream s where s.stream = p_stream
$$;
comment on function ingest.condition_of_user is
  'SQL condition that t, a row of a stream''s table, belongs to user $1, in application $2 or in all (NULL).';
