-- The rights of the roles that `grant` makes: each one on each object, statements that the server refuses, and what a
-- further `grant` changes.
begin;
select plan(35);
select ingest.ensure_partition('level_up', '2025-07-01') \g /dev/null
\ir parts/roles.sql

create temporary view other_role as
  select role, 'pgtap_' || role as name from unnest('{loader, analyst, eraser, monitor}'::text[]) role;
create temporary view our_schema as
  select oid, nspname from pg_catalog.pg_namespace where nspname in ('game', 'ingest', 'report', 'rollup', 'staging');

-- Attributes and settings.
select set_eq(
  $$ select right(rolname, -6), rolcanlogin, rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls
       from pg_roles where rolname like 'pgtap\_%' $$,
  $$ values ('owner', false, false), ('loader', true, false), ('analyst', true, false), ('eraser', true, false),
       ('monitor', true, false) $$, 'the owner has no login, and no role a power over the server');
select is_empty($$ select r.name, m.rolname from other_role r join pg_roles m on m.rolname <> r.name
       where pg_has_role(r.name, m.oid, 'member') $$, 'no role is a member of another');
select set_eq($$ select right(rolname, -6), unnest(rolconfig) from pg_roles where rolname like 'pgtap\_%' $$,
  $$ select role, setting from unnest('{analyst, monitor}'::text[]) role, unnest('{default_transaction_read_only=on,
         statement_timeout=5min, idle_in_transaction_session_timeout=10min}'::text[]) setting
     union all values ('analyst', 'random_page_cost=1.1'), ('analyst', 'work_mem=16MB') $$,
  'readers start read-only and with a timeout, and analysts with settings for dashboards');

create temporary view database_setting as select unnest(s.setconfig) as setting from pg_db_role_setting s
  where s.setrole = 0 and s.setdatabase = (select oid from pg_database where datname = current_database());
select set_eq('table database_setting', '{jit=off}'::text[], 'no session of the database compiles a query');
do $$ begin execute format('alter database %I set jit = on', current_database()); end $$;
select ingest.switch_jit_off() \g /dev/null
select set_eq('table database_setting', '{jit=on}'::text[], 'but the setting of an administrator stays');

create temporary view relation as
  select c.oid, n.nspname as place, n.nspname || '.' || c.relname as name, c.relispartition, s.stream
    from pg_class c join our_schema n on n.oid = c.relnamespace
    left join ingest.stream s on n.nspname = 'game' and s.target_table = c.relname
    where c.relkind in ('r', 'p', 'v', 'm');
-- One row for each right of a role on a relation; is_partial: the role has it on some columns only.
create temporary view relation_right as
  select r.role, p.privilege, c.name as relation, not has_table_privilege(r.name, c.oid, p.privilege) as is_partial
    from other_role r
    cross join unnest('{select, insert, update, delete, truncate, references, trigger}'::text[]) p (privilege)
    cross join relation c
    where has_table_privilege(r.name, c.oid, p.privilege)
      or p.privilege in ('select', 'insert', 'update', 'references')
        and has_any_column_privilege(r.name, c.oid, p.privilege);
create temporary view column_right as
  select r.role, r.privilege, r.relation, a.attname
    from relation_right r
    join pg_attribute a on a.attrelid = r.relation::regclass and a.attnum > 0 and not a.attisdropped
    where r.is_partial and has_column_privilege('pgtap_' || r.role, a.attrelid, a.attnum, r.privilege);

select set_eq($$ select privilege, relation from relation_right where role = 'loader' $$,
  $$ select 'select' as privilege, name from relation where place in ('game', 'ingest')
     union all
     select 'select', unnest('{rollup.refresh_state, rollup.pending_file, rollup.calendar_period, rollup.cohort_step,
       report.health, report.open_failure, report.setting}'::text[])
     union all
     select 'insert', 'game.' || target_table from ingest.stream
     union all
     select 'insert', unnest('{ingest.load, ingest.failed_file, ingest.failed_reject, ingest.reject,
       ingest.unknown_field, ingest.known_field}'::text[])
     union all
     values ('update', 'ingest.load'), ('update', 'rollup.refresh_lock') $$,
  'the loader reads facts and ledger, adds to them, and changes neither');
select set_eq($$ select privilege, relation from relation_right where role = 'analyst' $$,
  $$ select 'select', name from relation
       where place = 'report' or place = 'game' and stream is null and not relispartition $$,
  'the analyst reads the reports and the reference tables');
