{{ config(materialized='view') }}
-- A view, because a table would keep an erased user until the next build.
select
  app_id,
  user_id,
  currency,
  amount,
  paid_count,
  case
    when rank() over amounts <= 0.01 * count(*) over users then 'top 1 %'
    when rank() over amounts <= 0.1 * count(*) over users then 'top 10 %'
    else 'others'
  end as segment
from {{ source('report', 'player_revenue') }}
where paid_count > 0
window
  amounts as (partition by app_id, currency order by amount desc),
  users as (partition by app_id, currency)
