-- Of each touched player come the rows that the reports know, where rows of known files have changed, and the rows of new
-- files and at the changed places. A rebuild reads all rows of the facts instead, and nothing of the reports; an erasure
-- reads what the reports knew, because no fact is left.
create or replace function rollup.open_player_rows() returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set jit = off
set work_mem = '64MB'
-- The parts of few players come from an index, even if the planner takes its pages for dear.
set random_page_cost = 1
set enable_nestloop = on
as $$
declare
  player_rows refcursor := 'player_rows';
  is_full boolean;
  is_erasure boolean;
  -- The planner knows no statistics of users, and would read whole tables for a few of them.
  of_player constant text := 'cross join lateral (
    select * from %1$s where app_id = t.app_id and user_id = t.user_id offset 0) r';
  known record;
  columns jsonb;
  source text;
  all_rows text;
  parts text[];
begin
  select c.is_full, c.is_erasure into strict is_full, is_erasure from rollup.current_refresh() c;
  parts := array[rollup.player_rows(0, '', '{"app_id": "t.app_id", "user_id": "t.user_id", "is_set_aside": "t.is_set_aside"}')];
  if not is_full then
    parts := parts || rollup.player_rows(1, format(of_player, case when is_erasure then 'pg_temp.gone_history'
        else 'rollup.history' end), '{"part": "r.part", "rows": "r.rows"}')
      || rollup.player_rows(2, 'join pg_temp.changed_place r on r.player_no = t.player_no',
        '{"stream": "r.stream", "at": "r.event_at", "payment_seq": "r.payment_seq"}');
  end if;
  parts := parts || rollup.player_rows(3,
    format(case when is_full then 'join %s r on r.app_id = t.app_id and r.user_id = t.user_id' else of_player end,
      'ingest.kept_observation'),
    '{"stream": "r.stream", "at": "r.first_observed_at", "last_at": "r.last_observed_at"}');
  for known in
    select s.stream, s.target_table, s.time_column, s.time_source_column, f.source_file_id as newest,
        (select min(c.event_at) from pg_temp.changed_place c where c.stream = s.stream) as first_at,
        (select max(c.event_at) from pg_temp.changed_place c where c.stream = s.stream) as last_at,
        exists (select from pg_temp.changed_place c where c.stream = s.stream) as has_changed
      from ingest.stream s join rollup.refresh_state f using (stream)
      where s.stream in ('receipt', 'level_up', 'game_user') and not is_erasure
      order by s.stream
  loop
    columns := case known.stream
      when 'receipt' then jsonb '{"at": "r.purchased_at", "payment_seq": "r.payment_seq", "currency": "r.currency",
        "amount_minor": "r.amount_minor", "gamebase_product_id": "r.gamebase_product_id", "store_code": "r.store_code",
        "is_sandbox": "r.is_sandbox", "is_promotion": "r.is_promotion", "price_imprecise": "r.price_imprecise",
        "expires_at": "r.expires_at",
        "is_renewable": "r.product_type in (''AUTO_RENEWABLE'', ''CONSUMABLE_AUTO_RENEWABLE'')",
        "payment_id": "r.payment_id", "original_payment_id": "r.original_payment_id"}'
      else jsonb '{"user_level": "r.user_level", "character_id": "r.character_id", "channel_id": "r.channel_id",
          "class_id": "r.class_id", "source_file_id": "r.source_file_id", "line_number": "r.line_number"}'
        || jsonb_build_object('at', format('r.%I', known.time_column),
          'time_source', coalesce('r.' || quote_ident(known.time_source_column), 'null')) end;
    source := format('join game.%I r on r.app_id = t.app_id and r.user_id = t.user_id', known.target_table);
    parts := parts || rollup.player_rows(case known.stream when 'receipt' then 4 else 5 end,
      source || case when is_full then '' else format(' where r.source_file_id > %s', known.newest) end, columns);
    if known.has_changed then
      -- The bounds leave out the months without a change.
      parts := parts || rollup.player_rows(case known.stream when 'receipt' then 4 else 5 end,
        format('join pg_temp.changed_place c on c.player_no = t.player_no and c.stream = %L ', known.stream) || source
          || format(' and r.source_file_id <= %s and ', known.newest) || case known.stream
            when 'receipt' then 'r.payment_seq = c.payment_seq'
            else format('r.%1$I = c.event_at and r.%1$I >= %2$L and r.%1$I <= %3$L', known.time_column, known.first_at,
              known.last_at) end, columns);
    end if;
  end loop;
  all_rows := array_to_string(parts, ' union all ');
  if is_full then
    -- Until the function ends.
    perform set_config('enable_nestloop', 'off', true);
  end if;
  if ingest.is_distributed('receipt') then
    execute 'create temporary table player_row on commit drop as ' || all_rows;
    all_rows := 'select * from pg_temp.player_row';
  end if;
  -- The caller's first fetch joins and sorts, with the session's memory: with 64 MB a night took 5 % longer, and the rows
  -- of a rebuild 20 % less.
  open player_rows no scroll for execute all_rows || ' order by player_no, kind, part, at';
end
$$;
comment on function rollup.open_player_rows is
  'Opens the cursor player_rows on what the reports know of the touched players, and on what has come, changed or gone since, player by player, each kind in the order of time. Part of a refresh or an erasure.';
