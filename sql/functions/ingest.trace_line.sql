create or replace function ingest.trace_line(p_source_file_id bigint, p_failed_file_id bigint, p_line_number bigint)
returns table (became text, "row" jsonb, "column" text, details text)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  with known (place, became, "row", "column", details) as materialized (
    select 1, 'inserted', k, null, nullif(s.stream, f.stream)
      from ingest.source_file f
      join ingest.stream own on own.stream = f.stream
      join ingest.stream s on s.stream in (own.stream, own.embedded_stream)
      cross join lateral ingest.find_line(s.stream, f.source_file_id, p_line_number) k
      where f.source_file_id = p_source_file_id
    union all
    select 2, 'filled', k.natural_key, string_agg(k.field, ', ' order by k.fill_id), null
      from ingest.fill k where k.source_file_id = p_source_file_id and k.line_number = p_line_number
      group by k.natural_key
    union all
    select 3, 'conflict', k.natural_key, k.field, format('kept %s, refused %s', k.kept, k.refused)
        || coalesce(', accepted by acceptance ' || k.acceptance_id, '')
      from ingest.conflict k where k.source_file_id = p_source_file_id and k.line_number = p_line_number
    union all
    select 4, 'rejected' || coalesce(', then ' || case when r.raw = '' and r.user_id is null then 'suppressed' else 'loaded' end
          || to_char(r.resolved_at at time zone 'UTC', '" by a replay at "YYYY-MM-DD HH24:MI:SS" UTC"'), ''), null, r.field,
        format('%s: %s', r.code, r.reason)
      from (
        select code, field, reason, raw, user_id, resolved_at from ingest.reject
          where source_file_id = p_source_file_id and line_number = p_line_number
        union all
        select code, field, reason, raw, user_id, null from ingest.failed_reject
          where failed_file_id = p_failed_file_id and line_number = p_line_number
      ) r
  ), counted as (
    -- Such lines are counted, and not recorded one by one.
    select string_agg(c.kind, ' or ' order by c.place) as kinds,
        string_agg(format('%s %s', c.line_count, c.kind), ', ' order by c.place) as counts
      from ingest.source_file f
      cross join lateral (values
        (1, 'duplicate', f.duplicate_count), (2, 'blank', f.blank_count), (3, 'suppressed', f.suppressed_count),
        (4, 'erased', (select sum(e.line_count) from ingest.erased_line e
          where e.source_file_id = f.source_file_id))) c (place, kind, line_count)
      where f.source_file_id = p_source_file_id and c.line_count > 0
  )
  select o.became, o."row", o."column", o.details
    from (
      select * from known
      union all
      select 5, c.kinds, null, null, 'the file counts such lines, and keeps no more of them: ' || c.counts
        from counted c where c.kinds is not null and not exists (select from known)
    ) o
    order by o.place, o.details nulls first, o."column"
$$;
comment on function ingest.trace_line is
  'The outcome of a line of a loaded or a failed file: its rows, fills, conflicts and refusal; without any of them, the outcomes that the counts of the file allow. Part of explain.';
