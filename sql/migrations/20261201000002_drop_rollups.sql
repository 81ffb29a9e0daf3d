-- The views read facts or other rollups instead. Until migrate gives them their new texts they are empty, and keep their
-- grants and the views that need them. A new database has no view yet.
do $$
declare
  statement text;
begin
  for statement in
    select format('create or replace view %s as select %s where false', a.attrelid::regclass, string_agg(
        format('null::%s%s as %I', format_type(a.atttypid, a.atttypmod),
          case when a.attcollation <> 0 then format(' collate %I', l.collname) else '' end, a.attname),
        ', ' order by a.attnum))
      from pg_catalog.pg_attribute a left join pg_catalog.pg_collation l on l.oid = a.attcollation
      where a.attnum > 0 and a.attrelid in (to_regclass('report.receipt_price_check'), to_regclass('report.load_history'),
        to_regclass('report.quality_by_day'))
      group by a.attrelid
  loop
    execute statement;
  end loop;
end
$$;
drop table rollup.price_check, rollup.file;
delete from ingest.table_place where table_schema = 'rollup' and table_name in ('price_check', 'file');
comment on table rollup.calendar_period is
  'One row per day, week (from Monday) and month of the reporting zone, of the years from 2000 to 2099. Written by: migrate, and a refresh in another zone.';

-- A refresh no longer looks for the rows of a user in past months.
do $$
declare
  past regclass;
begin
  for past in
    select i.indexrelid
      from pg_catalog.pg_inherits h
      join pg_catalog.pg_index i on i.indrelid = h.inhrelid and i.indnatts = 1
      join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0] and a.attname = 'user_id'
      where h.inhparent in ('game.level_up'::regclass, 'game.game_user_snapshot'::regclass)
  loop
    execute format('drop index %s', past);
  end loop;
end
$$;
