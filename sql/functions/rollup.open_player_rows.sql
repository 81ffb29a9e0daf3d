-- The cursor reads with the rights of this function's owner, and the caller fetches from it. A query of distributed
-- tables would run at the first fetch, as the caller; there its rows are stored in a temporary table before.
--
-- One row type for all kinds of rows, so that one sort brings the rows of a player together. PlayerRowKind in Swift names
-- the kinds and what each column holds. A flag with three values is 0 (NULL), 1 (false) or 2 (true).
--
-- Of a player who continues from its state, only new rows are read, and of the stored figures only those that the new
-- rows can touch. Of a player with rows some weeks late, the rows since the day of the first one are read. Of a late player
-- everything is.
--
-- In the text of the query, {table} stands for the rows r of the player t in that table. A range of days of purchases has a
-- form that no index serves: the index of days would read all players' purchases for each player.
create or replace function rollup.open_player_rows() returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set jit = off
set work_mem = '64MB'
as $$
#variable_conflict use_column
declare
  player_rows refcursor := 'player_rows';
  receipts bigint := (select source_file_id from rollup.refresh_state where stream = 'receipt');
  levels bigint := (select source_file_id from rollup.refresh_state where stream = 'level_up');
  snapshots bigint := (select source_file_id from rollup.refresh_state where stream = 'game_user');
  late_total bigint;
  nested_loops constant text := current_setting('enable_nestloop');
  random_page_cost constant text := current_setting('random_page_cost');
  -- With many players late, look-ups of single players cost more than reading all rows.
  reads_all boolean;
  of_player text;
  of_receipt text := 'cross join lateral (select * from game.receipt where payment_seq = t.payment_seq offset 0) r';
  all_rows text;
  is_distributed constant boolean := ingest.is_distributed('receipt');
  parts text[];
  receipt_columns constant text := $sql$10::smallint, r.purchased_at, r.expires_at, r.amount_minor, r.source_file_id,
      r.line_number, (case r.is_sandbox when false then 1 when true then 2 else 0 end
        + case r.is_promotion when false then 4 when true then 8 else 0 end
        + case when r.price_imprecise then 16 else 0 end
        + case when r.product_type in ('AUTO_RENEWABLE', 'CONSUMABLE_AUTO_RENEWABLE') then 32 else 0 end)::bigint,
      null::bigint, null::bigint, null::bigint,
      r.payment_seq, r.currency, r.gamebase_product_id, r.store_code, r.payment_id, r.original_payment_id, null$sql$;
  -- A stored receipt, without the references of the store.
  narrow_columns constant text := $sql$10::smallint, r.purchased_at, null::timestamptz, r.amount_minor, null::bigint,
      null::bigint, (64 + case r.is_sandbox when false then 1 when true then 2 else 0 end
        + case r.is_promotion when false then 4 when true then 8 else 0 end
        + case when r.is_observation then 128 else 0 end)::bigint,
      null::bigint, null::bigint, null::bigint,
      r.payment_seq, r.currency, r.gamebase_product_id, r.store_code, null, null, null$sql$;
  level_columns constant text := $sql$11::smallint, r.leveled_up_at, null::timestamptz, r.user_level::bigint,
      r.source_file_id, r.line_number, 1::bigint, null::bigint, null::bigint, null::bigint,
      r.character_id, r.channel_id, r.class_id, null, null, null, null$sql$;
  snapshot_columns constant text := $sql$11::smallint, r.observed_at, null::timestamptz, r.user_level::bigint,
      r.source_file_id, r.line_number, (case r.observed_at_source when 'line' then 2 when 'option' then 3 else 0 end)::bigint,
      null::bigint, null::bigint, null::bigint, r.character_id, r.channel_id, r.class_id, null, null, null, null$sql$;
