-- Every view works on an empty database.
begin;
select no_plan();

truncate game.receipt, game.level_up, game.game_user_snapshot, ingest.load, ingest.source_file,
  ingest.failed_file, ingest.reject, ingest.failed_reject, ingest.conflict, ingest.fill,
  ingest.acceptance, ingest.accepted_value,
  ingest.unknown_field, ingest.erased_line;

select cmp_ok(count(*), '>=', 7::bigint, 'the query finds the views')
  from pg_views where schemaname = 'report';
select is_empty(format('select * from report.%I', viewname), viewname || ' is empty')
  from pg_views where schemaname = 'report' order by viewname;
select is(report.reporting_zone(), 'UTC', 'days are in UTC unless a setting names another zone');

select * from finish();
rollback;
