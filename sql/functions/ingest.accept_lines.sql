-- Each round applies one line per key, so lines of the same key are applied in order. Nearly always one round is
-- enough.
--
-- A line that names another user or application than the row is skipped. The owner of a row decides which erasure
-- deletes it, and an undo of such an acceptance would have to restore a row that was erased meanwhile. A line with
-- another currency and no amount is skipped too, because the stored amount would change its currency.
create or replace function ingest.accept_lines(
  p_stream text, p_acceptance_id bigint, p_conflicts bigint[])
returns table (line_count bigint, row_count bigint, value_count bigint, rowless_count bigint,
  foreign_count bigint)
language plpgsql
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
set datestyle = 'ISO, YMD'
set bytea_output = 'hex'
as $$
declare
  registered ingest.stream;
  target regclass;
  same_key text := ingest.key_condition(p_stream);
  is_foreign text;      -- refused line k has another owner than stored row t, or another currency and no amount
  fields text;          -- one row per column: leader, column, stored value
  turn bigint[];        -- the lines of one round
  settled record;
  failed_constraint text;
begin
  select * into strict registered from ingest.stream s where s.stream = p_stream;
  line_count := 0;
  row_count := 0;
  value_count := 0;
  rowless_count := 0;
  foreign_count := 0;

  select coalesce(string_agg(
      format('coalesce(nullif(t.%1$I, '''') <> k.refused_row ->> %1$L, false)', c), ' or '), 'false')
    into is_foreign
    from unnest(registered.compared_columns) c where c in ('user_id', 'app_id');
  if registered.compared_columns @> array['currency', 'amount_minor'] then
    is_foreign := is_foreign || ' or t.amount_minor is not null and not k.refused_row ? ''amount_minor''
      and coalesce(t.currency <> k.refused_row ->> ''currency'', false)';
  end if;
  select string_agg(format('(%L, %L, (m.stored).%I::text)', f.leader, f.field, f.field), ', ') into fields
    from ingest.acceptable_fields(p_stream) f;

  -- The DETAIL of a constraint error would show the whole row, so the error is raised again without it.
  begin
    for turn in
      select array_agg(r.conflict_id)
        from (select c.conflict_id,
              row_number() over (partition by c.natural_key order by c.conflict_id) as round
            from ingest.conflict c where c.conflict_id = any (p_conflicts)) r
        group by r.round order by r.round
    loop
      target := staging.borrow(p_stream, ingest.recorded_keys(p_stream,
        format('(select natural_key from ingest.conflict where conflict_id = any (%L))', turn)));
      execute format(
        'with line as materialized (
           select c.conflict_id, c.natural_key, c.refused_row, c.source_file_id, c.line_number
             from ingest.conflict c where c.conflict_id = any ($1)
         ), met as materialized (
           select k.*, t as stored, %1$s as is_foreign from line k join %2$s t on %3$s
         ), given as materialized (
           select m.natural_key, jsonb_object_agg(v.field, v.before) as before,
               jsonb_object_agg(v.field, m.refused_row -> v.field) as restored,
               count(*) filter (where v.before is distinct from m.refused_row ->> v.field) as changes
             from met m, lateral (values %4$s) v (leader, field, before)
             where not m.is_foreign and m.refused_row ? v.leader
             group by m.natural_key
         ), extended as (
           update ingest.overlaid_row o set loaded_values = g.before || o.loaded_values
             from given g
             where o.stream = %5$L and o.natural_key = g.natural_key
               and not o.loaded_values ?& array(select jsonb_object_keys(g.before))
         ), begun as (
           insert into ingest.overlaid_row (stream, natural_key, loaded_values)
             select %5$L, g.natural_key, g.before from given g
               where not exists (select from ingest.overlaid_row o
                 where o.stream = %5$L and o.natural_key = g.natural_key)
         ), changing as materialized (
           select m.stored, g.* from given g join met m on m.natural_key = g.natural_key where g.changes > 0
         ), changed as (
           update %2$s t set %6$s from changing k where %3$s returning t.*
         ), noted as (%7$s), marked as (
           update ingest.conflict c set acceptance_id = $2 from met m
             where not m.is_foreign and c.stream = %5$L and c.source_file_id = m.source_file_id
               and c.line_number = m.line_number
         )
         select count(*) filter (where not m.is_foreign) as lines,
             count(*) filter (where m.is_foreign) as foreign_lines,
             count(*) filter (where m.conflict_id is null) as rowless,
             (select coalesce(sum(g.changes), 0) from given g) as changes
           from line l left join met m on m.conflict_id = l.conflict_id',
        is_foreign, target, same_key, fields, p_stream, ingest.restoring_assignments(p_stream),
        rollup.note_statement(p_stream, '(select (stored).* from changing union all select * from changed)'))
        into settled using turn, p_acceptance_id;
      perform staging.give_back(p_stream);
      line_count := line_count + settled.lines;
      value_count := value_count + settled.changes;
      rowless_count := rowless_count + settled.rowless;
      foreign_count := foreign_count + settled.foreign_lines;
    end loop;
  exception when integrity_constraint_violation or data_exception then
    get stacked diagnostics failed_constraint = constraint_name;
    raise exception 'a stored row of stream % cannot hold the values of a refused line%', p_stream,
        coalesce(' (constraint ' || nullif(failed_constraint, '') || ')', '')
      using errcode = sqlstate;
  end;
  select count(distinct c.natural_key) into row_count
    from ingest.conflict c where c.acceptance_id = p_acceptance_id and c.stream = p_stream;
  return next;
end
$$;
comment on function ingest.accept_lines is
  'Writes the values of refused lines of one stream to the stored rows, in the order of refusal. Part of ingest.accept_conflicts.';
