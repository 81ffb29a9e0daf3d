-- The caller holds the locks of the streams and passes all files that depend on each other in one call, because a
-- deleted row takes the fills of later files with it.
create or replace function ingest.undo_files(p_files bigint[])
returns table (source_file_id bigint, row_count bigint, fill_count bigint, reject_count bigint,
  conflict_count bigint, accepted_count bigint)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  row_counts jsonb;
  accepted_counts jsonb := (
    select coalesce(jsonb_object_agg(a.source_file_id, a.value_count), '{}')
      from (select v.source_file_id, count(*) as value_count
        from ingest.accepted_changes(array(select c.conflict_id from ingest.conflict c
          where c.source_file_id = any (p_files) and c.refused_row is not null)) v
        group by v.source_file_id) a);
begin
  select coalesce(jsonb_object_agg(n.source_file_id, n.row_count), '{}') into row_counts
    from (
      select r.source_file_id, sum(r.row_count) as row_count
        from (
          -- Rows of a file are in the table of its stream, and in that of records within its lines.
          select s.stream from ingest.stream s
            where exists (select from ingest.source_file f
              where f.source_file_id = any (p_files) and ingest.brings_rows_of(f.stream, s.stream))
            order by 1
        ) s
        cross join lateral ingest.undo_rows(s.stream, p_files) r
        group by r.source_file_id
    ) n;

  -- The reports forget the observations and the names of items that retention kept for these files. The notes make a
  -- refresh compute the users again, and read the items of the application again.
  with observation as (
    delete from ingest.kept_observation k where k.source_file_id = any (p_files) returning k.app_id, k.user_id
  ), item as (
    delete from ingest.kept_item_name k where k.source_file_id = any (p_files)
      returning k.app_id, k.observed_at, k.is_dated, k.source_file_id
  )
  insert into rollup.touched_row (stream, app_id, user_id, event_at, is_dated, source_file_id, line_number)
    select distinct 'observation', o.app_id, o.user_id, '-infinity'::timestamptz, false, 0::bigint, 0 from observation o
    union all
    select distinct 'item', i.app_id, null, i.observed_at, i.is_dated, i.source_file_id, 0 from item i;

  delete from ingest.met_file m where m.source_file_id = any (p_files) or m.met_file_id = any (p_files);
  delete from ingest.pruned_reject p where p.source_file_id = any (p_files);
  delete from ingest.pruned_conflict p where p.source_file_id = any (p_files);

  return query
    with reject as (
      delete from ingest.reject r where r.source_file_id = any (p_files) returning r.source_file_id
    ), conflict as (
      delete from ingest.conflict c where c.source_file_id = any (p_files) returning c.source_file_id
    ), fill as (
      delete from ingest.fill f where f.source_file_id = any (p_files) returning f.source_file_id
    ), undone as (
      update ingest.source_file f set undone_at = clock_timestamp()
        where f.source_file_id = any (p_files) returning f.source_file_id
    )
    select u.source_file_id,
        coalesce((row_counts ->> u.source_file_id::text)::bigint, 0),
        (select count(*) from fill x where x.source_file_id = u.source_file_id),
        (select count(*) from reject x where x.source_file_id = u.source_file_id),
        (select count(*) from conflict x where x.source_file_id = u.source_file_id),
        coalesce((accepted_counts ->> u.source_file_id::text)::bigint, 0)
      from undone u order by u.source_file_id;
end
$$;
comment on function ingest.undo_files is
  'Deletes the rows, fills, rejects, conflicts and their pruned counts of files, marks the files as undone, and returns by file what is deleted, and the number of values that accepted lines of the file had replaced.';
