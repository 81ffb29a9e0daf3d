-- Replaces the functions and views of a database by those of the program, which fills in their names and texts.
--
-- `create or replace` keeps a function's grants and dependents, but cannot change its parameters or its result. Then
-- the old function is dropped, and the new one gets its grants. A function that the version before built and this one
-- no longer has is dropped, too. No drop cascades.
--
-- No list says which definition needs which: what fails is repeated after the others, until nothing fails, or only the
-- same again. The server checks a body in SQL when it creates the function, so two functions cannot need each other. A
-- body that meets the old form of a function can fail by any error.
do $build$
declare
  functions constant text[] := :'functions'::text[];
  -- Functions without a file come last: a view of the version before may depend on them.
  names constant text[] := functions || :'views'::text[]
    || array(select unnest(function_names) from ingest.definition_set except select unnest(functions));
  definitions constant text[] := array[
:definitions
  ]::text[];
  pending integer[] := array(select generate_subscripts(names, 1));
  failed integer[];
  file integer;
  signature text;       -- of a function, or a statement
  caller text;
  callers text[];
  code text;
  message text;
  dependents text;
  problem text;
  problem_code text;
begin
  loop
    failed := '{}';
    problem := null;
    foreach file in array pending loop
      begin
        begin
          if file <= cardinality(definitions) then
            execute definitions[file];
            continue;
          end if;
        exception
          -- The result or the name of a parameter differs; or the old object is no function; or the types
          -- of parameters differ, so that both functions exist and a statement by name is ambiguous.
          when invalid_function_definition or wrong_object_type or ambiguous_function then null;
        end;
        callers := array(select distinct pg_get_userbyid(a.grantee)
          from pg_proc p, aclexplode(p.proacl) a
          where format('%s.%s', p.pronamespace::regnamespace, p.proname) = names[file]
            and a.grantee not in (0, p.proowner));
        for signature in select p.oid::regprocedure from pg_proc p
          where format('%s.%s', p.pronamespace::regnamespace, p.proname) = names[file]
        loop
          execute 'drop routine ' || signature;
        end loop;
        continue when file > cardinality(definitions);
        execute definitions[file];
        foreach caller in array callers loop
          execute format('grant execute on routine %s to %I', names[file], caller);
        end loop;
      exception when others then
        -- The detail names one object on each line, and never a value of a row.
        get stacked diagnostics code = returned_sqlstate, message = message_text,
          dependents = pg_exception_detail;
        -- Loads hold a lock: the whole transaction is repeated.
        if code in ('40P01', '55P03') then
          raise;
        end if;
        failed := failed || file;
        -- A function or table is usually missing because of another file's problem.
        if problem is null or code not in ('42883', '42P01') then
          problem_code := code;
          problem := case code when '2BP01' then format('the function %s is changed or removed in this '
              'version, and other objects depend on it: %s. Drop those, migrate, and create them again',
              signature, replace(dependents, E'\n', '; '))
            else format('%s.sql: %s', names[file], message) end;
        end if;
      end;
    end loop;
    exit when failed = '{}';
    if failed = pending then
      raise exception '%', problem using errcode = problem_code;
    end if;
    pending := failed;
  end loop;
  -- A column of a report that its view does not explain means the same in all views.
  for signature in
    select format('comment on column %s.%I is %L', v.name, a.attname, shared.comment)
      from unnest(names) with ordinality v (name, file)
      join pg_attribute a on a.attrelid = to_regclass(v.name) and a.attnum > 0
      join (values
        ('app_id', 'The application; empty when unknown.'),
        ('currency', 'ISO 4217 code.'),
        ('product_name', 'Name of the product as in report.product; its id when no name is known, unknown without one.'),
        ('amount', 'amount_minor in the major unit of the currency, exact.'),
        ('store_name', 'Name of the store; its code when that is not in game.store, unknown without one.'),
        ('user_id', 'The user.'),
        ('period_start', 'First day of the period.'),
        ('gamebase_product_id', 'The product''s id in the Gamebase console; NULL when unknown. Join it with IS NOT DISTINCT FROM.'),
        ('paid_count', 'Number of paid purchases.'),
        ('amount_minor', 'Sum of the paid purchases, in the minor unit of the currency.'),
        ('line_number', 'Line number in that file, from 1.'),
        ('base_currency', 'ISO 4217 code of the setting base-currency; NULL while it is not set.'),
        ('period', 'day, week (from Monday) or month, in the reporting zone.'),
        ('store_code', 'Code of the store as written in the lines (see game.store); NULL when missing. Join it with IS NOT DISTINCT FROM.'),
        ('source_file_id', 'The file that brought the row.'),
        ('payment_seq', 'The vendor''s number of the payment.'),
        ('day_n', 'Number of calendar days after cohort_on.'),
        ('mature_size', 'cohort_size where the figures are mature, else NULL: the denominator of sums over cohorts.'),
        ('is_complete', 'True when the receipts of the application begin before the period (the day, week or month of the row) and have gone past it and no day before its end is open (see report.open_failure). Late files can still change it.'),
        ('day', 'Day in the reporting zone.'),
        ('cohort_kind', 'first_observed: users by the day of their first observation. first_paid: users by the day of their first paid purchase, in any currency.'),
        ('hour', 'First instant of the hour.'),
        ('item_name', 'Name in the Gamebase console; NULL when missing.'),
        ('hours_behind_now', 'Hours from newest_event_at to now; NULL like newest_event_at.'),
        ('stopped_7d_count', 'Of stopped_user_count, users without any level-up in the 7 × 24 hours before the newest level-up of the application.'),
        ('user_level', 'The level.'),
        ('stream', 'The stream.'),
        ('observed_at_source', 'Origin of observed_at: line, option (--observed-at) or load_start (the start of the run).'),
        ('event_group', 'purchase, push, server_push, observer, idp_revoked, logged_out or other.'),
        ('channel_id', 'The channel or server; NULL when the game has none. Join it with IS NOT DISTINCT FROM.'),
        ('character_id', 'The character; NULL when the game has none. Join it with IS NOT DISTINCT FROM.'),
        ('class_id', 'The character''s class; NULL when missing.'),
        ('is_mature', 'True when day_n ends at or before the newest event of the application''s receipt feed; never without one.'),
        ('unconverted_count', 'Paid purchases in a currency without a rate on the day of the purchase or in the 7 days before it.'),
        ('month', 'First day of the month in the reporting zone.'),
        ('cohort_size', 'Users first observed on the day.'),
        ('cohort_on', 'The cohort: the day on which its users were first observed.'),
        ('market_item_id', 'The product''s id in the store; NULL when missing.'),
        ('item_seq', 'The number of the item in the Gamebase console; NULL when missing.'),
        ('observed_at', 'Time of the last observation.'),
        ('product_type', 'UNKNOWN, CONSUMABLE, AUTO_RENEWABLE or CONSUMABLE_AUTO_RENEWABLE; NULL when missing.'),
        ('text_repaired', 'True when the loader replaced a NUL or an unpaired surrogate by U+FFFD in a text, shown or not.'),
        ('code', 'Code of the events; NULL without one. Join it with IS NOT DISTINCT FROM.'),
        ('user_count', 'Known users of the events; an event without a user counts for none.'),
        ('event_count', 'Events.'),
        ('category', 'Category of the event; see game.event_category.'),
        ('field', 'The field at fault, as spelled in the lines; NULL when the whole line is at fault.'),
        ('level_attribution', 'exact (one character known at the purchase), highest_of_several or none.'),
        ('purchased_at', 'Time of the purchase, to the millisecond.'),
        ('first_paid_on', 'Day of the first paid purchase in the reporting zone; NULL for none.'),
        ('payer_count', 'Users with a paid purchase in this row. Do not add it over rows; see report.payers_by_period.'),
        ('localized_title', 'Name in the language of the client that observed the item; NULL when missing.'),
        ('is_active', 'True when the Gamebase console offers the item; NULL when missing.'),
        ('chain_id', 'The subscription chain: its smallest payment_seq; NULL for a purchase that is no subscription period.')
      ) shared (attname, comment) using (attname)
      where v.name like 'report.%' and strpos(definitions[v.file], format(' %s.%s is', v.name, a.attname)) = 0
  loop
    execute signature;
  end loop;
  -- By default everybody may call a new function.
  foreach signature in array functions loop
    execute format('revoke execute on routine %s from public', signature);
  end loop;
  if 'ingest.switch_jit_off' = any (functions) then
    perform ingest.switch_jit_off();
    perform rollup.fill_calendar();
    -- CREATE TRIGGER waits for all loads and blocks new ones, so only a missing trigger is created. To change a trigger,
    -- drop it in a migration.
    for signature in
      select format('create %s %s after %s on %s %s execute function ingest.%2$s(%6$s)', kind, name, events, place, form, argument)
        from (
          select 'trigger' as kind, 'refuse_facts_without_file' as name, 'insert' as events,
              format('game.%I', target_table) as place, 'for each statement' as form, quote_literal(stream) as argument
            from ingest.stream where not ingest.is_distributed(stream)
          union all
          select 'trigger', 'refuse_lines_of_other_files', 'insert', place,
              'referencing new table as added for each statement', ''
            from unnest('{ingest.reject, ingest.unknown_field, ingest.known_field}'::text[]) place
          union all
          values ('constraint trigger', 'refuse_open_entry', 'insert or update', 'ingest.source_file',
            'deferrable initially deferred for each row', '')
        ) guard
        where not exists (select from pg_trigger where tgrelid = place::regclass and tgname = name)
    loop
      execute signature;
    end loop;
  end if;
  insert into ingest.definition_set (checksum, function_names)
    values (:'checksum', functions)
    on conflict (is_current) do update set checksum = excluded.checksum,
      function_names = excluded.function_names, built_at = now();
end
$build$;
