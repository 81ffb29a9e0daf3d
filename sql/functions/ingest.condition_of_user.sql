-- An event belongs to its user, and to the user of the receipt that it brought. The number of that receipt can be one
-- that an acceptance has replaced: an undo would bring it back.
create or replace function ingest.condition_of_user(p_stream text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select '(t.user_id = $1 and ($2::text is null or t.app_id = $2)'
      || coalesce((
        select format(
            ' or t.%1$I in (%2$s) or (%3$s) in (
               select %4$s from (
                 select o.natural_key, o.loaded_values ->> %1$L as value from ingest.overlaid_row o
                   where o.stream = %5$L
                 union all
                 select c.natural_key, c.refused_row ->> %1$L from ingest.conflict c
                   where c.stream = %5$L and c.acceptance_id is not null) k
                 where k.value in (%2$s))',
            e.key_columns[1], ingest.embedded_keys_of_user(p_stream), k.columns, k.values, p_stream)
          from ingest.stream e
          cross join lateral (
            select string_agg(format('t.%I', c.name), ', ' order by c.position) as columns,
                string_agg(format('(k.natural_key ->> %s)::%s', c.position - 1,
                  format_type(a.atttypid, a.atttypmod)), ', ' order by c.position) as values
              from unnest(s.key_columns) with ordinality c (name, position)
              join pg_catalog.pg_attribute a
                on a.attrelid = format('game.%I', s.target_table)::regclass and a.attname = c.name
          ) k
          where e.stream = s.embedded_stream), '')
      || ')'
    from ingest.stream s where s.stream = p_stream
$$;
comment on function ingest.condition_of_user is
  'SQL condition that t, a row of a stream''s table, belongs to user $1, in application $2 or in all (NULL).';
