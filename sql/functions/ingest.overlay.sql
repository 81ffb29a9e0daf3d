create or replace function ingest.overlay(p_stream text, p_natural_key jsonb, p_before bigint default null) returns jsonb
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select o.loaded_values || coalesce((
      select jsonb_object_agg(a.field, a.value)
        from (
          select distinct on (f.field) f.field, c.refused_row ->> f.field as value
            from ingest.conflict c join ingest.acceptable_fields(p_stream) f on c.refused_row ? f.leader
            where c.stream = p_stream and c.natural_key = p_natural_key and c.refused_row is not null
              and (c.acceptance_id < p_before or p_before is null and c.acceptance_id is not null)
            order by f.field, c.acceptance_id desc, c.conflict_id desc) a), '{}')
    from ingest.overlaid_row o
    where o.stream = p_stream and o.natural_key = p_natural_key
$$;
comment on function ingest.overlay is
  'The values of a stored row''s overlaid columns, as text by column: the loaded ones, overlaid by accepted lines in the order of their acceptance, up to the acceptance before p_before or all (NULL). NULL for a row without accepted lines.';
