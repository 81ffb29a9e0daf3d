create or replace function ingest.accepted_changes(p_conflicts bigint[])
returns table (conflict_id bigint, acceptance_id bigint, stream text, natural_key jsonb, field text, before text,
  after text, source_file_id bigint, line_number bigint)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  with accepted_row as materialized (
    select o.stream, o.natural_key, o.loaded_values
      from (select distinct c.stream, c.natural_key from ingest.conflict c where c.conflict_id = any (p_conflicts)) k
      join ingest.overlaid_row o on o.stream = k.stream and o.natural_key = k.natural_key
  ), field as materialized (
    select s.stream, f.leader, f.field
      from (select distinct stream from accepted_row) s, ingest.acceptable_fields(s.stream) f
  ), given as (
    select c.*, f.field as given_field, c.refused_row ->> f.field as after,
        lag(c.refused_row ->> f.field, 1, r.loaded_values ->> f.field)
          over (partition by c.stream, c.natural_key, f.field order by c.acceptance_id, c.conflict_id) as before
      from accepted_row r
      join ingest.conflict c on c.stream = r.stream and c.natural_key = r.natural_key and c.refused_row is not null
      join field f on f.stream = c.stream and c.refused_row ? f.leader
      where c.acceptance_id is not null
  )
  select g.conflict_id, g.acceptance_id, g.stream, g.natural_key, g.given_field, g.before, g.after, g.source_file_id,
      g.line_number
    from given g
    where g.before is distinct from g.after and g.conflict_id = any (p_conflicts)
    order by g.acceptance_id, g.conflict_id, g.given_field
$$;
comment on function ingest.accepted_changes is
  'The values that accepted lines have changed: each with the value before it, from the line accepted before or the loads. p_conflicts has the conflict with refused_row of each line. In the order of acceptance.';
