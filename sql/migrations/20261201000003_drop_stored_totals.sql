-- The views compute from other rollups what these tables stored. Until migrate gives them their new texts they are empty.
-- A new database has no view yet.
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
      where a.attnum > 0 and a.attrelid in (to_regclass('report.player_revenue'),
        to_regclass('report.subscription_by_day'), to_regclass('report.mrr_by_day'), to_regclass('report.mrr_movement_by_month'),
        to_regclass('report.churn_by_month'), to_regclass('report.trial_conversion_by_month'))
      group by a.attrelid
  loop
    execute statement;
  end loop;
end
$$;
-- The program knows the factors of monthly prices.
drop table rollup.player_currency, rollup.mrr_factor;
delete from ingest.table_place
  where table_schema = 'rollup' and table_name in ('player_currency', 'mrr_factor', 'trial_end');
-- A column with a default does not add up, so the others remain the sums.
alter table rollup.mrr_day drop column amount_twelfths, drop column unknown_length_count;
alter table rollup.churn_month drop column active_at_start;
-- The ends of trials stand beside the trials that are converted, which need none.
alter table rollup.trial_month drop constraint trial_month_key;
alter table rollup.trial_month add column ends_at timestamptz,
  add constraint trial_month_key unique nulls not distinct (app_id, gamebase_product_id, month, ends_at);
delete from rollup.trial_month where converted_count = 0;
update rollup.trial_month set trial_count = converted_count;
insert into rollup.trial_month (app_id, gamebase_product_id, month, ends_at, trial_count, converted_count)
  select app_id, gamebase_product_id, month, ends_at, trial_count, 0 from rollup.trial_end;
drop table rollup.trial_end;
comment on table rollup.trial_month is
  'One row per application, product, month in which a trial began, and end of a trial that no converted period follows (NULL: the others). Trials in a row are one. Written by: rollup.add_sums.';
-- No view needs these.
alter table rollup.subscription_period drop column purchased_on, drop column starts_on, drop column ends_on,
  drop column length_in_days, drop column is_converted;
alter table rollup.app_horizon drop column horizon_at;
comment on column rollup.app_horizon.trusted_at is
  'The smallest of the streams'' newest event times, none beyond the beginning of the first open day of its stream: views over all streams are complete up to here. A stream more than 8 days behind the newest one counts as stopped and is left out.';
drop index rollup.churn_month_newest;
