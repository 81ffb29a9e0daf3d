-- Flows by month: trials and what becomes of them, churn, and the movements of monthly recurring revenue.
\ir parts/reports.sql
select plan(12);
alter table new_receipt alter product_type set default 'AUTO_RENEWABLE', alter gamebase_product_id set default 'gold',
  alter currency set default 'USD';

-- Trials, in application t. The newest event is at 2025-03-20 00:00, so what ended at 2025-03-04 00:00 is lost.
insert into new_receipt (app_id, user_id, payment_seq, original_payment_id, gamebase_product_id, amount_minor, is_promotion,
    is_sandbox, purchased_at, expires_at)
  values
    -- Converted, and a second paid period that converts nothing.
    ('t', 'u1', 'a1', null, 'gold', 0, null, null, '2025-01-05 00:00Z', '2025-01-12 00:00Z'),
    ('t', 'u1', 'a2', null, 'gold', 100, null, null, '2025-01-12 00:00Z', '2025-02-12 00:00Z'),
    ('t', 'u1', 'a3', null, 'gold', 100, null, null, '2025-02-12 00:00Z', '2025-03-12 00:00Z'),
    -- Two trials in a row are one of January and of gold, converted as silver after a promotion and a period without price.
    ('t', 'u2', 'b1', 'B', 'gold', 0, null, null, '2025-01-28 00:00Z', '2025-02-04 00:00Z'),
    ('t', 'u2', 'b2', 'B', 'silver', 0, null, null, '2025-02-04 00:00Z', '2025-02-11 00:00Z'),
    ('t', 'u2', 'b3', 'B', 'silver', 100, true, null, '2025-02-11 00:00Z', '2025-02-18 00:00Z'),
    ('t', 'u2', 'b4', 'B', 'silver', null, null, null, '2025-02-18 00:00Z', '2025-02-25 00:00Z'),
    ('t', 'u2', 'b5', 'B', 'silver', 100, null, null, '2025-02-25 00:00Z', '2025-03-25 00:00Z'),
    -- The first paid period is a resubscription: lost.
    ('t', 'u3', 'c1', null, 'gold', 0, null, null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('t', 'u3', 'c2', null, 'gold', 100, null, null, '2025-01-24 00:00:00.001Z', '2025-02-24 00:00Z'),
    ('t', 'u3', 'c3', null, 'gold', 100, null, null, '2025-02-24 00:00Z', '2025-03-24 00:00Z'),
    -- A renewal exactly 16 days after the end converts.
    ('t', 'u4', 'd1', null, 'gold', 0, null, null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('t', 'u4', 'd2', null, 'gold', 100, null, null, '2025-01-24 00:00Z', '2025-02-24 00:00Z'),
    -- Lost at exactly 16 days, and pending a millisecond later.
    ('t', 'u5', 'e1', null, 'gold', 0, null, null, '2025-02-25 00:00Z', '2025-03-04 00:00Z'),
    ('t', 'u6', 'f1', null, 'gold', 0, null, null, '2025-02-25 00:00Z', '2025-03-04 00:00:00.001Z'),
    -- In a row the last end counts: pending, although the first trial ended long ago.
    ('t', 'u7', 'g1', null, 'gold', 0, null, null, '2025-02-01 00:00Z', '2025-02-08 00:00Z'),
    ('t', 'u7', 'g2', null, 'gold', 0, null, null, '2025-02-20 00:00Z', '2025-03-10 00:00Z'),
    -- A trial after a promotion, and one that is a resubscription, are trials of their own. One payment converts each.
    ('t', 'u8', 'h1', null, 'gem', 0, null, null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('t', 'u8', 'h2', null, 'gem', 0, true, null, '2025-01-08 00:00Z', '2025-01-15 00:00Z'),
    ('t', 'u8', 'h3', null, 'gem', 0, null, null, '2025-01-15 00:00Z', '2025-01-22 00:00Z'),
    ('t', 'u8', 'h4', null, 'gem', 0, null, null, '2025-02-15 00:00Z', '2025-02-22 00:00Z'),
    ('t', 'u8', 'h5', null, 'gem', 100, null, null, '2025-02-22 00:00Z', '2025-03-22 00:00Z'),
    -- NULL is a product. A trial without length, a promotion, and a sandbox trial are none.
    ('t', 'u9', 'i1', null, null, 0, null, null, '2025-01-31 23:59:59.999Z', '2025-02-07 00:00Z'),
    ('t', 'u9', 'i2', null, null, 0, null, null, '2025-02-01 00:00Z', '2025-02-05 00:00Z'),
    ('t', 'u10', 'j1', null, null, 0, true, null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('t', 'u11', 'k1', null, null, 0, null, true, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    -- The newest event.
    ('t', 'u11', 'k2', null, null, 0, null, true, '2025-03-20 00:00Z', '2025-03-27 00:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select gamebase_product_id, month, trial_count, converted_count, lost_count, pending_count, rate, is_mature
       from report.trial_conversion_by_month where app_id = 't' $$, $$
  gold 2025-01-01 4 3 1 0 0.750000 t   # a1 b1 d1 converted, c1 lost
  gold 2025-02-01 3 0 1 2 0.000000 f   # e1 lost, f1 and g1 pending
  gem  2025-01-01 2 2 0 0 1.000000 t   # h1 h3
  gem  2025-02-01 1 1 0 0 1.000000 t   # h4
  -    2025-01-01 1 0 1 0 0.000000 t   # i1
  $$, 'trials in a row are one, and each is converted, lost or pending');

-- The newest event is a millisecond later, and a payment that comes late converts e1.
insert into new_receipt (app_id, user_id, payment_seq, amount_minor, is_sandbox, purchased_at, expires_at)
  values ('t', 'u11', 'k3', 0, true, '2025-03-20 00:00:00.001Z', '2025-03-27 00:00Z'),
    ('t', 'u5', 'e2', 100, null, '2025-03-19 00:00Z', '2025-04-19 00:00Z');
select pg_temp.load_lines('later');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select month, trial_count, converted_count, lost_count, pending_count, rate, is_mature
       from report.trial_conversion_by_month where app_id = 't' and gamebase_product_id = 'gold' $$, $$
  2025-01-01 4 3 1 0 0.750000 t
  2025-02-01 3 1 1 1 0.500000 f   # e1 converted, f1 lost
  $$, 'a newer event makes a trial lost, and a late payment converts one');
select ingest.undo_files('receipt', array[pg_temp.file('later')]) \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select month, trial_count, converted_count, lost_count, pending_count from report.trial_conversion_by_month
       where app_id = 't' and gamebase_product_id = 'gold' $$, $$
  2025-01-01 4 3 1 0
  2025-02-01 3 0 1 2 $$, 'and the undo of their file gives both back');

-- Churn, in application c: events from 2025-01-01 00:00 to 2025-04-17 00:00.
insert into new_receipt (app_id, user_id, payment_seq, original_payment_id, gamebase_product_id, amount_minor, is_promotion,
    purchased_at, expires_at)
  values
    -- Up to the end of January at the instant: active at the start of February, and gone at its end.
    ('c', 'u1', 'ca1', null, 'gold', 100, null, '2025-01-01 00:00Z', '2025-02-01 00:00Z'),
    -- A millisecond less: not active at the start of February. It starts in January, so it is no churn there.
    ('c', 'u2', 'cb1', null, 'gold', 100, null, '2025-01-01 00:00Z', '2025-01-31 23:59:59.999Z'),
    -- Renewed 16 days after the end: active at the start of February, and at its end.
    ('c', 'u3', 'cd1', null, 'gold', 100, null, '2025-01-01 00:00Z', '2025-01-31 00:00Z'),
    ('c', 'u3', 'cd2', null, 'gold', 100, null, '2025-02-16 00:00Z', '2025-03-16 00:00Z'),
    -- A millisecond later it is a resubscription: not active at the start of February.
    ('c', 'u4', 'ce1', null, 'gold', 100, null, '2025-01-01 00:00Z', '2025-01-31 00:00Z'),
    ('c', 'u4', 'ce2', null, 'gold', 100, null, '2025-02-16 00:00:00.001Z', '2025-03-16 00:00Z'),
    -- Another product in the chain: of gold at the start of February, and silver at its end is no churn.
    ('c', 'u5', 'cf1', 'F', 'gold', 100, null, '2025-01-20 00:00Z', '2025-02-20 00:00Z'),
    ('c', 'u5', 'cf2', 'F', 'silver', 100, null, '2025-02-10 00:00Z', '2025-03-10 00:00Z'),
    -- A renewal that is not paid: active up to its start, within the gap of gold.
    ('c', 'u6', 'cg1', null, 'gold', 100, null, '2025-01-01 00:00Z', '2025-01-25 00:00Z'),
    ('c', 'u6', 'cg2', null, 'gold', 100, true, '2025-02-02 00:00Z', '2025-04-30 00:00Z'),
    -- Trials are not active, also not in the gap before a paid renewal. Silver is a product from its first receipt on.
    ('c', 'u7', 'ch1', null, 'silver', 0, null, '2025-01-20 00:00Z', '2025-01-31 00:00Z'),
    ('c', 'u7', 'ch2', null, 'silver', 100, null, '2025-02-05 00:00Z', '2025-04-05 00:00Z'),
    -- Over two months, and bought before the end; the newest instant.
    ('c', 'u8', 'ci1', null, null, 100, null, '2025-02-28 23:59Z', '2025-04-10 00:00Z'),
    ('c', 'u8', 'ci2', null, null, 100, null, '2025-04-01 00:00Z', '2025-05-10 00:00Z'),
    ('c', 'u9', 'cj1', null, 'gold', 100, null, '2025-03-20 00:00Z', '2025-04-17 00:00Z'),
    ('c', 'u10', 'ck1', null, 'gold', 100, null, '2025-03-20 00:00Z', '2025-04-17 00:00:00.001Z'),
    ('c', 'u11', 'cl1', null, 'gold', 100, null, '2025-03-20 00:00Z', '2025-04-10 00:00Z'),
    ('c', 'u11', 'cl2', null, 'gold', 100, null, '2025-04-17 00:00Z', '2025-05-17 00:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select gamebase_product_id, month, active_at_start, churned_count, rate, is_complete
       from report.churn_by_month where app_id = 'c' $$, $$
  gold   2025-01-01 0 0 -        t
  gold   2025-02-01 4 2 0.500000 t   # u1 u3 u5 u6, of which u1 and u6 are gone
  gold   2025-03-01 2 2 1.000000 t   # u3 u4; complete: 2025-04-01 and 16 days is the newest event
  gold   2025-04-01 3 1 0.333333 f   # u9 u10 u11; u9 ends at the newest instant, and l2 starts at it
  silver 2025-01-01 0 0 -        t
  silver 2025-02-01 0 0 -        t
  silver 2025-03-01 2 1 0.500000 t   # u5 u7, of which u5 is gone
  silver 2025-04-01 1 1 1.000000 f   # u7
  -      2025-01-01 0 0 -        t
  -      2025-02-01 0 0 -        t
  -      2025-03-01 1 0 0.000000 t
  -      2025-04-01 1 0 0.000000 f   # the renewal runs from 2025-04-10
  $$, 'chains are active at the edges of months, also shortly before a renewal, and churn when no product is left');

-- A newer event ends the running of k1 and makes April a full month.
insert into new_receipt (app_id, user_id, payment_seq, product_type, purchased_at)
  values ('c', 'x', 'x1', 'CONSUMABLE', '2025-05-16 23:59:59.999Z');
select pg_temp.load_lines('later');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select gamebase_product_id, month, active_at_start, churned_count, is_complete
       from report.churn_by_month where app_id = 'c' and month >= '2025-04-01' $$, $$
  gold   2025-04-01 3 2 f   # u9 u10; not yet 16 days
  gold   2025-05-01 1 0 f   # l2 runs
  silver 2025-04-01 1 1 f
  silver 2025-05-01 0 0 f
  -      2025-04-01 1 0 f
  -      2025-05-01 1 1 f   # i2 has ended
  $$, 'the running month goes on with the newest event');
insert into new_receipt (app_id, user_id, payment_seq, product_type, purchased_at)
  values ('c', 'x', 'x2', 'CONSUMABLE', '2025-05-17 00:00Z');
select pg_temp.load_lines('latest');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select gamebase_product_id, month, churned_count, is_complete
       from report.churn_by_month where app_id = 'c' and month >= '2025-04-01' and gamebase_product_id = 'gold' $$, $$
  gold 2025-04-01 2 t
  gold 2025-05-01 1 f $$, 'a month is complete 16 days after its end');

-- An erasure takes the user out of months that are over and of the running one.
select ingest.erase_user('u3', 'c', sha256('u3'), sha256('key'), 1) \g /dev/null
select pg_temp.shows(
  $$ select month, active_at_start, churned_count from report.churn_by_month
       where app_id = 'c' and gamebase_product_id = 'gold' and month in ('2025-02-01', '2025-03-01') $$, $$
  2025-02-01 3 2
  2025-03-01 1 1 $$, 'an erasure takes the user out');

-- MRR, in application m: events from 2025-01-01 00:00 to 2025-03-21 00:00. All periods have 30 days unless another length
-- is told, so the monthly price is the amount.
insert into new_receipt (app_id, user_id, payment_seq, original_payment_id, gamebase_product_id, currency, amount_minor,
    purchased_at, expires_at)
  values
    -- New in January, more in February, less at the newest instant.
    ('m', 'u1', 'ma1', null, 'gold', 'USD', 100, '2025-01-10 00:00Z', '2025-02-09 00:00Z'),
    ('m', 'u1', 'ma2', null, 'gold', 'USD', 300, '2025-02-09 00:00Z', '2025-03-11 00:00Z'),
    ('m', 'u1', 'ma3', null, 'gold', 'USD', 250, '2025-03-11 00:00Z', '2025-04-10 00:00Z'),
    -- A year after a month, under another product: 1201 / 12 = 100.0833 less than before.
    ('m', 'u2', 'mb1', 'B', 'gold', 'USD', 200, '2025-01-15 00:00Z', '2025-02-14 00:00Z'),
    ('m', 'u2', 'mb2', 'B', 'year', 'USD', 1201, '2025-02-10 00:00Z', '2026-02-10 00:00Z'),
    -- A renewal two days late over the end of a month: gone in January, back in February.
    ('m', 'u3', 'md1', null, 'gold', 'USD', 500, '2025-01-01 00:00Z', '2025-01-31 00:00Z'),
    ('m', 'u3', 'md2', null, 'gold', 'USD', 500, '2025-02-02 00:00Z', '2025-03-04 00:00Z'),
    -- Active up to the end of January at the instant: churned in February.
    ('m', 'u4', 'me1', null, 'gold', 'USD', 40, '2025-01-02 00:00Z', '2025-02-01 00:00Z'),
    -- A renewal at the start of a month continues.
    ('m', 'u5', 'mf1', null, 'gold', 'USD', 7, '2025-01-02 00:00Z', '2025-02-01 00:00Z'),
    ('m', 'u5', 'mf2', null, 'gold', 'USD', 7, '2025-02-01 00:00Z', '2025-03-03 00:00Z'),
    -- A length without a factor is unknown: no MRR. The next one is new.
    ('m', 'u6', 'mg1', null, 'gold', 'USD', 9000, '2025-01-20 00:00Z', '2025-02-04 00:00Z'),
    ('m', 'u6', 'mg2', null, 'gold', 'USD', 60, '2025-02-04 00:00Z', '2025-03-06 00:00Z'),
    ('m', 'u6', 'mg3', null, 'gold', 'USD', 9000, '2025-03-06 00:00Z', '2025-04-07 00:00Z'),
    -- Another currency in a chain: churned in the one, new in the other.
    ('m', 'u7', 'mh1', null, 'gold', 'USD', 11, '2025-01-05 00:00Z', '2025-02-04 00:00Z'),
    ('m', 'u7', 'mh2', null, 'gold', 'JPY', 1000, '2025-02-04 00:00Z', '2025-03-06 00:00Z'),
    -- A week within a month shows at no end, but it comes before the period of March, which ends later.
    ('m', 'u8', 'mi1', null, 'gold', 'JPY', 30, '2025-01-05 00:00Z', '2025-01-12 00:00Z'),
    ('m', 'u8', 'mi2', null, 'gold', 'JPY', 20, '2025-03-01 00:00Z', '2025-03-31 00:00Z'),
    -- The same within one month is new, not reactivated.
    ('m', 'u9', 'mj1', null, 'gold', 'JPY', 31, '2025-03-02 00:00Z', '2025-03-09 00:00Z'),
    ('m', 'u9', 'mj2', null, 'gold', 'JPY', 8, '2025-03-10 00:00Z', '2025-04-09 00:00Z'),
    -- It starts at the newest instant; another one ends at it.
    ('m', 'u10', 'mk1', null, 'gold', 'KWD', 1001, '2025-03-21 00:00Z', '2025-05-20 00:00Z'),
    ('m', 'u11', 'ml1', null, 'gold', 'KWD', 9, '2025-02-19 00:00Z', '2025-03-21 00:00Z'),
    -- Bought before the end of the one before: it starts after the newest instant.
    ('m', 'u12', 'mn1', null, 'gold', 'KWD', 2, '2025-02-25 00:00Z', '2025-03-27 00:00Z'),
    ('m', 'u12', 'mn2', null, 'gold', 'KWD', 3, '2025-03-20 00:00Z', '2025-04-26 00:00Z'),
    -- Trials never have any.
    ('m', 'u13', 'mo1', null, 'gold', 'EUR', 0, '2025-02-20 00:00Z', '2025-03-22 00:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
-- USD at the end of January: 100 + 200 + 40 + 7 + 11 = 358, and g1 of an unknown length; u3 has ended on the 31st.
-- February: u1 300, u2 100.0833, u3 500, u5 7, u6 60 = 967.0833. Expansion 200, contraction 99.9167.
-- The sums: 358, + 60 = 418, + 500 = 918, + 200 = 1118, - 99.9167 = 1018.0833 (1018), - 51 = 967.0833 (967).
-- March 21: u1 250, u2 100.0833; u3, u5 and u6 have none. Contraction 50, churned 567.
-- The sums: 967.0833, - 50 = 917.0833 (917), - 567 = 350.0833 (350).
select pg_temp.shows(
  $$ select currency, month, starting_amount, new_amount, reactivated_amount, expansion_amount, contraction_amount,
         churned_amount, ending_amount, unknown_length_count, is_complete
       from report.mrr_movement_by_month where app_id = 'm' $$, $$
  #              starting new reactivated
  #              |    |    |    expansion contraction churned
  #              |    |    |    |    |    |    ending unknown
  JPY 2025-01-01 0    0    0    0    0    0    0    0 t
  JPY 2025-02-01 0    1000 0    0    0    0    1000 0 t
  JPY 2025-03-01 1000 8    20   0    0    1000 28   0 f
  KWD 2025-01-01 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0 t
  KWD 2025-02-01 0.000 0.011 0.000 0.000 0.000 0.000 0.011 0 t   # 9 + 2
  KWD 2025-03-01 0.011 0.501 0.000 0.000 0.000 0.009 0.503 0 f   # 11 + 500.5 = 511.5 (512); - 9 = 502.5 (503)
  USD 2025-01-01 0.00 3.58 0.00 0.00 0.00 0.00 3.58 1 t
  USD 2025-02-01 3.58 0.60 5.00 2.00 1.00 0.51 9.67 0 t
  USD 2025-03-01 9.67 0.00 0.00 0.00 0.50 5.67 3.50 1 f   # g3
  $$, 'the movements of each currency lead from one end of a month to the next, rounded one after the other');

-- The first month has no day before it, and the running month no last day.
select is_empty(
  $$ select * from report.mrr_movement_by_month
       where starting_amount + new_amount + reactivated_amount + expansion_amount - contraction_amount - churned_amount
         <> ending_amount $$,
  'the rounded parts add up');
select is_empty(
  $$ select m.app_id, m.currency, m.month from report.mrr_movement_by_month m
       left join report.mrr_by_day s on s.app_id = m.app_id and s.currency = m.currency and s.day = m.month - 1
       left join report.mrr_by_day e on e.app_id = m.app_id and e.currency = m.currency
         and e.day = (m.month + interval '1 month')::date - 1
       where m.starting_amount <> coalesce(s.amount, 0) or m.ending_amount <> e.amount
         or m.unknown_length_count <> e.unknown_length_count $$,
  'both ends are those of report.mrr_by_day');

-- Application z has one user with a sandbox receipt before, and one period from 2025-01-31 15:00 to 2025-02-28 15:00 UTC.
-- In Seoul that is February as a whole: it begins and ends at the edges of the month.
insert into new_receipt (app_id, user_id, payment_seq, amount_minor, is_sandbox, product_type, purchased_at, expires_at)
  values ('z', 'u1', 'z1', 0, null, 'AUTO_RENEWABLE', '2025-01-24 15:00Z', '2025-01-31 15:00Z'),
    ('z', 'u1', 'z2', 100, null, 'AUTO_RENEWABLE', '2025-01-31 15:00Z', '2025-02-28 15:00Z'),
    ('z', 'u2', 'z3', 100, true, 'CONSUMABLE', '2025-03-05 00:00Z', null);
select pg_temp.load_lines();
\ir parts/refresh.sql
create function pg_temp.flows_of_z() returns table (line text) language sql as $$
  select 'trial ' || concat_ws(' ', month, trial_count, converted_count)
    from report.trial_conversion_by_month where app_id = 'z'
  union all
  select 'churn ' || concat_ws(' ', month, active_at_start, churned_count) from report.churn_by_month where app_id = 'z'
  union all
  select 'mrr ' || concat_ws(' ', month, trim_scale(starting_amount), trim_scale(new_amount), trim_scale(churned_amount),
      trim_scale(ending_amount))
    from report.mrr_movement_by_month where app_id = 'z'
$$;
select pg_temp.shows('select * from pg_temp.flows_of_z()', $$
  trial 2025-01-01 1 1
  churn 2025-01-01 0 0
  churn 2025-02-01 1 1
  churn 2025-03-01 0 0
  mrr 2025-01-01 0.00 1.00 0.00 1.00
  mrr 2025-02-01 1.00 0.00 1.00 0.00
  mrr 2025-03-01 0.00 0.00 0.00 0.00 $$, 'the edges of months in UTC');
select pg_temp.set_zone('Asia/Seoul') \g /dev/null
\ir parts/refresh_full.sql
select pg_temp.shows('select * from pg_temp.flows_of_z()', $$
  trial 2025-01-01 1 1
  churn 2025-01-01 0 0
  churn 2025-02-01 0 0
  churn 2025-03-01 1 1
  mrr 2025-01-01 0.00 0.00 0.00 0.00
  mrr 2025-02-01 0.00 1.00 0.00 1.00
  mrr 2025-03-01 1.00 0.00 1.00 0.00 $$, 'and in another zone');

select * from finish();
