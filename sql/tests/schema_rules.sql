-- Rules for all tables and functions, including those of later migrations.
begin;
select plan(32);

-- Partitions are tables, too.
select ingest.ensure_partition(stream, '2025-07-01') from unnest('{level_up, game_user}'::text[]) stream \g /dev/null

-- Comments, for psql and for data catalogs.
create temporary view our_relation as
  select c.oid, n.nspname || '.' || c.relname as name
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('ingest', 'staging', 'game', 'report', 'rollup') and c.relkind in ('r', 'p', 'v', 'm');
create temporary view our_function as
  select p.* from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('ingest', 'staging', 'game', 'report', 'rollup');
select cmp_ok((select count(*) from our_relation), '>=', 20::bigint, 'the query finds the tables and views');
select is_empty($$ select name from our_relation
       where coalesce(pg_catalog.obj_description(oid, 'pg_class'), '') not like 'One row per %' $$,
  'every table and view has a comment, which starts with its grain');
select is_empty($$ select name, a.attname from our_relation r join pg_catalog.pg_attribute a on a.attrelid = r.oid
       where a.attnum > 0 and not a.attisdropped and pg_catalog.col_description(r.oid, a.attnum) is null
         -- A view explains the column of an internal table that has its name.
         and not (r.name like 'rollup.%' and a.attname in (select v.attname
           from our_relation o join pg_catalog.pg_class c on c.oid = o.oid and c.relkind = 'v'
           join pg_catalog.pg_attribute v on v.attrelid = o.oid where o.name like 'report.%' or pg_catalog.col_description(v.attrelid, v.attnum) is not null)) $$,
  'every column of a permanent table or view has a comment, or that of the view''s column');
select is_empty(
  $$ select oid::regprocedure from our_function where pg_catalog.obj_description(oid, 'pg_proc') is null $$,
  'every function has a comment');

-- Tables.
create temporary view key_column as
  select i.indrelid::regclass as table_name, a.attname, a.attcollation, a.atttypid
    from pg_catalog.pg_index i
    join pg_catalog.pg_class c on c.oid = i.indrelid
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
    where i.indisunique and c.relnamespace = 'game'::regnamespace;

select cmp_ok((select count(*) from key_column where atttypid = 'text'::regtype), '>=', 8::bigint,
  'the query finds the text keys');
select is_empty($$ select table_name, attname from key_column
       where atttypid = 'text'::regtype and attcollation <> '"C"'::regcollation $$,
  'every text column of a key in game compares by bytes');
select is_empty($$ select c.oid::regclass from pg_catalog.pg_class c
       where c.relnamespace = 'game'::regnamespace and c.relkind in ('r', 'p')
         and not exists (select from pg_catalog.pg_index i
           where i.indrelid = c.oid and i.indisunique and i.indisvalid) $$, 'every table of game has a unique key');
select is_empty($$ select c.oid::regclass from pg_catalog.pg_class c
       where c.relnamespace = 'staging'::regnamespace and c.relkind in ('r', 'p') and c.relpersistence <> 'u' $$,
  'staging tables of loads are temporary, and working tables of refreshes unlogged');
select is_empty($$ select c.oid::regclass from pg_catalog.pg_class c
       where c.relnamespace in ('ingest'::regnamespace, 'game'::regnamespace)
         and c.relkind in ('r', 'p') and c.relpersistence <> 'p' $$, 'the ledger and the facts survive a crash');
select is_empty($$ select s.stream from ingest.stream s
       where to_regclass('game.' || s.target_table) is null $$, 'every stream has its table');
select set_eq(
  $$ select tgname::text, tgrelid::regclass::text, tgfoid::regproc::text, tgdeferrable and tginitdeferred,
       tgenabled::text from pg_catalog.pg_trigger where not tgisinternal and tgparentid = 0 $$,
  $$ select name, place, 'ingest.' || name as function, name = 'refuse_open_entry' as is_deferred, 'O' as enabled
       from (
       select 'refuse_facts_without_file' as name, 'game.' || target_table as place from ingest.stream
       union all
       select 'refuse_lines_of_other_files', unnest('{ingest.reject, ingest.unknown_field, ingest.known_field}'::text[])
       union all values ('refuse_open_entry', 'ingest.source_file')) t $$,
  'triggers guard the facts and the ledger, each under the name of its function');
