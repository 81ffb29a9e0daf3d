-- The accepted values of one key and column are a chain. When a value is removed, the next one gets its "before"; when
-- the last one is removed, the row gets the value before it.
create or replace function ingest.remove_accepted_values(
  p_stream text, p_acceptance_id bigint, p_files bigint[])
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
-- Recorded digests are hexadecimal text, so digests must print in the same form for the comparison.
set bytea_output = 'hex'
as $$
declare
  registered ingest.stream;
  target regclass;
  assignments text;
  removed bigint;
begin
  if not exists (select 1 from ingest.accepted_value v where v.stream = p_stream
      and coalesce(v.acceptance_id = p_acceptance_id, v.source_file_id = any (p_files)))
  then
    return 0;
  end if;
  select * into strict registered from ingest.stream where stream = p_stream;
  target := format('game.%I', registered.target_table)::regclass;
  select string_agg(
      format('%1$I = case when k.restored ? %1$L then (k.restored ->> %1$L)::%2$s else t.%1$I end',
        f.field, format_type(a.atttypid, a.atttypmod)), ', ')
    into assignments
    from ingest.acceptable_fields(p_stream) f
    join pg_catalog.pg_attribute a on a.attrelid = target and a.attname = f.field;
  -- A row never keeps a token that does not match its digest.
  assignments := concat_ws(', ', assignments, 'row_digest = null', (
    select string_agg(format(
        '%1$I = case when k.restored ? %2$L and t.%2$I::text is distinct from k.restored ->> %2$L
           then null else t.%1$I end', secret, secret || '_sha256'), ', ')
      from unnest(registered.secret_columns) secret));
  target := staging.borrow(p_stream, ingest.recorded_keys(p_stream, format(
    '(select natural_key from ingest.accepted_value
       where stream = %L and coalesce(acceptance_id = %L, source_file_id = any (%L)))',
    p_stream, p_acceptance_id, p_files)));
  execute format(
    'with listed as materialized (
       select v.accepted_value_id, v.natural_key, v.field, v.before, v.after,
           coalesce(v.acceptance_id = $1, v.source_file_id = any ($2)) as is_lost,
           first_value(v.before) over (partition by v.natural_key, v.field order by v.accepted_value_id)
             as loaded
         from ingest.accepted_value v
         where v.stream = %1$L and exists (
           select 1 from ingest.accepted_value l
             where l.stream = v.stream and l.natural_key = v.natural_key and l.field = v.field
               and coalesce(l.acceptance_id = $1, l.source_file_id = any ($2)))
     ), kept as materialized (
       select l.accepted_value_id, l.natural_key, l.field, l.after,
           lag(l.after, 1, l.loaded) over later as before,
           lead(l.accepted_value_id) over later is null as is_last
         from listed l where not l.is_lost
         window later as (partition by l.natural_key, l.field order by l.accepted_value_id)
     ), rebased as (
       update ingest.accepted_value v set before = k.before from kept k
         where v.accepted_value_id = k.accepted_value_id and v.before is distinct from k.before
     ), gone as (
       delete from ingest.accepted_value v using listed l
         where l.is_lost and v.accepted_value_id = l.accepted_value_id returning v.before, v.after
     ), result as materialized (
       select l.natural_key, jsonb_object_agg(l.field,
           case when k.accepted_value_id is null then l.loaded else k.after end) as restored
         from (select distinct natural_key, field, loaded from listed) l
         left join kept k on k.is_last and k.natural_key = l.natural_key and k.field = l.field
         group by l.natural_key
     ), replaced as materialized (
       select t.* from result k join %2$s t on %4$s
     ), restored as (
       update %2$s t set %3$s from result k where %4$s returning t.*
     ), noted as (%5$s)
     select count(*) from gone where before is distinct from after',
    p_stream, target, assignments, ingest.natural_key_condition(p_stream),
    rollup.note_statement(p_stream, '(select * from replaced union all select * from restored)'))
    into removed using p_acceptance_id, p_files;
  perform staging.give_back(p_stream);
  return removed;
end
$$;
revoke execute on function ingest.remove_accepted_values from public;
comment on function ingest.remove_accepted_values is
  'Removes the accepted values of an acceptance or of files, restores the rows, and returns the number of changes removed. Part of ingest.undo_acceptance and ingest.undo_files.';
