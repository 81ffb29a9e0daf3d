-- Names of undone files count as known, because they were reported already. Columns are compared among files of the same
-- applications only, because those of other ones can have other fields.
create or replace function ingest.found_fields(p_stream text, p_files bigint[])
returns table (source_file_id bigint, field text, is_new boolean)
language plpgsql stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
begin
  -- In PL/pgSQL with one plan for the session: planning would cost a file more than the query. The plan can be made
  -- while the tables are empty, so it must be one of look-ups.
  return query
    with compared as materialized (
      select p.file,
          (select array_agg(a.app_id order by a.app_id) from ingest.file_app a where a.source_file_id = p.file) as apps,
          (select array_agg(k.field) from ingest.known_field k where k.source_file_id = p.file) as fields
        from unnest(p_files) p (file)
    )
    (select u.source_file_id, u.field, true
      from ingest.unknown_field u
      left join lateral (
        -- One look-up by the name for each, the newest file first: the planner might else read the whole table.
        select true as is_known
          from ingest.unknown_field o join ingest.source_file f using (source_file_id)
          where o.field = u.field and o.source_file_id < u.source_file_id and f.stream = p_stream
          order by o.source_file_id desc
          limit 1
      ) k on true
      where u.source_file_id = any (p_files) and u.field is not null and k.is_known is null
      order by u.source_file_id, u.first_line_number, u.field)
    union all
    (select n.file, usual.field, false
      from compared n
      cross join lateral (
        select array_agg(l.source_file_id) as files, sum(l.lines) as lines
          from (
            select s.source_file_id, s.lines
              from (
                -- So that a large ledger costs no more than a small one.
                select a.source_file_id from ingest.file_app a
                  where a.app_id = n.apps[1] and a.source_file_id < n.file
                  order by a.source_file_id desc
                  limit 500
              ) r
              cross join lateral (
                -- A fence: most of the files are of other streams, and each costs one look-up by its number.
                select f.source_file_id, f.stream, f.undone_at,
                    f.line_count - f.blank_count - f.rejected_count - f.suppressed_count as lines
                  from ingest.source_file f
                  where f.source_file_id = r.source_file_id
                  offset 0
              ) s
              where s.stream = p_stream and s.undone_at is null
                and exists (select from ingest.known_field k where k.source_file_id = s.source_file_id offset 0)
                and n.apps = (select array_agg(a.app_id order by a.app_id) from ingest.file_app a
                  where a.source_file_id = s.source_file_id)
              order by r.source_file_id desc
              limit 5
          ) l
      ) last
      cross join lateral (
        select k.field from ingest.known_field k
          where k.source_file_id = any (last.files)
          group by k.field
          having sum(k.line_count) * 10 >= last.lines * 9
      ) usual
      where n.fields <> '{}' and cardinality(last.files) = 5 and usual.field <> all (n.fields)
      order by n.file, usual.field);
end
$$;
comment on function ingest.found_fields is
  'What the fields of files of a stream tell: is_new names that they have and no file before them, in the order of their first lines and without those that a file counts together; and columns that they have in no line, although nine tenths of the lines of the five files before each, of the same applications, have them. Files with fewer than a hundred rows have no columns to compare.';
