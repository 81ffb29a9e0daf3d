-- Sums that differ between the incremental mart and its source: a file that came later than lookback_days, an undo, an
-- erasure, or another time zone. dbt build --full-refresh --select revenue_day makes them equal.
select app_id, currency, s.amount as amount_of_report, m.amount as amount_of_mart,
  s.paid_count as paid_count_of_report, m.paid_count as paid_count_of_mart
from (
  select app_id, currency, sum(amount) as amount, sum(paid_count) as paid_count
  from {{ source('report', 'product_by_day') }}
  group by app_id, currency
) s
full join (
  select app_id, currency, sum(amount) as amount, sum(paid_count) as paid_count
  from {{ ref('revenue_day') }}
  group by app_id, currency
) m using (app_id, currency)
where (s.amount, s.paid_count) is distinct from (m.amount, m.paid_count)
