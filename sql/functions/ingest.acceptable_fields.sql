create or replace function ingest.acceptable_fields(p_stream text)
returns table (leader text, field text)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select c.leader, f.field
    from ingest.stream s, unnest(s.compared_columns) c (leader),
      lateral (select c.leader
        union all select jsonb_array_elements_text(s.followers -> c.leader)) f (field)
    where s.stream = p_stream and c.leader <> all (s.secret_columns)
$$;
comment on function ingest.acceptable_fields is
  'The columns that an acceptance can set, each with its leader: the compared column itself, or the one that it follows.';
