-- The caller holds the locks of all streams.
--
-- When the key of a line already has a later accepted line, the line is skipped unless its file, run or key is named.
-- Otherwise "accept all open conflicts" would overwrite a newer correction with an older one.
--
-- A line that names another user or application than the row is skipped. The owner of a row decides which erasure
-- deletes it, and an undo of such an acceptance would have to restore a row that was erased meanwhile. A line with
-- another currency and no amount is skipped too, because the stored amount would change its currency.
create or replace function ingest.accept_conflicts(
  p_conflicts bigint[], p_file text, p_load_id bigint, p_stream text, p_field text, p_is_asked_by_key boolean)
returns table (acceptance_id bigint, line_count bigint, row_count bigint, value_count bigint,
  rowless_count bigint, foreign_count bigint, incomplete_count bigint, superseded_count bigint)
language plpgsql
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
set datestyle = 'ISO, YMD'
set bytea_output = 'hex'
as $$
#variable_conflict use_column
declare
  number bigint;
  chosen record;        -- the lines of a stream
  registered ingest.stream;
  target regclass;
  same_key text;
  is_foreign text;      -- refused line k has another owner than stored row t, or another currency and no amount
  fields text;          -- one row per column: leader, column, stored value
  turn bigint[];        -- the lines of one round
  settled record;
  failed_constraint text;
begin
  insert into ingest.acceptance (streams, asked_file, asked_load_id, asked_stream, asked_field, is_asked_by_key)
    values (array(select distinct c.stream from ingest.conflict c where c.conflict_id = any (p_conflicts) order by 1),
      p_file, p_load_id, p_stream, p_field, p_is_asked_by_key)
    returning acceptance.acceptance_id into number;
  select 0, 0, 0, 0, 0, 0
    into line_count, value_count, rowless_count, foreign_count, incomplete_count, superseded_count;
  for chosen in
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
  loop
    incomplete_count := incomplete_count + chosen.incomplete;
    superseded_count := superseded_count + chosen.superseded;
    select * into strict registered from ingest.stream s where s.stream = chosen.stream;
    same_key := ingest.key_condition(chosen.stream);
    select coalesce(string_agg(
        format('coalesce(nullif(t.%1$I, '''') <> k.refused_row ->> %1$L, false)', c), ' or '), 'false')
      into is_foreign
      from unnest(registered.compared_columns) c where c in ('user_id', 'app_id');
    if registered.compared_columns @> array['currency', 'amount_minor'] then
      is_foreign := is_foreign || ' or t.amount_minor is not null and not k.refused_row ? ''amount_minor''
        and coalesce(t.currency <> k.refused_row ->> ''currency'', false)';
    end if;
    select string_agg(format('(%L, %L, (m.stored).%I::text)', f.leader, f.field, f.field), ', ') into fields
      from ingest.acceptable_fields(chosen.stream) f;

    -- The DETAIL of a constraint error would show the whole row, so the error is raised again without it.
    begin
      -- Each round applies one line per key, so lines of the same key are applied in the order of their refusal. Nearly
      -- always one round is enough.
      for turn in
        select array_agg(r.conflict_id)
          from (select c.conflict_id,
                row_number() over (partition by c.natural_key order by c.conflict_id) as round
              from ingest.conflict c where c.conflict_id = any (chosen.conflicts)) r
          group by r.round order by r.round
      loop
        target := staging.borrow(chosen.stream, ingest.recorded_keys(chosen.stream,
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
          is_foreign, target, same_key, fields, chosen.stream, ingest.restoring_assignments(chosen.stream),
          rollup.note_statement(chosen.stream, '(select (stored).* from changing union all select * from changed)'))
          into settled using turn, number;
        perform staging.give_back(chosen.stream);
        line_count := line_count + settled.lines;
        value_count := value_count + settled.changes;
        rowless_count := rowless_count + settled.rowless;
        foreign_count := foreign_count + settled.foreign_lines;
      end loop;
    exception when integrity_constraint_violation or data_exception then
      get stacked diagnostics failed_constraint = constraint_name;
      raise exception 'a stored row of stream % cannot hold the values of a refused line%', chosen.stream,
          coalesce(' (constraint ' || nullif(failed_constraint, '') || ')', '')
        using errcode = sqlstate;
    end;
  end loop;
  select count(distinct (c.stream, c.natural_key)) into row_count from ingest.conflict c where c.acceptance_id = number;
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
