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
  same_key text := ingest.natural_key_condition(p_stream);
  is_foreign text;      -- refused line k has another owner than stored row t, or another currency and no amount
  fields text;          -- one row per column: leader, column, stored value
  assignments text;     -- SET list: values of k for t
  turn bigint[];        -- the lines of one round
  settled record;
  failed_constraint text;
begin
  select * into strict registered from ingest.stream s where s.stream = p_stream;
  target := format('game.%I', registered.target_table)::regclass;
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
  select string_agg(format('(%L, %L, (m.stored).%I::text)', f.leader, f.field, f.field), ', '),
      string_agg(format('%1$I = case when k.refused_row ? %2$L then (k.refused_row ->> %1$L)::%3$s else t.%1$I end',
        f.field, f.leader, format_type(a.atttypid, a.atttypmod)), ', ')
    into fields, assignments
    from ingest.acceptable_fields(p_stream) f
    join pg_catalog.pg_attribute a on a.attrelid = target and a.attname = f.field;
  -- The refused token is not stored, and the stored token does not match the new digest.
  assignments := concat_ws(', ', assignments, 'row_digest = null', (
    select string_agg(format(
        '%1$I = case when k.refused_row ? %2$L and t.%2$I::text is distinct from k.refused_row ->> %2$L
           then null else t.%1$I end', secret, secret || '_sha256'), ', ')
      from unnest(registered.secret_columns) secret));

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
           select m.conflict_id, m.natural_key, m.source_file_id, m.line_number, v.leader, v.field,
               v.before, m.refused_row ->> v.field as after,
               bool_or(v.before is distinct from m.refused_row ->> v.field)
                 over (partition by m.conflict_id, v.leader) as is_changed
             from met m, lateral (values %4$s) v (leader, field, before)
             where not m.is_foreign and m.refused_row ? v.leader
         ), recorded as (
           -- An undo can remove an earlier fill or accepted value of the column, so an equal value is recorded too.
           insert into ingest.accepted_value
               (acceptance_id, stream, natural_key, field, before, after, source_file_id, line_number)
             select $2, %5$L, g.natural_key, g.field, g.before, g.after, g.source_file_id, g.line_number
               from given g
               where g.is_changed
                 or exists (select 1 from ingest.fill f
                   where f.stream = %5$L and f.natural_key = g.natural_key and f.field = g.leader)
                 or exists (select 1 from ingest.accepted_value a
                   where (a.stream || '' '' || a.field || '' '' || a.natural_key::text collate "C")
                     = %5$L || '' '' || g.leader || '' '' || g.natural_key::text)
               order by g.conflict_id, g.field
         ), changing as materialized (
           select * from met k where k.conflict_id in (select g.conflict_id from given g where g.is_changed)
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
             (select count(*) from given g where g.before is distinct from g.after) as changes
           from line l left join met m on m.conflict_id = l.conflict_id',
        is_foreign, target, same_key, fields, p_stream, assignments,
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
revoke execute on function ingest.accept_lines from public;
comment on function ingest.accept_lines is
  'Writes the values of refused lines of one stream to the stored rows, in the order of refusal. Part of ingest.accept_conflicts.';