select set_eq($$ select privilege, relation from relation_right where role = 'monitor' $$,
  $$ select 'select', unnest('{report.freshness, report.health, report.load_history, report.open_failure,
       report.setting}'::text[]) $$, 'the monitor reads the health of the reports');
select set_eq($$ select privilege, relation from relation_right where role = 'eraser' $$,
  $$ select 'select', unnest('{rollup.calendar_period, rollup.cohort_step}'::text[]) $$,
  'the eraser reads days and steps, and writes no table');
select cmp_ok((select count(*) from relation where relispartition), '>=', 1::bigint, 'a month is among the relations');
select set_eq($$ select privilege, relation, attname from column_right $$,
  $$ select 'select' as privilege, 'game.' || s.target_table as relation, a.attname
       from ingest.stream s
       join pg_attribute a on a.attrelid = format('game.%I', s.target_table)::regclass and a.attnum > 0
       where s.secret_columns <> '{}' and a.attname <> all (s.secret_columns)
     union all
     select 'insert', 'ingest.reject', unnest('{source_file_id, stream, line_number, byte_offset, code, field, reason,
       raw, raw_byte_count, user_id, app_id}'::text[])
     union all
     select 'update', 'ingest.load', unnest('{finished_at, exit_code, seen_at}'::text[]) $$,
  'of some tables the loader has columns only: no secret one, and none of a resolution');
select is_empty(
  $$ select r.name, c.oid::regclass from other_role r, pg_class c join our_schema n on n.oid = c.relnamespace
       where c.relkind = 'S' and has_sequence_privilege(r.name, c.oid, 'usage, select, update') $$,
  'no role uses a sequence');
select set_eq($$ select r.role, p.proname from other_role r, pg_proc p join our_schema n on n.oid = p.pronamespace
       where has_function_privilege(r.name, p.oid, 'execute') $$,
  $$ select 'loader', unnest('{acceptable_fields, accepted_changes, analyze_if_grown, apply_players, begin_refresh,
         begin_rows, clear_failures, close_files, count_rows, ensure_partition, files_called, finish_refresh,
         found_fields, insert_rows, is_distributed, key_condition, merge, month_partitions, month_size,
         natural_key_array, open, open_files, open_player_rows, record_apps, record_met_files, recover_commits, reopen_file, resolve_rejects,
         trace_line, trace_row}'::text[])
     union all
     -- Those that views call with the rights of their reader.
     select 'analyst', unnest('{events_of_hour, reporting_zone}'::text[])
     union all
     select 'eraser', unnest('{count_user_traces, empty_month, erase_user, finish_refresh, forget_statistics,
       open_player_rows}'::text[]) $$, 'each role calls the functions of its task, and no other');
select set_eq($$ select r.role, n.nspname, p.privilege
       from other_role r, pg_namespace n, unnest('{usage, create}'::text[]) p (privilege)
       where (n.oid in (select oid from our_schema) or n.nspname = 'public' and p.privilege = 'create')
         and has_schema_privilege(r.name, n.oid, p.privilege) $$,
  $$ select 'loader' as role, nspname, 'usage' as privilege from our_schema
     union all values ('analyst', 'report', 'usage'), ('analyst', 'game', 'usage'), ('eraser', 'ingest', 'usage'),
       ('eraser', 'rollup', 'usage'),
       ('monitor', 'report', 'usage') $$, 'each role uses the schemas of its task, and creates in none');
select set_eq(
  $$ select r.role, p.privilege from (select role, name from other_role union all values ('public', 'public')) r,
       unnest('{create, temporary}'::text[]) p (privilege)
       where has_database_privilege(r.name, current_database(), p.privilege) $$,
  $$ values ('analyst', 'temporary') $$, 'only analysts create temporary tables');
select set_eq(
  $$ select distinct relowner::regrole::text from pg_class where relnamespace in (select oid from our_schema)
     union select proowner::regrole::text from pg_proc where pronamespace in (select oid from our_schema)
     union select nspowner::regrole::text from pg_namespace where oid in (select oid from our_schema) $$,
  '{pgtap_owner}'::text[], 'the owner role owns every object');

-- Statements. Those on single objects, and those that need a role or an attribute, follow from the rights above.
select is_empty($$ select * from pg_temp.not_forbidden('loader', 'drop table game.level_up_2025_07',
    'create view report.mine as select 1', 'create temporary table mine (a int)',
    'lock table game.receipt in access exclusive mode', 'lock table rollup.player in exclusive mode',
    -- A token can be written and not be read.
    'select purchase_token from game.receipt', 'select * from game.receipt', 'select to_jsonb(r) from game.receipt r',
    'insert into game.level_up_2025_07 default values', 'select staging.count_merged($s$receipt$s$, 1, (1, 0, 0, 0))',
    'set role pgtap_owner', 'set session_replication_role = replica',
    'select pg_catalog.pg_read_file($f$/etc/passwd$f$)', 'copy (select 1) to program $p$true$p$',
    'select from pg_catalog.pg_authid') $$, 'the loader does nothing besides loading');
select is_empty(
  $$ select r.role, f.* from other_role r cross join lateral pg_temp.not_forbidden(r.role,
      'create table report.mine (a int)', 'create or replace view report.load_history as select 1',
      'lock table rollup.refresh_lock in share mode', 'select stavalues1 from pg_catalog.pg_statistic',
      'set role pgtap_owner', 'copy (select 1) to program $p$true$p$') f
    where r.role <> 'loader' $$, 'readers and erasers write nothing and are nobody else');
select is(pg_temp.refusal('analyst', 'create temporary table mine (a int)'), 'allowed',
  'a temporary table of the analyst''s own is none of these');
insert into game.receipt (payment_seq, app_id, user_id, currency, price_repaired, price_imprecise, purchased_at,
    text_repaired, purchase_token, source_file_id, line_number)
  values ('p', '', 'u', 'KRW', false, false, now(), false, 'marker-7f3a', 1, 1);
analyze game.receipt;
set local session authorization pgtap_analyst;
create temporary table seen as select tablename::text from pg_catalog.pg_stats where schemaname in ('game', 'ingest');
reset session authorization;
select is_empty($$ select s.tablename from seen s join ingest.stream r on r.target_table = s.tablename $$,
  'the statistics of a table, which hold values, are closed like its rows');
select is((select string_agg(role || ' ' || pg_temp.refusal(role, 'table report.' || v), ', ' order by role, v)
     from unnest('{loader, monitor}'::text[]) role, unnest('{health, open_failure, setting}'::text[]) v),
  'loader allowed, loader allowed, loader allowed, monitor allowed, monitor allowed, monitor allowed',
  'loader and monitor read the health of the reports');
select is_empty($$ select v.name, r.code from relation v
       cross join lateral pg_temp.refusal('analyst', format('create temporary table mine as table %s', v.name)) r (code)
       where v.place = 'report' and r.code <> 'allowed' $$,
  'the analyst reads every report, although they call functions with its rights');

-- A refresh by hand.
create function pg_temp.step_of_refresh(p_step text) returns text language sql as $$
  select string_agg(distinct pg_temp.refusal('loader', own || 'select rollup.' || p_step), ' ')
    from unnest(array['', 'create temporary table current_refresh as select true as is_full, false as is_erasure;']) own
$$;
-- As in a database where PUBLIC may create temporary tables again.
select set_config('test.temporary', format('temporary on database %I', current_database()), true) \g /dev/null
do $$ begin execute format('grant %s to public', current_setting('test.temporary')); end $$;
select is(concat_ws(' ', pg_temp.step_of_refresh('apply_players()'), pg_temp.step_of_refresh('finish_refresh()'),
    pg_temp.step_of_refresh('open_player_rows()'), pg_temp.refusal('eraser', 'select rollup.finish_refresh()')),
  '55000 55000 55000 55000', 'a step of a refresh or an erasure that has not begun fails, also on tables of the loader''s own');
select ingest.hold_stream(stream) from ingest.stream \g /dev/null
select is(pg_temp.refusal('loader',
    'create temporary table touched_player (player_no integer); select rollup.begin_refresh(true)'),
  '42P07', 'and a refresh does not begin on them');
do $$ begin execute format('revoke %s from public', current_setting('test.temporary')); end $$;

-- A further `grant`.
create temporary view held_right as
  select 'relation' as kind, c.oid::regclass::text as name, c.relowner as owner,
      array(select unnest(c.relacl)::text order by 1) as acl
    from pg_class c where c.relnamespace in (select oid from our_schema)
  union all
  select 'column', a.attrelid::regclass || '.' || a.attname, null, array(select unnest(a.attacl)::text order by 1)
    from pg_attribute a where a.attacl is not null
  union all
  select 'function', p.oid::regprocedure::text, p.proowner, array(select unnest(p.proacl)::text order by 1)
    from pg_proc p where p.pronamespace in (select oid from our_schema)
  union all
  select 'schema', nspname, nspowner, array(select unnest(nspacl)::text order by 1) from pg_namespace
    where oid in (select oid from our_schema) or nspname = 'public'
  union all
  select 'database', '', null, array(select unnest(datacl)::text order by 1) from pg_database
    where datname = current_database()
  union all
  select 'default', coalesce(defaclnamespace::regnamespace::text, '') || ' ' || defaclobjtype::text, defaclrole,
      array(select unnest(defaclacl)::text order by 1)
    from pg_default_acl;
create temporary table given as table held_right;
\ir parts/grant.sql
select set_eq('table held_right', 'table given', 'a repeated grant changes nothing');
grant delete on game.receipt to pgtap_loader;
grant select (purchase_token) on game.receipt to pgtap_loader;
grant select on ingest.reject to public;
grant execute on function staging.merge to public;
grant create on schema game to pgtap_eraser;
grant create on schema public to pgtap_loader;
do $$ begin execute format('grant create, %s to pgtap_loader', current_setting('test.temporary')); end $$;
alter default privileges for role pgtap_owner in schema game grant delete on tables to pgtap_loader;
alter default privileges for role pgtap_owner grant execute on functions to pgtap_analyst;
revoke insert on game.receipt from pgtap_loader;
alter table game.receipt owner to current_user;
select isnt_empty('table held_right except table given', 'rights are changed by hand');
\ir parts/grant.sql
select set_eq('table held_right', 'table given', 'a further grant reverts them');

grant select on game.level_up to pgtap_analyst;
grant usage on schema ingest to pgtap_analyst;
grant select on report.app to pgtap_monitor;
do $$ begin execute format('grant create on database %I to pgtap_analyst', current_database()); end $$;
create temporary table given_by_hand as table held_right;
\ir parts/grant.sql
select set_eq('table held_right', 'table given_by_hand', 'readers keep what an administrator gave them');
revoke all on game.level_up, report.app from pgtap_analyst, pgtap_monitor;
revoke all on schema ingest from pgtap_analyst;
do $$ begin execute format('revoke create on database %I from pgtap_analyst', current_database()); end $$;

-- Objects that the owner creates later, also where an older version opened them by default.
alter default privileges for role pgtap_owner in schema report grant select on tables to pgtap_analyst;
set local role pgtap_owner;
create table report.earlier_rollup (user_id text);
reset role;
select ok(has_table_privilege('pgtap_analyst', 'report.earlier_rollup', 'select'), 'a table is open by default');
revoke select on report.earlier_rollup from pgtap_analyst;
\ir parts/grant.sql
set local role pgtap_owner;
create table game.refund (refund_id text collate "C" primary key, refunded_at timestamptz);
create table report.later_rollup (user_id text);
create view report.refund as table game.refund;
insert into ingest.stream (stream, target_table, key_columns, compared_columns)
  values ('refund', 'refund', '{refund_id}', '{refunded_at}');
create schema archive;
create function ingest.of_an_owner() returns int return 1;
reset role;
create temporary table trial as
  select * from (values
    ('loader', 'select from game.refund'), ('loader', 'insert into game.refund values ($r$r$r$)'),
    ('loader', 'delete from game.refund'), ('loader', 'create table archive.a (b int)'),
    ('loader', 'select ingest.of_an_owner()'), ('analyst', 'select from game.refund'),
    ('analyst', 'select from report.refund'), ('analyst', 'select from report.earlier_rollup'),
    ('analyst', 'select from report.later_rollup')) t (role, statement);
create function pg_temp.allowed() returns setof text language sql as $$
  select role || ': ' || statement from trial where pg_temp.refusal(role, statement) = 'allowed'
$$;
select set_eq('select pg_temp.allowed()', array['loader: select from game.refund'],
  'a new object of the owner is closed, but the loader reads a new stream');
\ir parts/grant.sql
select set_eq('select pg_temp.allowed()',
  array['loader: select from game.refund', 'loader: insert into game.refund values ($r$r$r$)',
    'analyst: select from report.refund'],
  'the next grant opens the new stream and the new view, and no table of the reports');

-- A schema of the analyst's own.
\set grants `"$GAMEBASE_INGEST" $GRANTS --analyst-schema models --database "$SQL_TEST_TEMPLATE" | sed '1d;$d'`
select is(pg_temp.refusal('analyst', 'create schema models'), '42501', 'an analyst makes no schema');
\ir parts/grant.sql
\ir parts/grant.sql
select is(
  pg_temp.refusal('analyst', 'create table models.revenue as table report.revenue_by_day; drop table models.revenue'),
  'allowed', 'an analyst builds tables in a schema that a grant makes for it');
select is_empty($$ select * from pg_temp.not_forbidden('analyst',
       'create table report.mine (a int)', 'create table public.mine (a int)') $$, 'and in no other');
select set_eq($$ select setrole::regrole::text, unnest(setconfig) from pg_db_role_setting
       where setrole <> 0 and setdatabase = (select oid from pg_database where datname = current_database()) $$,
  $$ values ('pgtap_analyst', 'default_transaction_read_only=off') $$, 'its sessions write there without being asked');

select * from finish();
rollback;
