-- The cursor reads with the rights of this function's owner, and the caller fetches from it.
--
-- One row type for all kinds of rows, so that one sort brings the rows of a player together. PlayerRowKind in Swift names
-- the kinds and what each column holds. A flag with three values is 0 (NULL), 1 (false) or 2 (true).
--
-- Of a player who continues from its state, only new rows are read, and of the stored figures only those that the new
-- rows can touch. Of a late player everything is read.
create or replace function rollup.open_player_rows() returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set jit = off
set work_mem = '64MB'
as $$
#variable_conflict use_column
declare
  player_rows refcursor := 'player_rows';
  receipts bigint := (select source_file_id from report.refresh_state where stream = 'receipt');
  levels bigint := (select source_file_id from report.refresh_state where stream = 'level_up');
  snapshots bigint := (select source_file_id from report.refresh_state where stream = 'game_user');
  player_total bigint;
  late_total bigint;
  nested_loops constant text := current_setting('enable_nestloop');
  -- With many players late, look-ups of single players cost more than reading all rows.
  reads_all boolean;
  parts text[];
  receipt_columns constant text := $sql$10::smallint, r.purchased_at, r.expires_at, r.amount_minor, r.source_file_id,
      r.line_number, (case r.is_sandbox when false then 1 when true then 2 else 0 end
        + case r.is_promotion when false then 4 when true then 8 else 0 end
        + case when r.price_imprecise then 16 else 0 end
        + case when r.product_type in ('AUTO_RENEWABLE', 'CONSUMABLE_AUTO_RENEWABLE') then 32 else 0 end)::bigint,
      null::bigint, null::bigint, null::bigint,
      r.payment_seq, r.currency, r.gamebase_product_id, r.store_code, r.payment_id, r.original_payment_id, null$sql$;
  -- A stored receipt with its level and its flags: 1 always, 2 an observation, 4 and 8 the attribution.
  stored_columns constant text := replace(receipt_columns, 'null::bigint, null::bigint, null::bigint',
    $sql$p.user_level::bigint, (1 + case when p.is_observation then 2 else 0 end
        + case p.level_attribution when 'exact' then 4 when 'highest_of_several' then 8 else 0 end)::bigint, null::bigint$sql$);
  level_columns constant text := $sql$11::smallint, r.leveled_up_at, null::timestamptz, r.user_level::bigint,
      r.source_file_id, r.line_number, 1::bigint, null::bigint, null::bigint, null::bigint,
      r.character_id, r.channel_id, r.class_id, null, null, null, null$sql$;
  snapshot_columns constant text := $sql$11::smallint, r.observed_at, null::timestamptz, r.user_level::bigint,
      r.source_file_id, r.line_number, (case r.observed_at_source when 'line' then 2 when 'option' then 3 else 0 end)::bigint,
      null::bigint, null::bigint, null::bigint, r.character_id, r.channel_id, r.class_id, null, null, null, null$sql$;
