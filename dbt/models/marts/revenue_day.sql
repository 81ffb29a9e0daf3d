{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key=['day', 'app_id']) }}
-- Days are replaced whole, so a product that leaves a day leaves the mart, too.
select
  day,
  app_id,
  currency,
  product_name,
  store_name,
  sum(paid_count)::bigint as paid_count,
  sum(amount)::numeric(38, 4) as amount
from {{ source('report', 'product_by_day') }}
{% if is_incremental() -%}
where day >= (select coalesce(max(day), date '2000-01-01') - {{ var('lookback_days') | int }} from {{ this }})
{% endif -%}
group by day, app_id, currency, product_name, store_name
