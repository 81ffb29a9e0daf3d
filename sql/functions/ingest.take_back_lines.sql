create or replace function ingest.take_back_lines(p_stream text, p_conflicts bigint[]) returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
set bytea_output = 'hex'
as $$
declare
  target regclass;
  taken bigint;
begin
  if p_conflicts = '{}' then
    return 0;
  end if;
  select count(*) into taken from ingest.accepted_changes(p_conflicts);
  update ingest.conflict c set acceptance_id = null
    from ingest.conflict l
    where l.conflict_id = any (p_conflicts) and c.stream = l.stream and c.source_file_id = l.source_file_id
      and c.line_number = l.line_number;
  target := staging.borrow(p_stream, ingest.recorded_keys(p_stream, format(
    '(select natural_key from ingest.conflict where conflict_id = any (%L))', p_conflicts)));
  execute format(
    'with k as materialized (
       select o.overlaid_row_id, o.natural_key, ingest.overlay(o.stream, o.natural_key) as restored,
           array(select f.field from ingest.conflict c join ingest.acceptable_fields(%1$L) f on c.refused_row ? f.leader
             where c.stream = o.stream and c.natural_key = o.natural_key and c.refused_row is not null
               and c.acceptance_id is not null) as fields
         from (select distinct natural_key from ingest.conflict where conflict_id = any ($1)) l
         join ingest.overlaid_row o on o.stream = %1$L and o.natural_key = l.natural_key
     ), replaced as materialized (
       select t.* from k join %2$s t on %3$s
     ), restored as (
       update %2$s t set %4$s from k where %3$s returning t.*
     ), noted as (%5$s), left_over as (
       update ingest.overlaid_row o
         set loaded_values = (select jsonb_object_agg(v.key, v.value) from jsonb_each(o.loaded_values) v
           where v.key = any (k.fields))
         from k where o.overlaid_row_id = k.overlaid_row_id and k.fields <> ''{}''
     )
     delete from ingest.overlaid_row o using k where o.overlaid_row_id = k.overlaid_row_id and k.fields = ''{}''',
    p_stream, target, ingest.key_condition(p_stream), ingest.restoring_assignments(p_stream),
    rollup.note_statement(p_stream, '(select * from replaced union all select * from restored)'))
    using p_conflicts;
  perform staging.give_back(p_stream);
  return taken;
end
$$;
comment on function ingest.take_back_lines is
  'Opens accepted lines of a stream again, gives their rows the values without them, and returns the number of changes taken back. p_conflicts has the conflict with refused_row of each line. Part of ingest.undo_acceptance and ingest.undo_files.';