begin
  perform rollup.require_working_tables();
  select count(*), count(*) filter (where t.is_late) into player_total, late_total from pg_temp.touched_player t;
  reads_all := late_total * 20 > (select count(*) from (select 1 from rollup.player limit late_total * 20) p);
  parts := array[
    -- The players, and their stored state.
    $sql$select t.player_no, 0::smallint as kind, p.newest_at as at, p.last_level_up_at as until, p.paid_count as n1,
        p.receipt_count as n2, p.subscription_count as n3,
        (case when t.is_late then 1 else 0 end + case when p.user_id is not null then 2 else 0 end)::bigint as n4,
        null::bigint as n5, null::bigint as n6, null::bigint as n7,
        t.app_id as t1, t.user_id as t2, null as t3, null as t4, null as t5, null as t6, null as t7, p.levels as a1,
        p.reached_at as a2
      from pg_temp.touched_player t left join rollup.player p on p.app_id = t.app_id and p.user_id = t.user_id$sql$,
    $sql$select t.player_no, 1::smallint, p.first_observed_at, p.last_observed_at, p.observed_on - date '2000-01-01',
        p.level_up_on - date '2000-01-01', p.snapshot_on - date '2000-01-01', p.first_observed_on - date '2000-01-01', null,
        null, null, p.first_observed_in, p.last_observed_in, null, null, null, null, null, null, null
      from pg_temp.touched_player t join rollup.player p on p.app_id = t.app_id and p.user_id = t.user_id$sql$,
    $sql$select t.player_no, 2::smallint, p.first_paid_at, p.last_paid_at, p.first_paid_on - date '2000-01-01', p.user_level,
        null, null, null, null, null, p.character_id, p.channel_id, p.class_id, null, null, null, null, null, null
      from pg_temp.touched_player t join rollup.player p on p.app_id = t.app_id and p.user_id = t.user_id$sql$,
    $sql$select t.player_no, 3::smallint, c.event_at, null, c.user_level, c.source_file_id, c.line_number,
        case c.kind when 'load_start' then 0 when 'level_up' then 1 else 2 end, null, null, null, c.character_id,
        c.channel_id, c.class_id, null, null, null, null, null, null
      from pg_temp.touched_player t join rollup.player_character c on c.app_id = t.app_id and c.user_id = t.user_id$sql$,
    $sql$select t.player_no, 4::smallint, c.observed_at, null, c.user_level, c.source_file_id, c.line_number,
        case c.observed_at_source when 'line' then 2 when 'option' then 3 else 0 end, null, null, null, c.character_id,
        c.channel_id, c.class_id, null, null, null, null, null, null
      from pg_temp.touched_player t join rollup.current_game_user c on c.app_id = t.app_id and c.user_id = t.user_id$sql$,
    $sql$select t.player_no, 5::smallint, c.valid_from, null, c.user_level, null, null, null, null, null, null,
        c.character_id, c.channel_id, c.class_id, null, null, null, null, null, null
      from pg_temp.touched_player t join rollup.character_change c on c.app_id = t.app_id and c.user_id = t.user_id
      where t.is_late$sql$,
    $sql$select t.player_no, 6::smallint, null, null, d.day - date '2000-01-01', d.level_up_count, d.snapshot_count,
        d.paid_count, d.level_at_end,
        d.firsts + case when d.is_observed then 65536 else 0 end + case when d.is_new_payer then 131072 else 0 end,
        d.first_observed_on - date '2000-01-01', null, null, null, null, null, null, null, null, null
      from pg_temp.touched_player t
      join rollup.player p on p.app_id = t.app_id and p.user_id = t.user_id
      join rollup.player_day d on d.app_id = t.app_id and d.user_id = t.user_id
      where t.is_late or d.day >= (p.newest_at at time zone $sql$ || quote_literal(report.reporting_zone()) || $sql$)::date$sql$,
    $sql$select t.player_no, 7::smallint, r.purchased_at, null, r.amount_minor, r.user_level, r.firsts,
        case r.is_sandbox when false then 1 when true then 2 else 0 end
          + case r.is_promotion when false then 4 when true then 8 else 0 end
          + case when r.price_imprecise then 16 else 0 end + case when r.is_paid then 32 else 0 end
          + case when r.is_observation then 64 else 0 end
          + case r.level_attribution when 'exact' then 128 when 'highest_of_several' then 256 else 0 end,
        r.day - date '2000-01-01', r.first_observed_on - date '2000-01-01', r.first_paid_on - date '2000-01-01',
        r.payment_seq, r.currency, r.gamebase_product_id, r.store_code, r.character_id, r.channel_id, r.class_id, null, null
      from pg_temp.touched_player t join rollup.purchase r on r.app_id = t.app_id and r.user_id = t.user_id
      where t.is_late$sql$,
    $sql$select t.player_no, 8::smallint, s.starts_at, s.ends_at, s.amount_minor, s.purchased_on - date '2000-01-01',
        s.starts_on - date '2000-01-01',
        case s.chain_rule when 'original' then 0 when 'google' then 1 when 'payment' then 2 else 3 end
          + case s.period_kind when 'new' then 4 when 'continued' then 8 when 'renewal' then 12
            when 'resubscription' then 16 else 0 end
          + case when s.is_trial then 32 else 0 end + case when s.is_paid then 64 else 0 end
          + case when s.is_converted then 128 else 0 end + case when s.is_renewed then 256 else 0 end
          + case when s.is_expiry then 512 else 0 end + s.length_in_days::bigint * 1024,
        s.ends_on - date '2000-01-01', s.renewal_number, s.cohort_month - date '2000-01-01',
        s.payment_seq, s.chain_id, s.currency, s.gamebase_product_id, s.store_code, s.cohort_product_id, null, null, null
      from pg_temp.touched_player t join rollup.subscription_period s on s.app_id = t.app_id and s.user_id = t.user_id
      where t.is_late or t.has_receipt$sql$];
  if late_total > 0 then
    parts := parts || text $sql$select t.player_no, 9::smallint, k.first_observed_at, k.last_observed_at, null, k.source_file_id,
        null, case k.stream when 'level_up' then 1 else 2 end, null, null, null, null, null, null, null, null, null, null,
        null, null
      from pg_temp.touched_player t join ingest.kept_observation k on k.app_id = t.app_id and k.user_id = t.user_id
      where t.is_late$sql$;
    if reads_all then
      parts := parts || format('select t.player_no, %s, null, null
        from pg_temp.touched_player t join game.receipt r on r.app_id = t.app_id and r.user_id = t.user_id
        where t.is_late', receipt_columns);
    else
      -- The receipts of a player are those that the reports contain, and the touched ones.
      parts := parts || format('select t.player_no, %s, null, null
        from (
          select t.player_no, t.app_id, t.user_id, p.payment_seq
            from pg_temp.touched_player t join rollup.purchase p on p.app_id = t.app_id and p.user_id = t.user_id
            where t.is_late
          union
          select t.player_no, t.app_id, t.user_id, n.payment_seq
            from pg_temp.touched_player t join staging.touched_row n on n.app_id = t.app_id and n.user_id = t.user_id
            where t.is_late and n.stream = ''receipt''
        ) t
        join game.receipt r on r.payment_seq = t.payment_seq and r.app_id = t.app_id and r.user_id = t.user_id',
        receipt_columns);
    end if;
    parts := parts
      || format('select t.player_no, %s, null, null
        from pg_temp.touched_player t join game.level_up r on r.app_id = t.app_id and r.user_id = t.user_id
        where t.is_late', level_columns)
      || format('select t.player_no, %s, null, null
        from pg_temp.touched_player t join game.game_user_snapshot r on r.app_id = t.app_id and r.user_id = t.user_id
        where t.is_late', snapshot_columns);
  end if;
  if late_total < player_total then
    parts := parts
      || format('select t.player_no, %s, null, null
        from pg_temp.touched_player t join game.receipt r on r.app_id = t.app_id and r.user_id = t.user_id
        where not t.is_late and r.source_file_id > %s', receipt_columns, receipts)
      -- The chains of a subscriber need the references of all payments.
      || format('select t.player_no, %s, null, null
        from pg_temp.touched_player t
        join rollup.purchase p on p.app_id = t.app_id and p.user_id = t.user_id
        join game.receipt r on r.payment_seq = p.payment_seq
        where not t.is_late and t.has_receipt', stored_columns)
      || format('select t.player_no, %s, null, null
        from pg_temp.touched_player t join game.level_up r on r.app_id = t.app_id and r.user_id = t.user_id
        where not t.is_late and r.source_file_id > %s', level_columns, levels)
      || format('select t.player_no, %s, null, null
        from pg_temp.touched_player t join game.game_user_snapshot r on r.app_id = t.app_id and r.user_id = t.user_id
        where not t.is_late and r.source_file_id > %s', snapshot_columns, snapshots);
  end if;
  if reads_all then
    perform set_config('enable_nestloop', 'off', true);
  end if;
  open player_rows no scroll for execute array_to_string(parts, ' union all ') || ' order by player_no, kind, at';
  perform set_config('enable_nestloop', nested_loops, true);
end
$$;
revoke execute on function rollup.open_player_rows from public;
comment on function rollup.open_player_rows is
  'Opens the cursor player_rows on the rows and the stored figures of the touched players, player by player, each kind in the order of time. Part of a refresh.';
