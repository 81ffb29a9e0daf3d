-- A duplicate line leaves only a count. If the row that it duplicates were removed, its record would be lost, although
-- its file counts as loaded. ingest.met_file has the files whose rows a file met. Of a file that an older version loaded
-- they are unknown: it depends on every file before it that brought a row or a value.
--
-- Files, replays and acceptances draw their numbers from one sequence, under the locks of the streams. So the numbers show
-- the order of all three. A file can depend on an accepted value only if it was loaded or replayed after the acceptance.
create or replace function ingest.dependent_files(p_files bigint[], p_acceptance bigint)
returns table (source_file_id bigint, duplicate_count bigint, filled_count bigint, conflict_count bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  known bigint[] := p_files;
  found bigint[];
begin
  -- A replayed line of an older file can depend on a newer file, so the search goes on until it finds no further file.
  loop
    found := array(
      with touch as (
        -- The outcomes of a file in the table of a stream: of its lines, or of records within them.
        select stream, source_file_id, inserted_count + filled_count as brought,
            duplicate_count + filled_count + conflict_count as met
          from ingest.source_file
        union all
        select stream, source_file_id, inserted_count + filled_count, duplicate_count + filled_count + conflict_count
          from ingest.embedded_count
      ), taken as (
        select s.stream, least(
              (select min(t.source_file_id) from touch t
                where t.stream = s.stream and t.source_file_id = any (known) and t.brought > 0),
              (select min(c.acceptance_id) from ingest.conflict c
                where c.stream = s.stream and c.acceptance_id is not null
                  and (c.source_file_id = any (known) or c.acceptance_id = p_acceptance))) as first_id,
            array(select distinct c.source_file_id from ingest.conflict c
              where c.stream = s.stream and c.acceptance_id = p_acceptance) as accepted_ids
          from ingest.stream s
      ), met as (
        select m.stream, m.source_file_id, bool_or(m.met_file_id = any (known)) as is_of_files
          from ingest.met_file m join taken t on t.stream = m.stream
          where m.met_file_id = any (known || t.accepted_ids) group by m.stream, m.source_file_id
      )
      select f.source_file_id
        from touch k join ingest.source_file f on f.source_file_id = k.source_file_id join taken t on t.stream = k.stream
          left join met on met.stream = k.stream and met.source_file_id = k.source_file_id
          cross join lateral (select case when met.is_of_files then 0 when not f.has_met_files then t.first_id
            when met.source_file_id is not null then p_acceptance end as id) after
        where f.undone_at is null and f.source_file_id <> all (known) and k.met > 0
          and (f.source_file_id > after.id or exists (
            select from ingest.reject r
              where r.source_file_id = f.source_file_id and r.resolved_at is not null
                and coalesce(r.resolved_order > after.id, after.id is not null))));
    exit when found = '{}';
    known := known || found;
  end loop;
  return query
    select t.source_file_id, sum(t.duplicate_count)::bigint, sum(t.filled_count)::bigint, sum(t.conflict_count)::bigint
      from (
        select source_file_id, duplicate_count, filled_count, conflict_count from ingest.source_file
        union all
        select source_file_id, duplicate_count, filled_count, conflict_count from ingest.embedded_count) t
      where t.source_file_id = any (known) and t.source_file_id <> all (p_files)
      group by t.source_file_id order by t.source_file_id;
end
$$;
comment on function ingest.dependent_files is
  'The files that depend on these files or on the values of an acceptance, directly or indirectly: their lines duplicate, fill or contradict rows. The counts are those of all their lines, because the row that a duplicate met is not recorded.';
