-- The caller holds the locks of all streams and of the refresh, so no line is counted twice.
--
-- The entries that later commands read stay: the entries of loaded files, which are their identity and tell the horizons;
-- fills, which an undo takes back; of a replayed file the refused line with the newest resolution, by which an undo finds
-- that the file depends on others; open failures; and all conflicts of a key of which one is open or new, because conflicts
-- accept compares them.
create or replace function ingest.prune(p_before timestamptz)
returns table (reject_count bigint, conflict_count bigint, failure_count bigint, file_count bigint, load_count bigint)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  quarter constant interval := '15 minutes';
  start constant timestamptz := '2000-01-01 00:00Z';
  -- An older version did not record the order. Such a resolution counts as the newest.
  unknown_order constant bigint := 9223372036854775807;
  conflicts bigint[];
  failures bigint[];
  files bigint[];
begin
  with gone as (
    delete from ingest.reject r
      using ingest.source_file f
      where f.source_file_id = r.source_file_id and f.loaded_at < p_before
        and (r.resolved_at is null or r.resolved_at < p_before and exists (
          select from ingest.reject n
            where n.source_file_id = r.source_file_id and n.resolved_at is not null
              and (coalesce(n.resolved_order, unknown_order), n.reject_id)
                > (coalesce(r.resolved_order, unknown_order), r.reject_id)))
      returning r.source_file_id, date_bin(quarter, f.loaded_at, start) as counted_at, r.stream, r.code, r.field,
        r.resolved_at
  ), counted as (
    insert into ingest.pruned_reject as p
        (source_file_id, counted_at, stream, code, field, reject_count, open_count)
      select g.source_file_id, g.counted_at, g.stream, g.code, g.field, count(*),
          count(*) filter (where g.resolved_at is null)
        from gone g
        group by g.source_file_id, g.counted_at, g.stream, g.code, g.field
      on conflict on constraint pruned_reject_once do update
        set reject_count = p.reject_count + excluded.reject_count, open_count = p.open_count + excluded.open_count
  )
  select count(*) into reject_count from gone;

  select coalesce(array_agg(c.conflict_id), '{}') into conflicts
    from ingest.conflict c
    join (
      select k.stream, k.natural_key
        from ingest.conflict k
        join ingest.source_file f on f.source_file_id = k.source_file_id
        left join ingest.acceptance a on a.acceptance_id = k.acceptance_id
        group by k.stream, k.natural_key
        having bool_and(f.loaded_at < p_before and a.accepted_at is not null and a.accepted_at < p_before)
    ) o on o.stream = c.stream and o.natural_key = c.natural_key;
  with gone as (
    delete from rollup.conflict_line l
      where exists (select from ingest.conflict c
        where c.conflict_id = any (conflicts) and c.source_file_id = l.source_file_id
          and c.line_number = l.line_number and c.stream = l.stream)
      returning l.*
  )
  insert into ingest.pruned_conflict as p (source_file_id, counted_at, stream, app_id, conflict_count)
    select f.source_file_id, date_bin(quarter, f.loaded_at, start), l.stream, l.app_id, count(*)
      from gone l join ingest.source_file f on f.source_file_id = l.source_file_id
      group by f.source_file_id, l.stream, l.app_id
    on conflict on constraint pruned_conflict_once do update
      set conflict_count = p.conflict_count + excluded.conflict_count;
  perform ingest.fold_lines(conflicts);
  with gone as (
    delete from ingest.conflict c where c.conflict_id = any (conflicts)
      returning c.source_file_id, c.line_number, c.stream
  )
  select count(distinct (g.source_file_id, g.line_number, g.stream)) into conflict_count from gone g;

  -- Of failures only those that somebody has dismissed.
  select coalesce(array_agg(f.failed_file_id), '{}') into failures
    from ingest.failed_file f
    join ingest.failure_state s on s.failed_file_id = f.failed_file_id
    where f.failed_at < p_before and s.dismissed_at < p_before;
  insert into ingest.pruned_reject as p (counted_at, stream, code, field, reject_count, open_count)
    select date_bin(quarter, f.failed_at, start), f.stream, r.code, r.field, count(*), count(*)
      from ingest.failed_reject r
      join ingest.failed_file f on f.failed_file_id = r.failed_file_id
      where f.failed_file_id = any (failures)
      group by 1, f.stream, r.code, r.field
    on conflict on constraint pruned_reject_once do update
      set reject_count = p.reject_count + excluded.reject_count, open_count = p.open_count + excluded.open_count;
  delete from ingest.failed_reject r where r.failed_file_id = any (failures);
  delete from ingest.failed_file f where f.failed_file_id = any (failures);
  failure_count := cardinality(failures);

  -- Entries of undone files, of which no row is left. Those with unknown fields stay, so that the fields stay known, and
  -- so do open failures.
  select coalesce(array_agg(f.source_file_id), '{}') into files
    from ingest.source_file f
    where f.loaded_at < p_before and f.undone_at < p_before
      and not exists (select from ingest.undone_file u
        where u.source_file_id = f.source_file_id and (u.dismissed_at < p_before) is not true)
      and not exists (select from ingest.unknown_field u where u.source_file_id = f.source_file_id)
      and not exists (select from rollup.touched_file t where t.source_file_id = f.source_file_id);
  delete from ingest.file_app a where a.source_file_id = any (files);
  delete from ingest.known_field k where k.source_file_id = any (files);
  delete from ingest.embedded_count e where e.source_file_id = any (files);
  delete from ingest.erased_line e where e.source_file_id = any (files);
  delete from ingest.erased_record e where e.source_file_id = any (files);
  delete from ingest.source_file f where f.source_file_id = any (files);
  file_count := cardinality(files);

  -- A dismissal of a day is a statement about its figures, so it stays with them.
  delete from ingest.failure_dismissal d
    where d.dismissed_at < p_before and d.kind not in ('implausible', 'incomplete')
      and not exists (select from ingest.failed_file f
        join ingest.failure_state s on s.failed_file_id = f.failed_file_id
        where f.kind = d.kind and f.stream is not distinct from d.stream and s.path = d.path)
      and not exists (select from ingest.undone_file f
        where d.kind = 'undone' and f.stream = d.stream and f.path = d.path);

  delete from ingest.load l
    where coalesce(l.seen_at, l.started_at) < p_before
      and not exists (select from ingest.source_file f where f.load_id = l.load_id)
      and not exists (select from ingest.failed_file f where f.load_id = l.load_id)
      and not exists (select from rollup.refresh_state s where s.load_id = l.load_id);
  get diagnostics load_count = row_count;
  return next;
end
$$;
comment on function ingest.prune is
  'Removes what is older than a moment and no longer needed: refused lines, accepted conflicts, dismissed failures, entries of undone files, and runs without files. Counts the lines in ingest.pruned_reject and ingest.pruned_conflict first. For the owner.';
