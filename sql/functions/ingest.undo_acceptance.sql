-- The caller holds the locks of the streams that the acceptance names.
create or replace function ingest.undo_acceptance(p_acceptance_id bigint)
returns table (line_count bigint, value_count bigint)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  one_stream text;
begin
  value_count := 0;
  for one_stream in
    select unnest(streams) from ingest.acceptance
      where acceptance_id = p_acceptance_id and undone_at is null
  loop
    value_count := value_count
      + ingest.remove_accepted_values(one_stream, p_acceptance_id, null);
  end loop;
  select count(distinct (stream, source_file_id, line_number)) into line_count
    from ingest.conflict where acceptance_id = p_acceptance_id;
  update ingest.conflict set acceptance_id = null where acceptance_id = p_acceptance_id;
  update ingest.acceptance set undone_at = clock_timestamp(), undone_by = session_user
    where acceptance_id = p_acceptance_id and undone_at is null;
  return next;
end
$$;
revoke execute on function ingest.undo_acceptance from public;
comment on function ingest.undo_acceptance is
  'Undoes an acceptance: restores the previous values of its rows and opens its conflicts again. For the owner.';
