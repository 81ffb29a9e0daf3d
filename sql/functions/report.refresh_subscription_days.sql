-- Three rollups are sums over periods, so each changed period of staging.subscription_change is taken out of them as it
-- was and added as it is. The rollups of days then follow from the sums, from the first changed day on. They have a row
-- for each day up to the newest receipt; so their last day is computed again in every refresh, with the new ones.
create or replace function report.refresh_subscription_days() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  zone constant text := report.reporting_zone();
begin
  if not exists (select 1 from staging.touched_player where has_receipt) then
    return;
  end if;

  insert into report.subscription_change_day_rollup as r (app_id, gamebase_product_id, store_code, day, paid_change,
      trial_change, other_change, new_count, continued_count, converted_count, renewed_count, resubscribed_count,
      expired_count, overlapped_count)
    select c.app_id, c.gamebase_product_id, c.store_code, e.day,
        sum(case when c.is_paid then e.step * c.sign else 0 end),
        sum(case when c.is_trial then e.step * c.sign else 0 end),
        sum(case when c.is_paid or c.is_trial then 0 else e.step * c.sign end),
        sum(case when e.step = 1 and c.period_kind = 'new' then c.sign else 0 end),
        sum(case when e.step = 1 and c.period_kind = 'continued' then c.sign else 0 end),
        sum(case when e.step = 1 and c.is_converted then c.sign else 0 end),
        sum(case when e.step = 1 and c.period_kind = 'renewal' then c.sign else 0 end),
        sum(case when e.step = 1 and c.period_kind = 'resubscription' then c.sign else 0 end),
        sum(case when e.step = -1 and c.is_expiry then c.sign else 0 end),
        sum(case when c.is_overlapped then c.sign else 0 end)
      from staging.subscription_change c
      cross join lateral (
        select c.starts_on as day, 1 as step where not c.is_overlapped
        union all
        select c.ends_on, -1 where not c.is_overlapped
        union all
        select c.purchased_on, 0 where c.is_overlapped
      ) e
      group by c.app_id, c.gamebase_product_id, c.store_code, e.day
    on conflict (app_id, gamebase_product_id, store_code, day) do update set
      paid_change = r.paid_change + excluded.paid_change,
      trial_change = r.trial_change + excluded.trial_change,
      other_change = r.other_change + excluded.other_change,
      new_count = r.new_count + excluded.new_count,
      continued_count = r.continued_count + excluded.continued_count,
      converted_count = r.converted_count + excluded.converted_count,
      renewed_count = r.renewed_count + excluded.renewed_count,
      resubscribed_count = r.resubscribed_count + excluded.resubscribed_count,
      expired_count = r.expired_count + excluded.expired_count,
      overlapped_count = r.overlapped_count + excluded.overlapped_count;
  -- A product and store without a row here has no subscription.
  delete from report.subscription_change_day_rollup r
    where (r.paid_change, r.trial_change, r.other_change, r.new_count, r.continued_count, r.converted_count,
        r.renewed_count, r.resubscribed_count, r.expired_count, r.overlapped_count)
      = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  insert into report.mrr_change_day_rollup as r (app_id, currency, day, amount_twelfths_change, unknown_length_change)
    select c.app_id, c.currency, e.day,
        coalesce(sum(c.amount_minor::numeric * f.twelfths * e.step * c.sign), 0),
        coalesce(sum(e.step * c.sign) filter (where f.twelfths is null), 0)
      from staging.subscription_change c
      cross join lateral (values (c.starts_on, 1), (c.ends_on, -1)) e (day, step)
      -- Twelve times the factor that makes a price a monthly one.
      cross join lateral (
        select case when c.length_in_days = 1 then 360
          when c.length_in_days = 3 then 120
          when c.length_in_days = 7 then 48
          when c.length_in_days = 14 then 24
          when c.length_in_days between 28 and 31 then 12
          when c.length_in_days between 59 and 62 then 6
          when c.length_in_days between 89 and 93 then 4
          when c.length_in_days between 180 and 186 then 2
          when c.length_in_days between 360 and 370 then 1 end as twelfths
      ) f
      where c.is_paid and not c.is_overlapped
      group by c.app_id, c.currency, e.day
    on conflict (app_id, currency, day) do update set
      amount_twelfths_change = r.amount_twelfths_change + excluded.amount_twelfths_change,
      unknown_length_change = r.unknown_length_change + excluded.unknown_length_change;
  delete from report.mrr_change_day_rollup r
    where r.amount_twelfths_change = 0 and r.unknown_length_change = 0;

  insert into report.subscription_cohort_rollup as r (app_id, cohort_product_id, cohort_month, renewal_number,
      chain_count, renewed_count)
    select c.app_id, c.cohort_product_id, c.cohort_month, c.renewal_number,
        sum(c.sign), coalesce(sum(c.sign) filter (where c.is_renewed), 0)
      from staging.subscription_change c
      where c.renewal_number is not null
      group by c.app_id, c.cohort_product_id, c.cohort_month, c.renewal_number
    on conflict (app_id, cohort_product_id, cohort_month, renewal_number) do update set
      chain_count = r.chain_count + excluded.chain_count,
      renewed_count = r.renewed_count + excluded.renewed_count;
  delete from report.subscription_cohort_rollup r where r.chain_count = 0;

  -- Days before the first changed one stay, unless the application's first receipt moved.
  insert into staging.subscription_spine (app_id, gamebase_product_id, store_code, first_on, newest_on, since)
    with bound as (
      select app_id, (receipt_first_at at time zone zone)::date as first_on,
          (receipt_newest_at at time zone zone)::date as newest_on
        from report.app_horizon
        where receipt_newest_at is not null
    ), known as (
      select distinct app_id, gamebase_product_id, store_code from report.subscription_change_day_rollup
    ), kept as (
      select app_id, gamebase_product_id, store_code, min(day) as first_on, max(day) as newest_on
        from report.subscription_day_rollup
        group by app_id, gamebase_product_id, store_code
    ), changed as (
      select app_id, gamebase_product_id, store_code, min(purchased_on) as day
        from staging.subscription_change
        group by app_id, gamebase_product_id, store_code
    )
    select n.app_id, n.gamebase_product_id, n.store_code, b.first_on, b.newest_on,
        case when k.first_on = b.first_on then least(k.newest_on, b.newest_on, c.day) else b.first_on end
      from known n
      join bound b on b.app_id = n.app_id
      left join kept k on k.app_id = n.app_id
        and k.gamebase_product_id is not distinct from n.gamebase_product_id
        and k.store_code is not distinct from n.store_code
      left join changed c on c.app_id = n.app_id
        and c.gamebase_product_id is not distinct from n.gamebase_product_id
        and c.store_code is not distinct from n.store_code;
  analyze staging.subscription_spine;

  -- Equality of replaced values beside the NULLs means IS NOT DISTINCT FROM, and unlike that, it can be hashed.
  delete from report.subscription_day_rollup r
    where not exists (
      select 1 from staging.subscription_spine s
        where s.app_id = r.app_id
          and coalesce(s.gamebase_product_id, '') = coalesce(r.gamebase_product_id, '')
          and (s.gamebase_product_id is null) = (r.gamebase_product_id is null)
          and coalesce(s.store_code, '') = coalesce(r.store_code, '')
          and (s.store_code is null) = (r.store_code is null)
          and r.day between s.first_on and s.newest_on);

  insert into report.subscription_day_rollup as r (day, app_id, gamebase_product_id, store_code, active_paid,
      active_trial, active_other, new_count, continued_count, converted_count, renewed_count, resubscribed_count,
      expired_count, overlapped_count)
    with changed as (
      select s.since, f.*
        from staging.subscription_spine s
        join report.subscription_change_day_rollup f on f.app_id = s.app_id
          and coalesce(f.gamebase_product_id, '') = coalesce(s.gamebase_product_id, '')
          and (f.gamebase_product_id is null) = (s.gamebase_product_id is null)
          and coalesce(f.store_code, '') = coalesce(s.store_code, '')
          and (f.store_code is null) = (s.store_code is null)
          and f.day <= s.newest_on
    ), counted as (
      select app_id, gamebase_product_id, store_code, day, paid_change, trial_change, other_change, new_count,
          continued_count, converted_count, renewed_count, resubscribed_count, expired_count, overlapped_count
        from changed
        where day >= since
      union all
      -- Periods that started before the first of these days.
      select app_id, gamebase_product_id, store_code, since, sum(paid_change), sum(trial_change), sum(other_change),
          0, 0, 0, 0, 0, 0, 0
        from changed
        where day < since
        group by app_id, gamebase_product_id, store_code, since
      union all
      -- An expiry after the newest receipt does not count yet. The group by inside the lateral query makes the planner
      -- look up that part of the day in the index, application by application.
      select s.app_id, e.gamebase_product_id, e.store_code, s.newest_on, 0, 0, 0, 0, 0, 0, 0, 0, -e.expiry_count, 0
        from (select distinct app_id, newest_on from staging.subscription_spine) s
        join report.app_horizon h on h.app_id = s.app_id
        join report.calendar_period d on d.period = 'day' and d.period_start = s.newest_on
        cross join lateral (
          select p.gamebase_product_id, p.store_code, count(*) as expiry_count
            from report.subscription_period_rollup p
            where p.app_id = s.app_id and p.ends_at > h.receipt_newest_at and p.ends_at < d.ends_at and p.is_expiry
            group by p.gamebase_product_id, p.store_code
        ) e
      union all
      select s.app_id, s.gamebase_product_id, s.store_code, d.period_start, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        from staging.subscription_spine s
        join report.calendar_period d on d.period = 'day' and d.period_start between s.since and s.newest_on
    )
    select day, app_id, gamebase_product_id, store_code,
        sum(sum(paid_change)) over product, sum(sum(trial_change)) over product, sum(sum(other_change)) over product,
        sum(new_count), sum(continued_count), sum(converted_count), sum(renewed_count), sum(resubscribed_count),
        sum(expired_count), sum(overlapped_count)
      from counted
      group by app_id, gamebase_product_id, store_code, day
      window product as (partition by app_id, gamebase_product_id, store_code order by day)
    on conflict (day, app_id, gamebase_product_id, store_code) do update set
      active_paid = excluded.active_paid, active_trial = excluded.active_trial, active_other = excluded.active_other,
      new_count = excluded.new_count, continued_count = excluded.continued_count,
      converted_count = excluded.converted_count, renewed_count = excluded.renewed_count,
      resubscribed_count = excluded.resubscribed_count, expired_count = excluded.expired_count,
      overlapped_count = excluded.overlapped_count
      where row(r.*) is distinct from row(excluded.*);

  insert into staging.mrr_spine (app_id, currency, first_on, newest_on, since)
    with bound as (
      select app_id, (receipt_first_at at time zone zone)::date as first_on,
          (receipt_newest_at at time zone zone)::date as newest_on
        from report.app_horizon
        where receipt_newest_at is not null
    ), paid as (
      select distinct app_id, currency from report.payer_currency_period_rollup where period = 'month'
    ), kept as (
      select app_id, currency, min(day) as first_on, max(day) as newest_on
        from report.mrr_day_rollup
        group by app_id, currency
    ), changed as (
      select app_id, currency, min(purchased_on) as day from staging.subscription_change group by app_id, currency
    )
    select n.app_id, n.currency, b.first_on, b.newest_on,
        case when k.first_on = b.first_on then least(k.newest_on + 1, b.newest_on, c.day) else b.first_on end
      from paid n
      join bound b on b.app_id = n.app_id
      left join kept k on k.app_id = n.app_id and k.currency = n.currency
      left join changed c on c.app_id = n.app_id and c.currency = n.currency;
  analyze staging.mrr_spine;

  delete from report.mrr_day_rollup r
    where not exists (
      select 1 from staging.mrr_spine s
        where s.app_id = r.app_id and s.currency = r.currency and r.day between s.first_on and s.newest_on);

  insert into report.mrr_day_rollup as r (day, app_id, currency, amount_minor, unknown_length_count)
    with counted as (
      select s.app_id, s.currency, greatest(f.day, s.since) as day, f.amount_twelfths_change, f.unknown_length_change
        from staging.mrr_spine s
        join report.mrr_change_day_rollup f
          on f.app_id = s.app_id and f.currency = s.currency and f.day <= s.newest_on
      union all
      select s.app_id, s.currency, d.period_start, 0, 0
        from staging.mrr_spine s
        join report.calendar_period d on d.period = 'day' and d.period_start between s.since and s.newest_on
    )
    select day, app_id, currency, round(sum(sum(amount_twelfths_change)) over month_price / 12),
        sum(sum(unknown_length_change)) over month_price
      from counted
      group by app_id, currency, day
      window month_price as (partition by app_id, currency order by day)
    on conflict (day, app_id, currency) do update set
      amount_minor = excluded.amount_minor, unknown_length_count = excluded.unknown_length_count
      where row(r.*) is distinct from row(excluded.*);

  -- The working rows hold payments of users, who may be forgotten next.
  perform report.empty_working_tables('staging.subscription_receipt', 'staging.subscription_period',
    'staging.subscription_change', 'staging.subscription_spine', 'staging.mrr_spine');
end
$$;
revoke execute on function report.refresh_subscription_days from public;
comment on function report.refresh_subscription_days is
  'Brings the rollups of subscriptions by day and cohort, and of MRR, up to date with the changed periods. Part of report.refresh.';
