create or replace view rollup.cohort_cell as
select
  s.app_id,
  s.cohort_kind,
  s.cohort_on,
  n.day_n,
  s.cohort_size,
  h.paid_through,
  coalesce(s.cohort_on + n.day_n <= h.paid_through, false) as is_paid_mature,
  coalesce(s.cohort_on + n.day_n <= h.observed_through, false) as is_observed_mature
from rollup.cohort_size s
cross join rollup.cohort_step n
left join (
  -- The day of the horizon has not ended, the day before it has.
  select app_id, (receipt_trusted_at at time zone (select rollup.reporting_zone()))::date - 1 as paid_through,
    (trusted_at at time zone (select rollup.reporting_zone()))::date - 1 as observed_through
  from rollup.app_horizon
) h on h.app_id = s.app_id;

comment on view rollup.cohort_cell is
  'One row per cohort and day_n of the views of cohorts. Read by: the views of cohorts.';
comment on column rollup.cohort_cell.paid_through is 'Last day that the followed feed of receipts has gone past; NULL without one.';
comment on column rollup.cohort_cell.is_paid_mature is 'True when day_n ends at or before the trusted horizon of the receipts.';
comment on column rollup.cohort_cell.is_observed_mature is 'True when day_n ends at or before the trusted horizon over level_up, game_user and the receipt feed.';