select is_empty($$ select c.oid::regclass from pg_catalog.pg_class c
       where c.relnamespace in ('game'::regnamespace, 'ingest'::regnamespace) and c.relkind in ('r', 'p')
         and c.relreplident <> 'f'
         and not exists (select from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary) $$,
  'every table has a replica identity, so its updates can be published');
select is_empty($$ select c.oid::regclass, a.attname from pg_catalog.pg_class c
       join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       where c.relnamespace = 'game'::regnamespace and c.relkind in ('r', 'p')
         and a.atttypid in ('float4'::regtype, 'float8'::regtype, 'money'::regtype,
           'timestamp'::regtype) $$, 'no fact column is a binary float or a time without a zone');

select is_empty($$ select d.objid::regclass from ingest.stream s, unnest(s.secret_columns) secret,
         pg_catalog.pg_attribute a, pg_catalog.pg_depend d
       where a.attrelid = format('game.%I', s.target_table)::regclass and a.attname = secret
         and d.refobjid = a.attrelid and d.refobjsubid = a.attnum
         and d.classid = 'pg_rewrite'::regclass $$, 'no view reads a secret column');
select is_empty($$ select d.objid::regclass, d.refobjid::regclass, a.attname
       from pg_catalog.pg_attribute a
       join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p')
       join pg_catalog.pg_depend d on d.classid = 'pg_rewrite'::regclass
         and d.refobjid = a.attrelid and d.refobjsubid = a.attnum
       join pg_catalog.pg_rewrite w on w.oid = d.objid
       join pg_catalog.pg_class v on v.oid = w.ev_class
       where c.relnamespace in ('game'::regnamespace, 'ingest'::regnamespace)
         -- Such a view gives a role nothing that the role cannot read in the table itself.
         and 'security_invoker=true' <> all (coalesce(v.reloptions, '{}'))
         and (a.attname in ('extra', 'raw', 'kept', 'refused', 'refused_row', 'before', 'after', 'natural_key')
           -- Players' text has no statistics, as prices and lines, which no query filters; texts of items are the shop's.
           or c.relnamespace = 'game'::regnamespace and a.attstattarget = 0
             and a.attname not in ('price_raw', 'line_number', 'item_name', 'localized_price', 'localized_title',
               'localized_description')) $$, 'no view shows a value as written in a line, or players'' text');
select is_empty($$ select s.stream, secret from ingest.stream s, unnest(s.secret_columns) secret
       where secret <> all (s.compared_columns) $$, 'every secret column is a compared column');

-- Merges, acceptances, undos and erasures need these properties of every stream.
select is_empty($$ select s.stream, secret from ingest.stream s, unnest(s.secret_columns) secret
       where secret || '_sha256' <> all (s.compared_columns) $$, 'every secret column has a compared digest column');
select is_empty($$ select s.stream, f.field from ingest.stream s, ingest.acceptable_fields(s.stream) f
       group by s.stream, f.field having count(*) > 1 $$, 'no column follows two leaders');
select is_empty($$ select s.stream, f.field from ingest.stream s, ingest.acceptable_fields(s.stream) f
       where f.field = any (s.key_columns || s.secret_columns)
         or f.field in ('source_file_id', 'line_number', 'row_digest') $$,
  'keys, secrets and line positions cannot be accepted');
select is_empty($$ select s.stream, c.name from ingest.stream s, unnest(s.compared_columns) c (name)
       where not exists (select from ingest.acceptable_fields(s.stream) f where f.leader = c.name)
         and c.name <> all (s.secret_columns) $$, 'every other compared column can be accepted');
select is_empty($$ select t.name, c.name from ingest.stream s, (values ('user_id'), ('app_id')) c (name),
         lateral (values ('game.' || s.target_table)) t (name)
       where (s.has_user or c.name <> 'user_id') and not exists (select from pg_catalog.pg_attribute a
         where a.attrelid = t.name::regclass and a.attname = c.name and a.attcollation = '"C"'::regcollation) $$,
  'every fact table has the column app_id and, unless its rows belong to no user, user_id');
