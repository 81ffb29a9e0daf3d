create or replace function ingest.trace_line(p_source_file_id bigint, p_failed_file_id bigint, p_line_number bigint)
returns table (became text, "row" jsonb, "column" text, details text)
language plpgsql stable
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
declare
  brought record;
  is_known boolean := false;
begin
  -- The row of the line, and that of a record within it. An index for this would slow down every load.
  for brought in
    select s.stream, s.target_table, nullif(s.stream, f.stream) as details
      from ingest.source_file f
      join ingest.stream own on own.stream = f.stream
      join ingest.stream s on s.stream in (own.stream, own.embedded_stream)
      where f.source_file_id = p_source_file_id
      order by s.stream <> f.stream
  loop
    return query execute format(
      'select ''inserted'', %s, null::text, $1 from game.%I t where t.source_file_id = $2 and t.line_number = $3',
      ingest.natural_key_array(brought.stream, 't'), brought.target_table)
      using brought.details, p_source_file_id, p_line_number;
    is_known := is_known or found;
  end loop;
  return query
    select o.became, o."row", o."column", o.details
      from (
        select 1 as place, 'filled' as became, k.natural_key as "row", string_agg(k.field, ', ' order by k.fill_id) as "column",
            null as details
          from ingest.fill k where k.source_file_id = p_source_file_id and k.line_number = p_line_number
          group by k.natural_key
        union all
        select 2, 'conflict', k.natural_key, k.field, format('kept %s, refused %s', k.kept, k.refused)
            || coalesce(', accepted by acceptance ' || k.acceptance_id, '')
          from ingest.conflict k where k.source_file_id = p_source_file_id and k.line_number = p_line_number
        union all
        select 3, 'rejected' || coalesce(', then ' || case when r.raw = '' and r.user_id is null then 'suppressed' else 'loaded' end
              || to_char(r.resolved_at, '" by a replay at "YYYY-MM-DD HH24:MI:SS" UTC"'), ''), null, r.field,
            format('%s: %s', r.code, r.reason)
          from (
            select code, field, reason, raw, user_id, resolved_at from ingest.reject
              where source_file_id = p_source_file_id and line_number = p_line_number
            union all
            select code, field, reason, raw, user_id, null from ingest.failed_reject
              where failed_file_id = p_failed_file_id and line_number = p_line_number
          ) r
      ) o
      order by o.place, o.details nulls first, o."column";
  if is_known or found then
    return;
  end if;
  -- Such lines are counted, and not recorded one by one.
  return query
    select string_agg(c.kind, ' or ' order by c.place), null::jsonb, null::text,
        'the file counts such lines, and keeps no more of them: '
          || string_agg(format('%s %s', c.line_count, c.kind), ', ' order by c.place)
      from ingest.source_file f
      cross join lateral (values
        (1, 'duplicate', f.duplicate_count), (2, 'blank', f.blank_count), (3, 'suppressed', f.suppressed_count),
        (4, 'erased', (select sum(e.line_count) from ingest.erased_line e
          where e.source_file_id = f.source_file_id))) c (place, kind, line_count)
      where f.source_file_id = p_source_file_id and c.line_count > 0
      having count(*) > 0;
end
$$;
comment on function ingest.trace_line is
  'The outcome of a line of a loaded or a failed file: its rows, fills, conflicts and refusal; without any of them, the outcomes that the counts of the file allow. Part of explain.';
