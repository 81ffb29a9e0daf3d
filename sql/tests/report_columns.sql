-- The names of the reports: every view has its columns, and one row for each value of its grain.
\ir parts/reports.sql
select no_plan();

create temporary table promised (view text, grain text, columns text);
insert into promised values
  ('horizon', 'app_id stream', 'first_event_at newest_event_at'),
  ('purchase', 'payment_seq', 'purchased_on amount is_paid is_sandbox_known is_first_paid chain_id user_level
    level_attribution channel_id character_id class_id base_currency base_amount'),
  ('player', 'app_id user_id', 'first_observed_at first_observed_on first_observed_in last_observed_at first_paid_at
    first_paid_on last_paid_at paid_count days_of_history user_level channel_id character_id class_id'),
  ('player_revenue', 'app_id user_id currency', 'paid_count amount_minor amount'),
  ('player_day', 'app_id user_id day', 'is_observed level_up_count paid_count is_new_payer level_at_end'),
  ('revenue_by_day', 'day app_id currency store_code gamebase_product_id is_promotion', 'purchase_count
    paid_count payer_count free_count unpriced_count imprecise_count unknown_sandbox_count amount_minor amount
    promotion_amount'),
  ('sandbox_revenue_by_day', 'day app_id currency store_code gamebase_product_id', 'purchase_count payer_count
    amount_minor amount'),
  ('payers_by_period', 'period period_start app_id', 'payer_count new_payer_count repeat_payer_count is_complete'),
  ('observed_by_period', 'period period_start app_id', 'observed_user_count level_up_user_count snapshot_user_count
    payer_count new_user_count is_complete'),
  ('arppu_by_period', 'period period_start app_id currency', 'amount_minor amount paid_count payer_count new_payer_amount
    repeat_payer_amount arppu amount_per_observed_user is_complete'),
  ('product_by_day', 'day app_id currency gamebase_product_id store_code', 'purchase_count paid_count payer_count
    new_payer_count amount_minor amount share_of_amount'),
  ('payer_concentration', 'month app_id currency top_share', 'payer_count amount_minor amount share_of_amount
    is_complete'),
  ('retention_by_cohort', 'app_id cohort_on day_n', 'cohort_size mature_size observed_count rate is_mature'),
  ('conversion_by_cohort', 'app_id cohort_on day_n', 'cohort_size mature_size converted_count rate is_mature'),
  ('revenue_by_cohort', 'app_id cohort_kind cohort_on day_n currency', 'cohort_size mature_size payer_count cumulative_amount
    amount_per_user is_mature'),
  ('subscription_period', 'payment_seq', 'app_id user_id gamebase_product_id store_code currency amount_minor amount
    chain_id chain_rule starts_at ends_at period_kind is_trial is_paid is_overlapped'),
  ('subscription_by_day', 'app_id gamebase_product_id store_code day', 'active_paid active_trial active_other new_count
    continued_count converted_count renewed_count resubscribed_count expired_count overlapped_count is_complete
    is_expiry_final'),
  ('subscription_retention', 'app_id gamebase_product_id month started_as renewal_number', 'eligible retained rate is_mature'),
  ('mrr_by_day', 'app_id currency day', 'amount_minor amount unknown_length_count is_complete'),
  ('trial_conversion_by_month', 'app_id gamebase_product_id month', 'trial_count converted_count lost_count pending_count
    rate is_mature'),
  ('churn_by_month', 'app_id gamebase_product_id month', 'active_at_start churned_count rate is_complete'),
  ('mrr_movement_by_month', 'app_id currency month', 'starting_amount new_amount reactivated_amount expansion_amount
    contraction_amount churned_amount ending_amount unknown_length_count is_complete'),
  ('level_funnel', 'app_id user_level', 'recorded_user_count reached_user_count stopped_user_count stopped_7d_count
    first_reached_at'),
  ('level_time', 'app_id user_level', 'user_count step_user_count p25_minutes_since_first_observed
    p50_minutes_since_first_observed p90_minutes_since_first_observed p25_minutes_since_previous_level
    p50_minutes_since_previous_level p90_minutes_since_previous_level'),
  ('revenue_by_level', 'app_id currency user_level level_attribution', 'payer_count paid_count amount_minor amount'),
  ('character_history', 'app_id user_id channel_id character_id valid_from', 'user_level class_id valid_to'),
  ('current_game_user', 'app_id user_id channel_id character_id', 'user_level class_id observed_at observed_at_source
    source_file_id line_number'),
  ('event_by_day', 'day app_id category event_group code', 'code_name event_count user_count'),
  ('push_by_day', 'day app_id push_id', 'received_count received_user_count clicked_count clicked_user_count action_count
    open_app_count open_url_count reply_count dismiss_count other_action_count'),
  ('push_performance', 'app_id push_id', 'first_received_at received_user_count clicked_user_count click_rate'),
  ('service_status_by_day', 'day app_id code', 'code_name report_count user_count'),
  ('kickout_by_day', 'day app_id kind', 'message_count message_user_count close_count close_user_count'),
  ('idp_revocation_by_day', 'day app_id idp_type code', 'code_name event_count user_count'),
  ('current_item', 'app_id store_code gamebase_product_id market_item_id item_seq currency', 'amount_minor amount
    product_type item_name localized_title is_active observed_at'),
  ('item_history', 'app_id store_code gamebase_product_id market_item_id item_seq currency valid_from', 'amount_minor
    amount product_type item_name localized_title is_active valid_to'),
  ('receipt_price_check', 'payment_seq', 'app_id currency amount_minor amount item_amount_minor item_amount
    difference_minor difference observed_at'),
  ('revenue_converted_by_period', 'period period_start app_id', 'base_currency paid_count unconverted_count base_amount
    is_complete'),
  ('rate_gap', 'app_id currency', 'first_purchased_on last_purchased_on unconverted_count amount_minor amount'),
  ('product', 'app_id gamebase_product_id', 'product_name is_named product_type market_item_id_count first_sold_on
    last_sold_on'),
  ('player_value', 'app_id user_id', 'base_currency paid_count unconverted_count base_amount first_paid_on last_paid_on'),
  ('value_by_cohort', 'app_id cohort_kind period cohort_start day_n', 'base_currency cohort_size mature_size payer_count
    base_amount base_amount_per_user unconverted_count is_mature'),
  ('arppu_converted_by_period', 'period period_start app_id', 'base_currency base_amount payer_count arppu
    base_amount_per_observed_user unconverted_count is_complete'),
  ('level_funnel_by_cohort', 'app_id cohort_month user_level', 'reached_user_count stopped_user_count stopped_7d_count'),
  ('revenue_by_hour', 'hour app_id currency', 'paid_count payer_count amount_minor amount'),
  ('event_by_hour', 'hour app_id category event_group code', 'event_count user_count'),
  ('level_up', 'app_id user_id character_id user_level leveled_up_at', 'channel_id class_id text_repaired source_file_id
    line_number day'),
  ('game_user_snapshot', 'app_id user_id channel_id character_id observed_at', 'user_level class_id observed_at_source
    text_repaired source_file_id line_number day'),
  ('event', 'occurred_at app_id event_id', 'user_id category event_group code idp_type push_id push_is_foreground
    push_action_type payment_seq text_repaired source_file_id line_number day'),
  ('setting', 'name', 'value'),
  ('health', 'app_id stream', 'verdict own_verdict reason newest_event_at hours_behind_now max_hours_behind
    newest_loaded_at missing_day_count implausible_day_count open_failure_count open_conflict_count pending_file_count
    set_aside_count'),
  ('open_failure', 'kind stream path', 'app_id first_failed_at last_failed_at attempt_count error_code error'),
  ('app', 'app_id', 'first_event_at newest_event_at player_count receipt_feed'),
  ('freshness', 'stream app_id', 'newest_event_at newest_loaded_at hours_behind_now hours_since_load hours_behind_app'),
  ('calendar_gap', 'stream app_id day', 'line_count median_line_count is_missing is_unusual'),
  ('quality_by_day', 'stream app_id loaded_on', 'line_count reject_count conflict_count unknown_sandbox_count
    unpriced_count free_count imprecise_count repaired_count unknown_product_type_count untyped_expiry_count
    load_start_count'),
  ('reject_by_day', 'day stream code field is_loaded', 'reject_count'),
  ('load_history', 'load_id source_file_id path', 'standing_count erased_count undone_count dismissed_at'),
  ('reject_summary', 'stream code field', 'reject_count open_count'),
  ('unknown_field_summary', 'stream field', 'line_count file_count'),
  ('set_aside_player', 'app_id user_id', 'player_number since attempt_count error');

select is(
  array(select v.view || '.' || c.name
    from promised v, regexp_split_to_table(trim(v.grain || ' ' || v.columns), '\s+') c (name)
    where not exists (select from pg_catalog.pg_attribute a
      where a.attrelid = to_regclass('report.' || v.view) and a.attname = c.name and a.attnum > 0)
    order by 1),
  '{}', 'every view has its columns');
select is(
  array(select v.view || '.' || a.attname
    from promised v join pg_catalog.pg_attribute a on a.attrelid = to_regclass('report.' || v.view)
    where a.attnum > 0 and a.atttypid in ('real'::regtype, 'double precision'::regtype)
    order by 1),
  '{}', 'no figure is a floating-point number');

select is(
  array(select c.relname || '.' || a.attname
    from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'report'::regnamespace and c.relkind = 'v' and a.attnum > 0
      and (a.atttypid in ('real'::regtype, 'double precision'::regtype) or a.atttypid = 'numeric'::regtype and a.atttypmod = -1)
    order by 1),
  '{}', 'every numeric column declares its precision and scale, so clients keep it exact');

-- Names of NULL in every column of a grain that can be NULL.
insert into new_receipt (payment_seq, user_id, store_code, gamebase_product_id, product_type, is_sandbox, is_promotion,
    purchased_at, expires_at)
  select 'p' || n, 'u' || n % 5, (array['GG', null])[1 + n % 2], (array['gem', 'gold', null])[1 + n % 3],
      case n % 2 when 0 then 'AUTO_RENEWABLE' else 'CONSUMABLE' end, case n % 7 when 0 then true end,
      case n % 11 when 0 then true end, timestamptz '2025-01-01 00:00Z' + n * interval '5 hours',
      case n % 2 when 0 then timestamptz '2025-01-08 00:00Z' + n * interval '5 hours' end
    from generate_series(1, 60) n;
insert into new_level_up (user_id, user_level, character_id, leveled_up_at)
  select 'u' || n % 6, 1 + n / 6, (array['c', null])[1 + n % 2], timestamptz '2025-01-01 00:00Z' + n * interval '6 hours'
    from generate_series(1, 40) n;
insert into new_game_user (user_id, user_level, channel_id, character_id, class_id, observed_at, observed_at_source)
  select 'u' || n % 7, 1 + n / 6, (array['x', null])[1 + n % 2], (array['c', null, null])[1 + n % 3], null,
      timestamptz '2025-01-01 00:00Z' + n * interval '6 hours', case n % 9 when 0 then 'load_start' else 'line' end
    from generate_series(1, 40) n;
insert into new_item (store_code, gamebase_product_id, market_item_id, item_seq, currency, amount_minor, observed_at)
  select (array['GG', null])[1 + n % 2], (array['gem', 'gold', null])[1 + n % 3], (array['m', null])[1 + n % 2],
      case when n % 3 = 2 then n % 2 end, case when n % 7 > 0 then 'USD' end, case when n % 7 > 0 then 100 + n % 4 end,
      timestamptz '2025-01-01 00:00Z' + n * interval '5 hours'
    from generate_series(1, 60) n;
select pg_temp.load_lines();
\ir parts/refresh.sql
select is_empty(
  format('select %1$s from report.%2$I group by %1$s having count(*) > 1', regexp_replace(grain, '\s+', ', ', 'g'), view),
  view || ' has one row for each ' || regexp_replace(grain, '\s+', ', ', 'g'))
  from promised order by view;

select * from finish();
