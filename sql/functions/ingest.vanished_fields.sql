-- Files of other applications can have other fields, so only files with the same ones are compared.
create or replace function ingest.vanished_fields(p_stream text, p_files bigint[])
returns table (source_file_id bigint, field text)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  with apps as materialized (
    select a.source_file_id, array_agg(a.app_id order by a.app_id) as apps
      from ingest.file_app a where a.source_file_id = any (p_files) group by a.source_file_id
  )
  select n.source_file_id, usual.field
    from apps n
    cross join lateral (
      select array_agg(l.source_file_id) as files, sum(l.lines) as lines
        from (
          select r.source_file_id, r.lines
            from (
              -- So that a large ledger costs no more than a small one.
              select f.source_file_id, f.line_count - f.blank_count - f.rejected_count - f.suppressed_count as lines
                from ingest.file_app a join ingest.source_file f using (source_file_id)
                where a.app_id = n.apps[1] and a.source_file_id < n.source_file_id and f.stream = p_stream
                  and f.undone_at is null
                  and exists (select from ingest.known_field k where k.source_file_id = f.source_file_id)
                order by a.source_file_id desc
                limit 100
            ) r
            where n.apps = (select array_agg(a.app_id order by a.app_id) from ingest.file_app a
              where a.source_file_id = r.source_file_id)
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
    where cardinality(last.files) = 5
      and not exists (
        select from ingest.known_field k where k.source_file_id = n.source_file_id and k.field = usual.field)
    order by n.source_file_id, usual.field
$$;
revoke execute on function ingest.vanished_fields from public;
comment on function ingest.vanished_fields is
  'The columns that files of a stream have in no line, although nine tenths of the lines of the five files before each, of the same applications, have them. p_files have a hundred rows or more, and files with fewer are not compared.';
