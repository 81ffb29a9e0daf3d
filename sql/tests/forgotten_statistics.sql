-- ingest.forget_statistics: removes user ids from the planner's statistics, and returns those that it cannot remove.
begin;
\ir parts/files.sql
select plan(11);

-- The columns of a table with statistics.
create function pg_temp.known(p_table regclass) returns text language sql as $$
  select coalesce(string_agg(a.attname, ' ' order by a.attname), '')
    from pg_catalog.pg_statistic st
    join pg_catalog.pg_attribute a on a.attrelid = st.starelid and a.attnum = st.staattnum
    where st.starelid = p_table
$$;
create function pg_temp.fill_tables() returns void language sql as $$
  select pg_temp.load_rows('receipt', 'receipts', '- | q');
  select pg_temp.load_rows('level_up', 'levels', 'gone | gone user_level=2 | - | user_level=2');
  alter table game.level_up_2031_02 alter column app_id set statistics -1;
  analyze game.receipt, game.level_up, other;
  alter table game.level_up_2031_02 alter column app_id set statistics 0;
  delete from game.receipt;
  delete from game.level_up where user_id = 'gone';
$$;

-- Whether the statistics of the level-ups, and of their month, show the erased user.
create temporary view shows_user as
  select coalesce(most_common_vals::text, '') ~ 'gone' from pg_stats
    where attname = 'user_id' and tablename in ('level_up', 'level_up_2031_02');
create table other (user_id text, app_id text);
insert into other values ('gone', 'a'), ('gone', 'a');
-- Another table with the same column numbers and a statistics target of 0.
create table unobserved (a text, b text, c text, d text);
alter table unobserved alter a set statistics 0, alter b set statistics 0, alter c set statistics 0, alter d set statistics 0;
select pg_temp.fill_tables() \g /dev/null
select is(pg_temp.rows('table shows_user'), '(t) (t)', 'the statistics contain the user before the call');
select is(pg_temp.rows($$ select * from ingest.forget_statistics() $$), '', 'for a superuser no statistics remain');
select is(pg_temp.known('game.receipt'), '', 'an empty table has no statistics');
select ok(exists (select from pg_locks where pid = pg_backend_pid() and relation = 'rollup.refresh_lock'::regclass
    and mode = 'ExclusiveLock'), 'no refresh analyzes its working tables meanwhile');
select matches(pg_temp.known('game.level_up_2031_02'), 'user_id', 'a column of a table with rows has statistics');
select doesnt_match(pg_temp.known('game.level_up_2031_02'), 'app_id', 'but none with a statistics target of 0');
select is(pg_temp.rows('table shows_user'), '(f) (f)', 'the statistics do not contain the user');
select is(pg_temp.known('other'), 'app_id user_id', 'the statistics of other tables stay');

-- The owner of the tables is not a superuser.
create role pgtap_owner;
grant usage on schema game, ingest, report, rollup, staging to pgtap_owner;
grant select on ingest.stream to pgtap_owner;
select pg_temp.fill_tables() \g /dev/null
-- A table with pending triggers cannot change its owner.
set constraints all immediate;
do $$
declare
  owned regclass;
begin
  for owned in
    select oid from pg_catalog.pg_class where relkind in ('r', 'p')
      and relnamespace in ('game'::regnamespace, 'ingest'::regnamespace, 'report'::regnamespace, 'rollup'::regnamespace,
        'staging'::regnamespace)
  loop
    execute format('alter table %s owner to pgtap_owner', owned);
  end loop;
end
$$;
grant create on schema ingest to pgtap_owner;
alter function ingest.forget_statistics owner to pgtap_owner;
grant select on other to pgtap_owner;
select is(pg_temp.rows($$ select place, place like '%level_up%' or trace_count > 5
       from ingest.forget_statistics() $$),
  '("statistics of game.receipt",t) ("statistics of game.level_up_2031_02",t)',
  'for another owner the function returns the tables whose statistics remain, in the order of their creation');
select is((select trace_count from ingest.forget_statistics() where place ~ 'level_up'),
  1::bigint, 'it returns the number of columns');
select is(pg_temp.rows('table shows_user'), '(f) (f)', 'the other statistics are renewed');

select * from finish();
rollback;
