-- A fill of a folded column has no effect any more, so an undo of its file must leave the value.
create or replace function ingest.fold_lines(p_conflicts bigint[]) returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  with folded as (
    delete from ingest.overlaid_row o
      using (select distinct c.stream, c.natural_key from ingest.conflict c
        where c.conflict_id = any (p_conflicts) and c.acceptance_id is not null) k
      where o.stream = k.stream and o.natural_key = k.natural_key
      returning o.stream, o.natural_key, o.loaded_values
  ), unfilled as (
    delete from ingest.fill f using folded o
      where f.stream = o.stream and f.natural_key = o.natural_key and o.loaded_values ? f.field
  )
  update ingest.conflict c set acceptance_id = null
    from folded o
    where c.stream = o.stream and c.natural_key = o.natural_key and c.acceptance_id is not null
      and c.conflict_id <> all (p_conflicts)
$$;
comment on function ingest.fold_lines is
  'Makes the values of rows with one of these accepted lines loaded ones, before the lines are deleted. Other accepted lines of the rows become open. Part of ingest.prune and ingest.erase_user.';
