-- The queries on two years of a large game that scripts/bench reports measures, for the application and the user of its
-- data. The analyst role runs them in a test.

-- Q1. Revenue by day and currency of one application, 90 days.
select day, currency, sum(paid_count) as purchases, sum(amount) as amount
from report.revenue_by_day
where app_id = 'Qb2FhTzN' and day between '2025-05-03' and '2025-07-31'
group by day, currency
order by day, currency;

-- Q2. The same by product and store.
select day, currency, gamebase_product_id, store_code, paid_count, amount, share_of_amount
from report.product_by_day
where app_id = 'Qb2FhTzN' and day between '2025-05-03' and '2025-07-31'
order by day, currency, gamebase_product_id, store_code;

-- Q3. Payers, new and repeat payers by day, 90 days.
select period_start, app_id, payer_count, new_payer_count, repeat_payer_count, is_complete
from report.payers_by_period
where period = 'day' and period_start between '2025-05-03' and '2025-07-31'
order by period_start, app_id;

-- Q4. Payers by month.
select period_start, app_id, payer_count, new_payer_count
from report.payers_by_period
where period = 'month'
order by period_start, app_id;

-- Q5. Revenue per paying user by week, one year.
select period_start, app_id, currency, amount, paid_count, payer_count, arppu, is_complete
from report.arppu_by_period
where period = 'week' and period_start between '2025-01-01' and '2025-12-31'
order by period_start, app_id, currency;

-- Q6. Observed users by day, 90 days. They are not daily active users: the records contain no logins.
select period_start, app_id, observed_user_count, level_up_user_count, payer_count, new_user_count
from report.observed_by_period
where period = 'day' and period_start between '2025-05-03' and '2025-07-31'
order by period_start, app_id;

-- Q7. Retention of the cohorts of one month.
select app_id, cohort_on, day_n, cohort_size, observed_count, rate
from report.retention_by_cohort
where cohort_on between '2025-07-01' and '2025-07-31'
order by app_id, cohort_on, day_n;

-- Q8. Cumulative revenue of the cohorts of one quarter, in one currency.
select app_id, cohort_on, day_n, cohort_size, cumulative_amount, amount_per_user
from report.revenue_by_cohort
where cohort_kind = 'first_observed' and currency = 'USD' and cohort_on between '2025-04-01' and '2025-06-30'
order by app_id, cohort_on, day_n;

-- Q9. Conversion of the cohorts of one year.
select app_id, cohort_on, day_n, cohort_size, converted_count, rate
from report.conversion_by_cohort
where cohort_on between '2025-01-01' and '2025-12-31'
order by app_id, cohort_on, day_n;

-- Q10. The part of each month's revenue that comes from the top payers, one year.
select month, app_id, currency, top_share, payer_count, share_of_amount
from report.payer_concentration
where month between '2025-01-01' and '2025-12-01'
order by month, app_id, currency, top_share;

-- Q11. Subscriptions by day, and monthly recurring revenue, 90 days.
select day, gamebase_product_id, store_code, active_paid, active_trial, new_count, renewed_count, expired_count
from report.subscription_by_day
where app_id = 'Qb2FhTzN' and day between '2025-05-03' and '2025-07-31'
order by day, gamebase_product_id, store_code;
select day, currency, amount, unknown_length_count
from report.mrr_by_day
where app_id = 'Qb2FhTzN' and day between '2025-05-03' and '2025-07-31'
order by day, currency;

-- Q12. How far users get, and how long it takes them: the median of the hours.
select f.user_level, f.reached_user_count, f.stopped_7d_count,
  round(t.p50_minutes_since_first_observed / 60, 1) as hours_since_first_observed,
  round(t.p50_minutes_since_previous_level / 60, 1) as hours_since_previous_level
from report.level_funnel f
left join report.level_time t on t.app_id = f.app_id and t.user_level = f.user_level
where f.app_id = 'Qb2FhTzN'
order by f.user_level;

-- Q13. Revenue by the level at the purchase: exact, or the highest level of a user with several characters.
select currency, user_level, level_attribution, payer_count, paid_count, amount
from report.revenue_by_level
where app_id = 'Qb2FhTzN'
order by currency, user_level, level_attribution;

-- Q14. One user: the player, the purchases and the characters.
select * from report.player where app_id = 'Qb2FhTzN' and user_id = 'U1';
select purchased_at, gamebase_product_id, currency, amount, is_paid, user_level
from report.purchase where app_id = 'Qb2FhTzN' and user_id = 'U1' order by purchased_at;
select * from report.character_history where app_id = 'Qb2FhTzN' and user_id = 'U1' order by valid_from;

-- Q15. The last 30 nights: loads, refused lines by code, gaps, and how far the streams have come.
select * from report.load_history where started_at >= '2025-07-01' order by load_id desc;
select day, stream, code, sum(reject_count) as rejects
from report.reject_by_day where day >= '2025-07-01' group by day, stream, code order by day, stream, code;
select * from report.calendar_gap where day >= '2025-07-01' and (is_missing or is_unusual) order by day, app_id, stream;
select * from report.freshness order by app_id, stream;
