-- The refresh and the live views count rows by this one definition. A text for each stream and not a view of all streams:
-- a cluster would fetch the rows of all of them to the coordinator before it looks at the stream.
create or replace function staging.standing_rows(p_stream text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select format(
      'select r.source_file_id, r.app_id, r.%I as event_at, %s as is_dated, %s as is_sandbox_unknown, %s as is_unpriced,
         %s as is_free, %s as is_imprecise, %s as is_repaired, %s as is_product_type_unknown, %s as is_expiry_untyped
         from game.%I r',
      s.time_column, d.is_dated, d.is_sandbox_unknown, d.is_unpriced, d.is_free, d.is_imprecise, d.is_repaired,
      d.is_product_type_unknown, d.is_expiry_untyped, s.target_table)
    from ingest.stream s
    join (values
      ('receipt', 'true',
        'r.is_sandbox is null',
        '(r.is_sandbox is not true and r.amount_minor is null)',
        '(r.is_sandbox is not true and coalesce(r.amount_minor = 0, false))',
        '(r.is_sandbox is not true and r.price_imprecise)',
        '(r.price_repaired or r.text_repaired)',
        'coalesce(r.product_type = ''UNKNOWN'', false)',
        '(r.expires_at is not null
          and coalesce(r.product_type not in (''AUTO_RENEWABLE'', ''CONSUMABLE_AUTO_RENEWABLE''), true))'),
      ('level_up', 'true', 'false', 'false', 'false', 'false', 'r.text_repaired', 'false', 'false'),
      ('game_user', 'r.observed_at_source <> ''load_start''', 'false', 'false', 'false', 'false', 'r.text_repaired',
        'false', 'false'),
      ('item', 'r.observed_at_source <> ''load_start''', 'false', 'false', 'false', 'r.price_imprecise',
        '(r.price_repaired or r.text_repaired)', 'coalesce(r.product_type = ''UNKNOWN'', false)', 'false'),
      ('event', 'true', 'false', 'false', 'false', 'false', 'r.text_repaired', 'false', 'false')
    ) d (stream, is_dated, is_sandbox_unknown, is_unpriced, is_free, is_imprecise, is_repaired, is_product_type_unknown,
      is_expiry_untyped) on d.stream = s.stream
    where s.stream = p_stream
$$;
comment on function staging.standing_rows is
  'The query for the stored rows of a stream, each with its file, application and time, and with the properties that the reports on data quality count.';
