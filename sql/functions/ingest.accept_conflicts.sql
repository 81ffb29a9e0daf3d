-- The caller holds the locks of all streams.
--
-- When the key of a line already has a later accepted line, the line is skipped unless its file, run or key is named.
-- Otherwise "accept all open conflicts" would overwrite a newer correction with an older one.
create or replace function ingest.accept_conflicts(
  p_conflicts bigint[], p_file text, p_load_id bigint, p_stream text, p_field text, p_is_asked_by_key boolean)
returns table (acceptance_id bigint, line_count bigint, row_count bigint, value_count bigint,
  rowless_count bigint, foreign_count bigint, incomplete_count bigint, superseded_count bigint)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  number bigint;
begin
  insert into ingest.acceptance (streams, asked_file, asked_load_id, asked_stream, asked_field, is_asked_by_key)
    values (array(select distinct c.stream from ingest.conflict c where c.conflict_id = any (p_conflicts) order by 1),
      p_file, p_load_id, p_stream, p_field, p_is_asked_by_key)
    returning acceptance.acceptance_id into number;
  select coalesce(sum(a.line_count), 0), coalesce(sum(a.row_count), 0), coalesce(sum(a.value_count), 0),
      coalesce(sum(a.rowless_count), 0), coalesce(sum(a.foreign_count), 0), coalesce(sum(chosen.incomplete), 0),
      coalesce(sum(chosen.superseded), 0)
    into line_count, row_count, value_count, rowless_count, foreign_count, incomplete_count, superseded_count
    from (
      -- Any conflict of a line can select the line; only one of them has refused_row.
      select l.stream, array_agg(k.conflict_id) filter (where n.newest is null or n.newest < k.conflict_id) as conflicts,
          count(*) filter (where k.conflict_id is null) as incomplete,
          count(*) filter (where n.newest > k.conflict_id) as superseded
        from (
          select distinct c.stream, c.source_file_id, c.line_number from ingest.conflict c
            where c.conflict_id = any (p_conflicts) and c.acceptance_id is null
        ) l
        left join ingest.conflict k on k.stream = l.stream and k.source_file_id = l.source_file_id
          and k.line_number = l.line_number and k.refused_row is not null
        left join (
          select a.stream, a.natural_key, max(a.conflict_id) as newest
            from ingest.conflict a
            where p_file is null and p_load_id is null and not p_is_asked_by_key
              and a.acceptance_id is not null and a.refused_row is not null
            group by a.stream, a.natural_key
        ) n on n.stream = k.stream and n.natural_key = k.natural_key
        group by l.stream
    ) chosen
    cross join lateral ingest.accept_lines(chosen.stream, number, coalesce(chosen.conflicts, '{}')) a;
  if line_count = 0 then
    delete from ingest.acceptance a where a.acceptance_id = number;
  else
    acceptance_id := number;
    update ingest.acceptance a
      set line_count = accept_conflicts.line_count, row_count = accept_conflicts.row_count,
        value_count = accept_conflicts.value_count
      where a.acceptance_id = number;
  end if;
  return next;
end
$$;
comment on function ingest.accept_conflicts is
  'Writes the values of the open conflicts'' lines to the stored rows and records the acceptance with the options that chose them. acceptance_id is NULL when no line was accepted. For the owner.';
