-- The caller holds the locks of the streams that the acceptance names.
create or replace function ingest.undo_acceptance(p_acceptance_id bigint)
returns table (line_count bigint, value_count bigint)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  select coalesce(sum(cardinality(l.conflicts)), 0), coalesce(sum(ingest.take_back_lines(l.stream, l.conflicts)), 0)
    into line_count, value_count
    from (
      select c.stream, array_agg(c.conflict_id) as conflicts from ingest.conflict c
        where c.acceptance_id = p_acceptance_id and c.refused_row is not null group by c.stream
    ) l;
  update ingest.acceptance set undone_at = clock_timestamp(), undone_by = session_user
    where acceptance_id = p_acceptance_id and undone_at is null;
  return next;
end
$$;
comment on function ingest.undo_acceptance is
  'Undoes an acceptance: restores the previous values of its rows and opens its conflicts again. For the owner.';
