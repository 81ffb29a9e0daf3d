create or replace view report.mrr_movement_by_month as
select
  f.app_id,
  f.currency,
  f.month,
  (s.starting_minor * f.minor_unit_value)::numeric(38, 4) as starting_amount,
  ((s.new_minor - s.starting_minor) * f.minor_unit_value)::numeric(38, 4) as new_amount,
  ((s.reactivated_minor - s.new_minor) * f.minor_unit_value)::numeric(38, 4) as reactivated_amount,
  ((s.expansion_minor - s.reactivated_minor) * f.minor_unit_value)::numeric(38, 4) as expansion_amount,
  ((s.expansion_minor - s.contraction_minor) * f.minor_unit_value)::numeric(38, 4) as contraction_amount,
  ((s.contraction_minor - s.churned_minor) * f.minor_unit_value)::numeric(38, 4) as churned_amount,
  (s.churned_minor * f.minor_unit_value)::numeric(38, 4) as ending_amount,
  f.unknown_length_count,
  f.is_complete
from (
  select
    k.app_id,
    k.currency,
    m.period_start as month,
    coalesce(sum(d.twelfths_change) over (months rows between unbounded preceding and 1 preceding), 0) as starting_twelfths,
    -- NULL in a month that has not ended, and so in all that follows.
    r.none + coalesce(t.new_twelfths, 0) as new_twelfths,
    coalesce(t.reactivated_twelfths, 0) as reactivated_twelfths,
    coalesce(t.expansion_twelfths, 0) as expansion_twelfths,
    coalesce(t.contraction_twelfths, 0) as contraction_twelfths,
    coalesce(t.churned_twelfths, 0) as churned_twelfths,
    r.none + coalesce(sum(d.unknown_length_change) over months, 0)::bigint as unknown_length_count,
    m.is_complete,
    k.minor_unit_value
  from rollup.paid_currency k
  join rollup.money_period m on m.app_id = k.app_id and m.period = 'month'
  cross join lateral (select case when m.ends_at <= m.receipt_newest_at then 0 end as none) r
  left join rollup.mrr_month t on t.app_id = k.app_id and t.currency = k.currency and t.month = m.period_start
  left join (
    select app_id, currency, date_trunc('month', day::timestamp)::date as month, sum(twelfths_change) as twelfths_change,
      sum(unknown_length_change) as unknown_length_change
    from rollup.mrr_day
    group by app_id, currency, date_trunc('month', day::timestamp)
  ) d on d.app_id = k.app_id and d.currency = k.currency and d.month = m.period_start
  window months as (partition by k.app_id, k.currency order by m.period_start)
) f
-- The sum is exact after each movement, and each is rounded once.
cross join lateral (
  select
    round(f.starting_twelfths / 12) as starting_minor,
    round((f.starting_twelfths + f.new_twelfths) / 12) as new_minor,
    round((f.starting_twelfths + f.new_twelfths + f.reactivated_twelfths) / 12) as reactivated_minor,
    round((f.starting_twelfths + f.new_twelfths + f.reactivated_twelfths + f.expansion_twelfths) / 12)
      as expansion_minor,
    round((f.starting_twelfths + f.new_twelfths + f.reactivated_twelfths + f.expansion_twelfths
      - f.contraction_twelfths) / 12) as contraction_minor,
    round((f.starting_twelfths + f.new_twelfths + f.reactivated_twelfths + f.expansion_twelfths
      - f.contraction_twelfths - f.churned_twelfths) / 12) as churned_minor
) s;

comment on view report.mrr_movement_by_month is
  'One row per application, currency in which it was ever paid, and month from the earlier of the receipt feed''s first event and the first receipt to the later of the newest ones. Compares the monthly recurring revenue of each chain and currency, as in report.mrr_by_day, on the day before the month with that on its last day. A renewal some days late is a churn and a reactivation when the end of a month lies between; a change of currency within a chain is a churn and a new amount. starting + new + reactivated + expansion - contraction - churned = ending, also as rounded here: the sum is rounded after each movement in this order, and each movement is the difference of two neighbours. A month that has not ended at the newest event of the receipt feed has its starting amount alone: starting_amount and what report.mrr_by_day shows since are the nearest to its flows.';
comment on column report.mrr_movement_by_month.starting_amount is 'Monthly recurring revenue on the day before the month, in the major unit.';
comment on column report.mrr_movement_by_month.new_amount is 'Revenue at the end of chains that had none at any instant before the month; NULL while the month has not ended.';
comment on column report.mrr_movement_by_month.reactivated_amount is 'Revenue at the end of chains that had some before the month, but none at its start; NULL while the month has not ended.';
comment on column report.mrr_movement_by_month.expansion_amount is 'Increases of chains with revenue at both ends of the month; NULL while the month has not ended.';
comment on column report.mrr_movement_by_month.contraction_amount is 'Decreases of chains with revenue at both ends of the month; positive; NULL while the month has not ended.';
comment on column report.mrr_movement_by_month.churned_amount is 'Revenue at the start of chains that have none at the end; positive; NULL while the month has not ended.';
comment on column report.mrr_movement_by_month.ending_amount is 'Monthly recurring revenue on the last day of the month, in the major unit; NULL while the month has not ended.';
comment on column report.mrr_movement_by_month.unknown_length_count is 'Active paid periods at the end of the month whose length gives no monthly price, which the amounts do not include; NULL while the month has not ended.';
