-- The spine of weeks comes from the payers, so weeks without a purchase have a row.
select
  p.period_start as week,
  p.app_id,
  p.payer_count,
  p.new_payer_count,
  p.repeat_payer_count,
  o.observed_user_count,
  o.new_user_count,
  a.base_currency,
  a.base_amount,
  a.arppu,
  a.unconverted_count,
  p.is_complete
from {{ source('report', 'payers_by_period') }} p
left join {{ source('report', 'arppu_converted_by_period') }} a
  on a.period = p.period and a.period_start = p.period_start and a.app_id = p.app_id
left join {{ source('report', 'observed_by_period') }} o
  on o.period = p.period and o.period_start = p.period_start and o.app_id = p.app_id
where p.period = 'week'
