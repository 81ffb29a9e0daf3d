create or replace view report.payer_concentration as
select
  r.month,
  r.app_id,
  r.currency,
  r.top_share::numeric(7, 6) as top_share,
  r.payer_count,
  r.amount_minor::numeric(38, 0) as amount_minor,
  round(r.amount_minor / 10::numeric ^ c.minor_unit, c.minor_unit::integer)::numeric(38, 4) as amount,
  -- Half up from the exact quotient: a quotient of numerics is rounded itself.
  (div(r.amount_minor * 2000000 + r.total_amount_minor, r.total_amount_minor * 2) * 0.000001)::numeric(7, 6) as share_of_amount,
  coalesce(m.ends_at <= h.receipt_trusted_at and m.starts_at >= h.receipt_first_at, false) as is_complete
from rollup.concentration_month r
join game.currency c on c.currency = r.currency
left join rollup.calendar_period m on m.period = 'month' and m.period_start = r.month
left join rollup.app_horizon h on h.app_id = r.app_id;

comment on view report.payer_concentration is
  'One row per month, application, currency and share of the payers (0.01, 0.05, 0.1, 0.25, 0.5, 1): the part of the revenue that comes from the users who paid most. Only months with a paid purchase in the currency.';
comment on column report.payer_concentration.top_share is 'Share of the month''s payers in the currency, those who paid most first.';
comment on column report.payer_concentration.payer_count is
  'Number of these payers: the share of all payers, rounded up. Do not add it over rows.';
comment on column report.payer_concentration.amount_minor is
  'Sum of their paid purchases in the month, in the minor unit of the currency.';
comment on column report.payer_concentration.share_of_amount is 'Their part of the revenue of all payers, 6 digits.';