select is_empty($$ select s.stream, c.name from ingest.stream s, (values ('source_file_id'), ('line_number')) c (name)
       where not exists (select from pg_catalog.pg_attribute a
         where a.attrelid = format('game.%I', s.target_table)::regclass and a.attname = c.name and a.attnotnull) $$,
  'every fact row has its file and line');
select is_empty($$ select s.stream, a.attname from ingest.stream s, pg_catalog.pg_attribute a
       where a.attrelid = format('game.%I', s.target_table)::regclass and a.attnotnull
         and a.atttypid not in ('text'::regtype, 'boolean'::regtype)
         and (a.attname = any (s.compared_columns) and a.attname = any (s.empty_is_absent_columns)
           or a.attname in (select jsonb_array_elements_text(list) from jsonb_each(s.followers) f (leader, list))) $$,
  'an undo can make every filled column absent');

-- Functions.
select set_eq($$ select format('%s.%s', pronamespace::regnamespace, proname) from our_function where prosecdef $$,
  '{ingest.analyze_if_grown, ingest.clear_failures, ingest.close_files, ingest.count_rows,
    ingest.count_user_traces, ingest.empty_month, ingest.ensure_partition, ingest.erase_user, ingest.forget_statistics,
    ingest.open_files, ingest.record_apps, ingest.record_met_files, ingest.recover_commits, ingest.refuse_open_entry,
    ingest.reopen_file, ingest.resolve_rejects,
    rollup.events_of_hour, rollup.reporting_zone, rollup.apply_players, rollup.begin_refresh,
    rollup.finish_refresh, rollup.open_player_rows,
    staging.begin_rows, staging.insert_rows, staging.merge, staging.open}'::text[],
  'only these functions run as their owner');
select is_empty($$ select oid::regprocedure from our_function
       where not exists (select from unnest(proconfig) setting where setting like 'search_path=%') $$,
  'every function sets its own search path');
select is_empty($$ select oid::regprocedure from our_function
       where has_function_privilege('public', oid, 'execute') $$, 'PUBLIC can call no function');
select is_empty($$ select oid::regprocedure::text from our_function where pronamespace = 'report'::regnamespace
     union all
     select oid::regclass::text from pg_class where relnamespace = 'report'::regnamespace and relkind <> 'v' $$,
  'schema report holds views and nothing else');
select is_empty($$ select c.relname, a.attname
       from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'report'::regnamespace and a.attnum > 0
         and (a.atttypid in ('real'::regtype, 'double precision'::regtype)
           or a.atttypid = 'numeric'::regtype and a.atttypmod = -1) $$,
  'every number of a view is exact: numeric columns declare precision and scale, and none is a float');
select is_empty($$ select pronamespace::regnamespace, proname from our_function group by 1, 2 having count(*) > 1 $$,
  'no function is overloaded, so a file can name it without parameters');
select set_eq($$ select unnest(function_names) from ingest.definition_set $$,
  $$ select format('%s.%s', pronamespace::regnamespace, proname) from our_function $$,
  'migrate records the functions that it has created');
select is_empty($$ select classid::regclass, objid, refobjid::regprocedure from pg_catalog.pg_depend
       where refclassid = 'pg_proc'::regclass and refobjid in (select oid from our_function)
         and classid in ('pg_class'::regclass, 'pg_attrdef'::regclass, 'pg_constraint'::regclass) $$,
  'no default, check or index needs a function, because functions are created after the tables');

-- CREATE OR REPLACE VIEW can only append columns, and a migration of a database with a view of a merged version fails
-- otherwise.
select is_empty($$ select line
       from (values
        ('current_game_user: app_id user_id channel_id character_id user_level class_id observed_at '
          || 'observed_at_source source_file_id line_number'),
        ('level_funnel: app_id user_level recorded_user_count reached_user_count stopped_user_count'),
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
       where string_to_array(split_part(line, ': ', 2), ' ') <> array(
         select a.attname::text from pg_catalog.pg_attribute a
           where a.attrelid = ('report.' || split_part(line, ':', 1))::regclass
             and a.attnum between 1 and array_length(string_to_array(split_part(line, ': ', 2), ' '), 1)
           order by a.attnum) $$, 'the first columns of views of a merged version keep their names and places');

select * from finish();
rollback;
