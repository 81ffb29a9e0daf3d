-- Plans of the report views: no function runs once per row, and only views of receipts and products read the facts.
begin;
select plan(6);

create temporary table view_plan (view_name text not null, place bigint not null, line text not null);
do $$
declare
  name text;
  line text;
  place bigint := 0;
begin
  for name in
    select c.oid::regclass from pg_class c where c.relnamespace = 'report'::regnamespace and c.relkind = 'v'
  loop
    for line in execute format('explain (verbose, costs off) select * from %s', name) loop
      place := place + 1;
      insert into view_plan values (name, place, line);
    end loop;
  end loop;
end
$$;

select cmp_ok((select count(distinct view_name) from view_plan), '>=', 44::bigint, 'every view has a plan');

-- A "Result" without a child has one row, and a "Function Scan" calls its function once.
select is_empty($$
    select p.view_name, trim(p.line)
      from view_plan p join view_plan before on before.place = p.place - 1
      where p.line ~ '(report|rollup|ingest|staging)\.[a-z_]+\('
        and not (before.line ~ '-> +Result$' and p.line ~ 'Output: rollup\.[a-z_]+\(\)$')
        -- Once per hour that the reader asks for.
        and not (p.view_name = 'report.event_by_hour' and p.line ~ 'Function Call: rollup\.events_of_hour\(')
  $$, 'no function runs once per row');

-- An application with an event of 2000 has thousands of days.
select isnt_empty(
  $$ select line from view_plan where view_name = 'report.health' and line ~ 'period_start = (\$|\(InitPlan)' $$,
  'the health of a feed computes the median of one day');

-- They show columns of the receipts that no sum needs.
select results_eq($$ select distinct view_name, substring(line from ' on (\S+)') from view_plan
       where line ~ ' on (game\.(receipt|level_up|game_user|item_snapshot|event)|staging\.)' order by 1 $$,
  $$ values ('report.product', 'game.receipt'), ('report.purchase', 'game.receipt'),
       ('report.receipt_price_check', 'game.receipt') $$,
  'no view reads the facts, except for columns of single receipts');

-- 90 days of purchases would look each receipt up.
create function pg_temp.tables_of(p_query text) returns setof text language plpgsql as $$
declare
  line text;
begin
  for line in execute 'explain (costs off) ' || p_query loop
    return query select m[1] from regexp_matches(line, ' on (\S+)') m;
  end loop;
end
$$;
select results_eq(
  $$ select t from pg_temp.tables_of('select payment_seq, user_id, purchased_on, amount, base_amount, user_level, is_paid,
       is_first_paid, product_name from report.purchase') t where t in ('purchase', 'receipt') $$,
  $$ values ('purchase') $$, 'a query of purchases reads no receipt where no column asks for it');
select results_eq(
  $$ select t from pg_temp.tables_of('select user_id, base_amount, paid_count from report.player_value') t
       where t in ('player', 'player_value') $$,
  $$ values ('player_value') $$, 'a query of the values of players reads no player where no column asks for it');

select * from finish();
rollback;
