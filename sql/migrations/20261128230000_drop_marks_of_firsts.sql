-- The program counts what a refresh changes in the sums, so what marks the first rows of a player needs no column.
drop view if exists report.purchase;
drop view if exists report.load_history;
drop view if exists report.quality_by_day;
drop view if exists rollup.standing_file;
alter table rollup.player drop column levels, drop column reached_at;
alter table rollup.player_day drop column firsts, drop column snapshot_count, drop column first_observed_on;
alter table rollup.purchase
  add column is_first_paid boolean not null generated always as (firsts & 1 <> 0) stored;
alter table rollup.purchase alter column is_first_paid drop expression;
alter table rollup.purchase drop column firsts, drop column first_observed_on, drop column first_paid_on;
alter table rollup.refresh_state add column has_open_erasure boolean not null default false;
comment on column rollup.refresh_state.has_open_erasure is
  'True when the sums still count an erased user, because a session other than the program''s erased; the next refresh makes all reports anew.';
do $$
declare
  comment record;
begin
  for comment in
    select c.relname, a.attname,
        replace(replace(d.description, 'rollup.add_up', case c.relname when 'player_currency' then 'rollup.apply_players'
            else 'rollup.add_sums' end), 'rollup.run_subscription_totals', 'rollup.run_totals') as text
      from pg_catalog.pg_description d
      join pg_catalog.pg_class c on d.classoid = 'pg_class'::regclass and c.oid = d.objoid
      left join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid and d.objsubid > 0
      where c.relnamespace = 'rollup'::regnamespace and d.description ~ 'rollup\.(add_up|run_subscription_totals)'
  loop
    if comment.attname is null then
      execute format('comment on table rollup.%I is %L', comment.relname, comment.text);
    else
      execute format('comment on column rollup.%I.%I is %L', comment.relname, comment.attname, comment.text);
    end if;
  end loop;
end
$$;
comment on table rollup.player is
  'One row per application and user with any stored row or kept observation. Written by: a refresh.';
comment on table rollup.purchase is
  'One row per payment (paymentSeq), sandbox included, with the level at the purchase. Written by: a refresh.';
-- The column of a view explains the one of a rollup that has its name.
do $$
declare
  explained record;
begin
  for explained in
    select c.relname, a.attname
      from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'rollup'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
        and a.attname <> all ('{active_change, amount_twelfths, bucket, chain_count, change_count, churned_twelfths, cohort_product_id,
          cohort_started_as, contraction_twelfths, ends_on, event_at, expansion_twelfths, first_at, first_clicked_at,
          first_on, has_open_erasure, highest_level, horizon_at, is_converted, is_dated, is_expiry, is_level_exact,
          is_never, is_renewed, last_day, last_level_up_at, length_in_days, minor_unit, minor_unit_value,
          money_first_at, money_newest_at, new_payer_amount_minor, new_twelfths, newest_day_line_count, newest_on,
          observed_first_at, observed_newest_at, other_change, p25_minutes, p50_minutes, p90_minutes, paid_change, part,
          promotion_amount_minor, reactivated_twelfths, receipt_first_at, receipt_newest_at, receipt_trusted_at,
          refreshed_at, row_count, rows, shown_amount, starts_on, streams, total_amount_minor, trial_change, trusted_at,
          twelfths, twelfths_change, unknown_length_change}'::text[])
  loop
    execute format('comment on column rollup.%I.%I is null', explained.relname, explained.attname);
  end loop;
end
$$;
