-- Views of a merged version: their first columns keep their names and places, because CREATE OR REPLACE VIEW can only
-- append columns, and a migration of a database with such a view fails otherwise.
begin;
select plan(8);

select is(
    array(
      select a.attname::text
        from pg_catalog.pg_attribute a
        where a.attrelid = format('report.%I', v.name)::regclass and a.attnum between 1 and cardinality(v.columns)
        order by a.attnum),
    v.columns, format('the first columns of report.%s keep their places', v.name))
  from (
    select split_part(line, ': ', 1) as name, string_to_array(split_part(line, ': ', 2), ' ') as columns
      from (values
        ('current_game_user: app_id user_id channel_id character_id user_level class_id observed_at '
          || 'observed_at_source source_file_id line_number'),
        ('level_funnel: app_id user_level recorded_user_count reached_user_count stopped_user_count '
          || 'first_reached_at'),
        ('load_history: load_id started_at finished_at exit_code status stream path source_file_id byte_count '
          || 'line_count inserted_count filled_count duplicate_count conflict_count rejected_count suppressed_count '
          || 'blank_count reason undone_at erased_count'),
        ('purchase: payment_seq app_id user_id gamebase_product_id market_item_id item_seq product_type product_type_raw '
          || 'store_code currency amount_minor price_raw price_repaired price_imprecise purchased_at expires_at '
          || 'payment_id original_payment_id is_sandbox is_promotion text_repaired source_file_id line_number '
          || 'purchased_on amount is_paid is_sandbox_known is_first_paid chain_id user_level level_attribution '
          || 'channel_id character_id class_id base_currency base_amount store_name product_name'),
        ('reject_summary: stream code field reject_count open_count last_loaded_at example_path example_line_number '
          || 'example_reason'),
        ('revenue_by_day: day app_id currency store_code gamebase_product_id is_promotion purchase_count '
          || 'payer_count unpriced_count imprecise_count amount_minor amount'),
        ('sandbox_revenue_by_day: day app_id currency store_code gamebase_product_id purchase_count '
          || 'payer_count amount_minor amount'),
        ('unknown_field_summary: stream field line_count file_count first_loaded_at last_loaded_at example_path '
          || 'example_line_number')
      ) l (line)
  ) v;

select * from finish();
rollback;