begin
  perform rollup.require_working_tables();
  if is_distributed then
    -- The servers look all receipts up at once.
    of_receipt := 'join game.receipt r on r.payment_seq = t.payment_seq';
  end if;
  select count(*) into late_total from pg_temp.touched_player t where t.since < 'infinity';
  reads_all := (select c.is_full from pg_temp.current_refresh c) or late_total * rollup.scan_factor() > (
    select count(*) from (select 1 from rollup.player limit late_total * rollup.scan_factor()) p);
  truncate pg_temp.read_receipt;
  if reads_all then
    update pg_temp.touched_player
      set is_late = true, since = '-infinity', reads_from = '-infinity', first_day = '-infinity', period_start = '-infinity'
      where not is_late and since < 'infinity';
  else
    insert into pg_temp.read_receipt (player_no, payment_seq)
      select t.player_no, p.payment_seq
        from pg_temp.touched_player t
        cross join lateral (
          select payment_seq from rollup.purchase where app_id = t.app_id and user_id = t.user_id offset 0) p
        where t.reads_receipts and t.is_late
      union
      select t.player_no, p.payment_seq
        from pg_temp.touched_player t
        cross join lateral (
          select payment_seq from rollup.purchase
            where app_id = t.app_id and user_id = t.user_id and (day >= t.since) is true offset 0) p
        where isfinite(t.since)
      union
      select t.player_no, n.payment_seq
        from pg_temp.touched_player t join staging.touched_row n on n.app_id = t.app_id and n.user_id = t.user_id
        where t.since < 'infinity' and n.stream = 'receipt'
      union
      -- The reports contain no receipt of a player that is set aside, so all receipts are searched.
      select t.player_no, r.payment_seq
        from pg_temp.touched_player t join game.receipt r on r.app_id = t.app_id and r.user_id = t.user_id
        where t.is_set_aside;
    analyze pg_temp.read_receipt;
  end if;
  of_player := case when reads_all then 'join \1 r on r.app_id = t.app_id and r.user_id = t.user_id\2'
    -- The planner knows no statistics of users, and would read whole tables for a few of them.
    else 'cross join lateral (select * from \1 where app_id = t.app_id and user_id = t.user_id\2 offset 0) r' end;
  parts := array[
    -- The players, and their stored state.
    $sql$select t.player_no, 0::smallint as kind, p.newest_at as at, p.last_level_up_at as until, p.paid_count as n1,
        p.receipt_count as n2, p.subscription_count as n3,
        (case when t.is_late then 1 else 0 end + case when p.user_id is not null then 2 else 0 end
          + case when t.is_late and not t.reads_receipts then 4 else 0 end
          + case when p.awaits_original then 8 else 0 end
          + case when p.first_observed_at >= t.reads_from then 16 else 0 end)::bigint as n4,
        (case when isfinite(t.since) then t.since - date '2000-01-01' end)::bigint as n5, null::bigint as n6, null::bigint as n7,
        t.app_id as t1, t.user_id as t2, null as t3, null as t4, null as t5, null as t6, null as t7, p.levels as a1,
        p.reached_at as a2, p.paid_groups as a3, null as t8
      from pg_temp.touched_player t left join rollup.player p on p.app_id = t.app_id and p.user_id = t.user_id$sql$,
    $sql$select t.player_no, 1::smallint, r.first_observed_at, r.last_observed_at, r.observed_on - date '2000-01-01',
        r.level_up_on - date '2000-01-01', r.snapshot_on - date '2000-01-01', r.first_observed_on - date '2000-01-01', null,
        null, null, r.first_observed_in, r.last_observed_in, null, null, null, null, null, null, null, null, null
      from pg_temp.touched_player t {rollup.player}$sql$,
    $sql$select t.player_no, 2::smallint, r.first_paid_at, r.last_paid_at, r.first_paid_on - date '2000-01-01', r.user_level,
        null, null, null, null, null, r.character_id, r.channel_id, r.class_id, null, null, null, null, null, null, null, null
      from pg_temp.touched_player t {rollup.player}$sql$,
    $sql$select t.player_no, 3::smallint, r.event_at, null, r.user_level, r.source_file_id, r.line_number,
        case r.kind when 'load_start' then 0 when 'level_up' then 1 else 2 end, null, null, null, r.character_id,
        r.channel_id, r.class_id, null, null, null, null, null, null, null, null
      from pg_temp.touched_player t {rollup.player_character}$sql$,
    $sql$select t.player_no, 4::smallint, r.observed_at, null, r.user_level, r.source_file_id, r.line_number,
        case r.observed_at_source when 'line' then 2 when 'option' then 3 else 0 end, null, null, null, r.character_id,
        r.channel_id, r.class_id, null, null, null, null, null, null, null, null
      from pg_temp.touched_player t {rollup.current_game_user}$sql$,
    $sql$select t.player_no, 5::smallint, r.valid_from, null, r.user_level, null, null, null, null, null, null,
        r.character_id, r.channel_id, r.class_id, null, null, null, null, null, null, null, null
      from pg_temp.touched_player t {rollup.character_change}
      where t.since < 'infinity'$sql$,
    $sql$select t.player_no, 6::smallint, null, null, r.day - date '2000-01-01', r.level_up_count, r.snapshot_count,
        r.paid_count, r.level_at_end,
        r.firsts + case when r.is_observed then 65536 else 0 end + case when r.is_new_payer then 131072 else 0 end,
        r.first_observed_on - date '2000-01-01', null, null, null, null, null, null, null, null, null, null, null
      from pg_temp.touched_player t {rollup.player_day: and day >= t.first_day}$sql$,
    $sql$select t.player_no, 7::smallint, r.purchased_at, null, r.amount_minor, r.user_level, r.firsts,
        case r.is_sandbox when false then 1 when true then 2 else 0 end
          + case r.is_promotion when false then 4 when true then 8 else 0 end
          + case when r.price_imprecise then 16 else 0 end + case when r.is_paid then 32 else 0 end
          + case when r.is_observation then 64 else 0 end
          + case when r.is_level_exact then 128 when not r.is_level_exact then 256 else 0 end
          + case when x.player_no is null then 512 else 0 end,
        r.day - date '2000-01-01', r.first_observed_on - date '2000-01-01', r.first_paid_on - date '2000-01-01',
        r.payment_seq, r.currency, r.gamebase_product_id, r.store_code, r.character_id, r.channel_id, r.class_id, null, null, null, null
      from pg_temp.touched_player t {rollup.purchase: and (day >= t.since) is true}
      left join pg_temp.read_receipt x on x.player_no = t.player_no and x.payment_seq = r.payment_seq
      where t.since < 'infinity'$sql$,
    $sql$select t.player_no, 8::smallint, r.starts_at, r.ends_at, r.amount_minor, r.purchased_on - date '2000-01-01',
        r.starts_on - date '2000-01-01',
        case r.chain_rule when 'original' then 0 when 'google' then 1 when 'payment' then 2 else 3 end
          + case r.period_kind when 'new' then 4 when 'continued' then 8 when 'renewal' then 12
            when 'resubscription' then 16 else 0 end
          + case when r.is_trial then 32 else 0 end + case when r.is_paid then 64 else 0 end
          + case when r.is_converted then 128 else 0 end + case when r.is_renewed then 256 else 0 end
          + case when r.is_expiry then 512 else 0 end
          + case r.cohort_started_as when 'trial' then 1024 when 'paid' then 2048 when 'other' then 3072 else 0 end
          + r.length_in_days::bigint * 4096,
        r.ends_on - date '2000-01-01', r.renewal_number, r.cohort_month - date '2000-01-01',
        r.payment_seq, r.chain_id, r.currency, r.gamebase_product_id, r.store_code, r.cohort_product_id, r.payment_id, null,
        array[r.purchased_at, r.expires_at], null, r.original_payment_id
      from pg_temp.touched_player t {rollup.subscription_period}
      where t.is_late or t.is_subscriber$sql$];
  if reads_all then
    parts[1] := replace(parts[1], 'not t.reads_receipts', 'false');
  end if;
  if late_total > 0 then
    parts := parts || text $sql$select t.player_no, 9::smallint, r.first_observed_at, r.last_observed_at, null, r.source_file_id,
        null, case r.stream when 'level_up' then 1 else 2 end, null, null, null, null, null, null, null, null, null, null,
        null, null, null, null
      from pg_temp.touched_player t {ingest.kept_observation}
      where t.is_late$sql$;
    if reads_all then
      parts := parts
        || format('select t.player_no, %s, null, null, null, null from pg_temp.touched_player t {game.receipt} where t.is_late',
          receipt_columns)
        || format('select t.player_no, %s, null, null, null, null from pg_temp.touched_player t {game.level_up} where t.is_late',
          level_columns)
        || format('select t.player_no, %s, null, null, null, null from pg_temp.touched_player t {game.game_user_snapshot}
          where t.is_late', snapshot_columns);
    else
      parts := parts
        || format('select t.player_no, %s, null, null, null, null
          from (
            select t.player_no, t.app_id, t.user_id, x.payment_seq
              from pg_temp.read_receipt x join pg_temp.touched_player t on t.player_no = x.player_no
          ) t
          %s
          where r.app_id = t.app_id and r.user_id = t.user_id', receipt_columns, of_receipt)
        || rollup.rows_of_late_players('level_up', level_columns || ', null, null, null, null')
        || rollup.rows_of_late_players('game_user', snapshot_columns || ', null, null, null, null');
    end if;
  end if;
  if exists (select 1 from pg_temp.touched_player t where not t.is_late) then
    parts := parts
      || format('select t.player_no, %s, null, null, null, null
        from pg_temp.touched_player t join game.receipt r on r.app_id = t.app_id and r.user_id = t.user_id
        where t.since = ''infinity'' and r.source_file_id > %s', receipt_columns, receipts)
      -- Older receipts only tell which firsts of the week and the month of the new rows are taken: the first ones do.
      || format('select t.player_no, %s, null, null, null, null
        from pg_temp.touched_player t
        {rollup.purchase: and (day >= t.period_start and day < t.since and (day >= t.first_day or firsts & 204 <> 0)) is true}
        where not t.is_late and (t.has_receipt or t.since < ''infinity'')',
        narrow_columns)
      || format('select t.player_no, %s, null, null, null, null
        from pg_temp.touched_player t join game.level_up r on r.app_id = t.app_id and r.user_id = t.user_id
        where t.since = ''infinity'' and r.source_file_id > %s', level_columns, levels)
      || format('select t.player_no, %s, null, null, null, null
        from pg_temp.touched_player t join game.game_user_snapshot r on r.app_id = t.app_id and r.user_id = t.user_id
        where t.since = ''infinity'' and r.source_file_id > %s', snapshot_columns, snapshots);
  end if;
  if reads_all then
    perform set_config('enable_nestloop', 'off', true);
  else
    -- Few players: their rows of past months come from indexes, even if the planner takes their pages for dear.
    perform set_config('random_page_cost', '1', true);
  end if;
  all_rows := regexp_replace(array_to_string(parts, ' union all '), '\{([a-z_.]+):?([^}]*)\}', of_player, 'g');
  if is_distributed then
    if to_regclass('pg_temp.player_row') is not null then
      drop table player_row;
    end if;
    execute 'create temporary table player_row on commit drop as ' || all_rows;
    all_rows := 'select * from pg_temp.player_row';
  end if;
  -- The caller's first fetch joins and sorts, with the session's memory: with 64 MB a night took 5 % longer, and the rows
  -- of a rebuild 20 % less.
  open player_rows no scroll for execute all_rows || ' order by player_no, kind, at';
  perform set_config('enable_nestloop', nested_loops, true);
  perform set_config('random_page_cost', random_page_cost, true);
end
$$;
revoke execute on function rollup.open_player_rows from public;
comment on function rollup.open_player_rows is
  'Opens the cursor player_rows on the rows and the stored figures of the touched players, player by player, each kind in the order of time. Part of a refresh.';
