-- A function and not a part of the view, because the planner cannot know that there is usually no pending file: it
-- would plan the view for a large part of the facts.
--
-- SECURITY DEFINER, because a view calls the function with the rights of its reader, who cannot read the facts.
create or replace function rollup.pending_counts()
returns table (source_file_id bigint, stream text, app_id text, line_count bigint, load_start_count bigint,
  unknown_sandbox_count bigint, unpriced_count bigint, free_count bigint, imprecise_count bigint,
  repaired_count bigint, unknown_product_type_count bigint, untyped_expiry_count bigint,
  first_event_at timestamptz, newest_event_at timestamptz)
language plpgsql stable security definer
rows 10
set search_path = pg_catalog, pg_temp
set jit = off
as $$
#variable_conflict use_column
declare
  pending bigint[] := array(select source_file_id from rollup.pending_file);
  known record;
begin
  if pending = '{}' then
    return;
  end if;
  for known in select t.stream from ingest.stream t loop
    return query execute format(
      'select s.source_file_id, $1, s.app_id,
           count(*),
           count(*) filter (where not s.is_dated),
           count(*) filter (where s.is_sandbox_unknown),
           count(*) filter (where s.is_unpriced),
           count(*) filter (where s.is_free),
           count(*) filter (where s.is_imprecise),
           count(*) filter (where s.is_repaired),
           count(*) filter (where s.is_product_type_unknown),
           count(*) filter (where s.is_expiry_untyped),
           min(s.event_at) filter (where s.is_dated),
           max(s.event_at) filter (where s.is_dated)
         from (%s) s
         where s.source_file_id = any ($2)
         group by s.source_file_id, s.app_id', staging.standing_rows(known.stream))
      using known.stream, pending;
  end loop;
end
$$;
revoke execute on function rollup.pending_counts from public;
comment on function rollup.pending_counts is
  'Counts the standing rows of the files in rollup.pending_file, by file, stream and application. Part of rollup.standing_file.';
