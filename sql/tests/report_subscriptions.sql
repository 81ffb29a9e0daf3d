-- Subscriptions: the chains of receipts, the kind of each period, the counts of each day, and the retention of chains.
\ir parts/reports.sql
select plan(19);
alter table new_receipt alter product_type set default 'AUTO_RENEWABLE', alter gamebase_product_id set default 'gold';

-- Chains and kinds, in application c. All receipts are of product gold in store GG, where no other is named.
insert into new_receipt (app_id, user_id, payment_seq, payment_id, original_payment_id, purchased_at, expires_at)
  values
    -- Renewals before, at and after the expiry, and exactly 16 days after it; then a millisecond more.
    ('c', 'u1', 'a1', null, null, '2025-01-01 00:00Z', '2025-01-31 00:00Z'),
    ('c', 'u1', 'a2', null, null, '2025-01-30 12:00Z', '2025-03-02 00:00Z'),
    ('c', 'u1', 'a3', null, null, '2025-03-02 00:00Z', '2025-04-01 00:00Z'),
    ('c', 'u1', 'a4', null, null, '2025-04-03 00:00Z', '2025-05-03 00:00Z'),
    ('c', 'u1', 'a5', null, null, '2025-05-19 00:00Z', '2025-06-18 00:00Z'),
    ('c', 'u1', 'a6', null, null, '2025-07-04 00:00:00.001Z', '2025-08-03 00:00Z'),
    -- A Google order number with its suffixes, and another order number.
    ('c', 'u2', 'b1', 'GPA.1', null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u2', 'b2', 'GPA.1..0', null, '2025-01-08 00:00Z', '2025-01-15 00:00Z'),
    ('c', 'u2', 'b3', 'GPA.1..1', null, '2025-01-15 00:00Z', '2025-01-22 00:00Z'),
    ('c', 'u2', 'b4', 'GPA.2', null, '2025-01-22 00:00Z', '2025-01-29 00:00Z'),
    -- The first period is not in the feed: a suffix, and an original that no receipt has.
    ('c', 'u3', 'c1', 'GPA.3..4', null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u3', 'c2', 'GPA.3..5', null, '2025-01-08 00:00Z', '2025-01-15 00:00Z'),
    ('c', 'u4', 'd1', '1001', '1000', '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u4', 'd2', '1002', '1000', '2025-01-08 00:00Z', '2025-01-15 00:00Z'),
    -- The first receipt names itself as its original.
    ('c', 'u5', 'e1', '2000', '2000', '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u5', 'e2', '2001', '2000', '2025-01-08 00:00Z', '2025-01-15 00:00Z'),
    -- Another receipt names the payment as its original.
    ('c', 'u6', 'f1', '3000', null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u6', 'f2', '3001', '3000', '2025-01-08 00:00Z', '2025-01-15 00:00Z'),
    -- The suffix is stripped from an original too.
    ('c', 'u7', 'g1', 'GPA.7', null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u7', 'g2', '7b', 'GPA.7..2', '2025-01-08 00:00Z', '2025-01-15 00:00Z'),
    -- A chain of several links: h1 is the original of h2, h2 and h3 share a payment, which is the original of h4,
    -- and h5 has the order number of h4.
    ('c', 'u8', 'h1', 'A', null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u8', 'h2', 'B', 'A', '2025-01-08 00:00Z', '2025-01-15 00:00Z'),
    ('c', 'u8', 'h3', 'B', null, '2025-01-15 00:00Z', '2025-01-22 00:00Z'),
    ('c', 'u8', 'h4', 'GPA.9..0', 'B', '2025-01-22 00:00Z', '2025-01-29 00:00Z'),
    ('c', 'u8', 'h5', 'GPA.9', null, '2025-01-29 00:00Z', '2025-02-05 00:00Z'),
    -- The payment of another user.
    ('c', 'u11', 'j1', 'GPA.1', null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    -- Payments that no other receipt has are no link; k3 names itself as its original, so it is not joined by product.
    ('c', 'u12', 'k1', 'X1', null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u12', 'k2', 'X2', null, '2025-01-08 00:00Z', '2025-01-15 00:00Z'),
    ('c', 'u12', 'k3', 'X3', 'X3', '2025-01-15 00:00Z', '2025-01-22 00:00Z'),
    -- Two receipts with one payment. By bytes, "l10" is before "l9".
    ('c', 'u13', 'l9', 'Y', null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u13', 'l10', 'Y', null, '2025-01-08 00:00Z', '2025-01-15 00:00Z'),
    -- The purchases and expiries are the same: the smaller payment_seq comes first, the other one has no length.
    ('c', 'u14', 'n2', null, null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u14', 'n1', null, null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    -- A period within another one.
    ('c', 'u15', 'o1', null, null, '2025-01-01 00:00Z', '2025-01-31 00:00Z'),
    ('c', 'u15', 'o2', null, null, '2025-01-10 00:00Z', '2025-01-20 00:00Z'),
    ('c', 'u15', 'o3', null, null, '2025-01-31 00:00Z', '2025-03-02 00:00Z');
insert into new_receipt (app_id, user_id, payment_seq, gamebase_product_id, store_code, original_payment_id, purchased_at,
    expires_at)
  values
    -- Without a link: the same product and store, where NULL is a value.
    ('c', 'u10', 'i1', null, null, null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u10', 'i2', null, null, null, '2025-01-08 00:00Z', '2025-01-15 00:00Z'),
    ('c', 'u10', 'i3', 'gold', null, null, '2025-01-15 00:00Z', '2025-01-22 00:00Z'),
    ('c', 'u10', 'i4', null, 'GG', null, '2025-01-15 00:00Z', '2025-01-22 00:00Z'),
    -- A change of product inside a chain cuts the running period; a change after its end cuts nothing.
    ('c', 'u16', 'p1', 'gold', 'GG', 'P', '2025-01-01 00:00Z', '2025-01-31 00:00Z'),
    ('c', 'u16', 'p2', 'platinum', 'GG', 'P', '2025-01-11 00:00Z', '2025-02-10 00:00Z'),
    ('c', 'u16', 'p3', 'platinum', 'GG', 'P', '2025-02-10 00:00Z', '2025-03-12 00:00Z'),
    ('c', 'u17', 'q1', 'gold', 'GG', 'Q', '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u17', 'q2', 'platinum', 'GG', 'Q', '2025-01-10 00:00Z', '2025-01-17 00:00Z');
insert into new_receipt (app_id, user_id, payment_seq, amount_minor, is_promotion, is_sandbox, product_type, purchased_at,
    expires_at)
  values
    ('c', 'u18', 'r1', 0, null, null, 'AUTO_RENEWABLE', '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u18', 'r2', 999, null, null, 'AUTO_RENEWABLE', '2025-01-08 00:00Z', '2025-02-07 00:00Z'),
    ('c', 'u19', 's1', 0, true, null, 'AUTO_RENEWABLE', '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u20', 's2', null, null, null, 'AUTO_RENEWABLE', '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u21', 's3', 100, true, null, 'AUTO_RENEWABLE', '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    -- No subscription receipts: sandbox, another type, no type, no expiry. But the other subscription type is one.
    ('c', 'u22', 'm1', 100, null, true, 'AUTO_RENEWABLE', '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u22', 'm2', 100, null, null, 'CONSUMABLE', '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u22', 'm3', 100, null, null, null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('c', 'u22', 'm4', 100, null, null, 'AUTO_RENEWABLE', '2025-01-01 00:00Z', null),
    ('c', 'u22', 'm5', 100, null, false, 'CONSUMABLE_AUTO_RENEWABLE', '2025-01-01 00:00Z', '2025-01-08 00:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql

select pg_temp.shows(
  $$ select payment_seq, chain_id, chain_rule, starts_at, ends_at, period_kind, is_overlapped
       from report.subscription_period where app_id = 'c' $$, $$
  a1 a1 product  2025-01-01T00:00 2025-01-31T00:00 new f
  a2 a1 product  2025-01-31T00:00 2025-03-02T00:00 renewal f          # bought half a day before the end
  a3 a1 product  2025-03-02T00:00 2025-04-01T00:00 renewal f          # at the end
  a4 a1 product  2025-04-03T00:00 2025-05-03T00:00 renewal f          # two days after the end
  a5 a1 product  2025-05-19T00:00 2025-06-18T00:00 renewal f          # 2025-05-03 and 16 days
  a6 a1 product  2025-07-04T00:00:00.001 2025-08-03T00:00 resubscription f   # 2025-06-18, 16 days and 1 ms
  b1 b1 google   2025-01-01T00:00 2025-01-08T00:00 new f
  b2 b1 google   2025-01-08T00:00 2025-01-15T00:00 renewal f
  b3 b1 google   2025-01-15T00:00 2025-01-22T00:00 renewal f
  b4 b4 google   2025-01-22T00:00 2025-01-29T00:00 new f              # a new order number is a new chain
  c1 c1 google   2025-01-01T00:00 2025-01-08T00:00 continued f
  c2 c1 google   2025-01-08T00:00 2025-01-15T00:00 renewal f
  d1 d1 original 2025-01-01T00:00 2025-01-08T00:00 continued f
  d2 d1 original 2025-01-08T00:00 2025-01-15T00:00 renewal f
  e1 e1 original 2025-01-01T00:00 2025-01-08T00:00 new f
  e2 e1 original 2025-01-08T00:00 2025-01-15T00:00 renewal f
  f1 f1 payment  2025-01-01T00:00 2025-01-08T00:00 new f
  f2 f1 original 2025-01-08T00:00 2025-01-15T00:00 renewal f
  g1 g1 google   2025-01-01T00:00 2025-01-08T00:00 new f
  g2 g1 original 2025-01-08T00:00 2025-01-15T00:00 renewal f
  h1 h1 payment  2025-01-01T00:00 2025-01-08T00:00 new f
  h2 h1 original 2025-01-08T00:00 2025-01-15T00:00 renewal f
  h3 h1 payment  2025-01-15T00:00 2025-01-22T00:00 renewal f
  h4 h1 original 2025-01-22T00:00 2025-01-29T00:00 renewal f
  h5 h1 google   2025-01-29T00:00 2025-02-05T00:00 renewal f
  i1 i1 product  2025-01-01T00:00 2025-01-08T00:00 new f
  i2 i1 product  2025-01-08T00:00 2025-01-15T00:00 renewal f
  i3 i3 product  2025-01-15T00:00 2025-01-22T00:00 new f
  i4 i4 product  2025-01-15T00:00 2025-01-22T00:00 new f
  j1 j1 google   2025-01-01T00:00 2025-01-08T00:00 new f
  k1 k1 product  2025-01-01T00:00 2025-01-08T00:00 new f
  k2 k1 product  2025-01-08T00:00 2025-01-15T00:00 renewal f
  k3 k3 original 2025-01-15T00:00 2025-01-22T00:00 new f
  l9 l10 payment 2025-01-01T00:00 2025-01-08T00:00 new f
  l10 l10 payment 2025-01-08T00:00 2025-01-15T00:00 renewal f
  m5 m5 product  2025-01-01T00:00 2025-01-08T00:00 new f
  n1 n1 product  2025-01-01T00:00 2025-01-08T00:00 new f
  n2 n1 product  2025-01-08T00:00 2025-01-08T00:00 - t
  o1 o1 product  2025-01-01T00:00 2025-01-31T00:00 new f
  o2 o1 product  2025-01-31T00:00 2025-01-31T00:00 - t                # ends where it starts
  o3 o1 product  2025-01-31T00:00 2025-03-02T00:00 renewal f
  p1 p1 original 2025-01-01T00:00 2025-01-11T00:00 continued f        # cut; no receipt is P
  p2 p1 original 2025-01-11T00:00 2025-02-10T00:00 renewal f
  p3 p1 original 2025-02-10T00:00 2025-03-12T00:00 renewal f
  q1 q1 original 2025-01-01T00:00 2025-01-08T00:00 continued f
  q2 q1 original 2025-01-10T00:00 2025-01-17T00:00 renewal f
  r1 r1 product  2025-01-01T00:00 2025-01-08T00:00 new f
  r2 r1 product  2025-01-08T00:00 2025-02-07T00:00 renewal f
  s1 s1 product  2025-01-01T00:00 2025-01-08T00:00 new f
  s2 s2 product  2025-01-01T00:00 2025-01-08T00:00 new f
  s3 s3 product  2025-01-01T00:00 2025-01-08T00:00 new f $$,
  'receipts form chains, and each period has a start, an end and a kind');
select pg_temp.shows(
  $$ select payment_seq, user_id, gamebase_product_id, store_code, currency, amount_minor, amount, is_trial, is_paid
       from report.subscription_period
       where app_id = 'c' and (payment_seq like 'r%' or payment_seq like 's%' or payment_seq in ('i1', 'p2')) $$, $$
  i1 u10 -        -  USD 100 1.00 f t
  p2 u16 platinum GG USD 100 1.00 f t
  r1 u18 gold     GG USD 0   0.00 t f
  r2 u18 gold     GG USD 999 9.99 f t
  s1 u19 gold     GG USD 0   0.00 f f   # a promotion is no trial
  s2 u20 gold     GG USD -   -    f f   # no price is not price 0
  s3 u21 gold     GG USD 100 1.00 f f
  $$, 'a trial has price 0 and is no promotion');
select pg_temp.shows(
  $$ select payment_seq, chain_id from report.purchase where app_id = 'c' and payment_seq in ('h5', 'm1', 'm2', 'm5') $$, $$
  h5 h1
  m1 -
  m2 -
  m5 m5 $$, 'a purchase has the chain of its subscription');

-- The counts of each day, in application d. The newest receipt is a sandbox one at 2025-01-22 00:00.
insert into new_receipt (app_id, user_id, payment_seq, payment_id, amount_minor, is_promotion, is_sandbox, purchased_at,
    expires_at)
  values
    -- A trial, then a paid period.
    ('d', 'u1', 'da1', null, 0, null, null, '2025-01-01 00:00Z', '2025-01-03 00:00Z'),
    ('d', 'u1', 'da2', null, 100, null, null, '2025-01-03 00:00Z', '2025-01-05 00:00Z'),
    -- A renewal exactly 16 days after the end.
    ('d', 'u2', 'db1', null, 100, null, null, '2025-01-02 12:00Z', '2025-01-04 12:00Z'),
    ('d', 'u2', 'db2', null, 100, null, null, '2025-01-20 12:00Z', '2025-01-22 12:00Z'),
    -- A continued period, and a resubscription 16 days and 1 ms after its end.
    ('d', 'u3', 'dc1', 'GPA.1..2', 100, null, null, '2025-01-02 06:00Z', '2025-01-03 06:00Z'),
    ('d', 'u3', 'dc2', 'GPA.1..3', 100, null, null, '2025-01-19 06:00:00.001Z', '2025-01-21 06:00Z'),
    -- A promotion, and a period within it.
    ('d', 'u4', 'dd1', null, 100, true, null, '2025-01-02 00:00Z', '2025-01-06 00:00Z'),
    ('d', 'u4', 'dd2', null, 100, true, null, '2025-01-04 10:00Z', '2025-01-05 00:00Z'),
    ('d', 'u5', 'de1', null, 100, null, true, '2025-01-22 00:00Z', '2025-01-23 00:00Z');
-- Another product, without a store. It has a row for each of the 22 days.
insert into new_receipt (app_id, user_id, payment_seq, gamebase_product_id, store_code, purchased_at, expires_at)
  values ('d', 'u6', 'df1', 'silver', null, '2025-01-21 00:00Z', '2025-02-20 00:00Z');
select pg_temp.load_lines('d');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select day, active_paid, active_trial, active_other, new_count, continued_count, converted_count, renewed_count,
       resubscribed_count, expired_count, overlapped_count, is_complete, is_expiry_final
       from report.subscription_by_day where app_id = 'd' and gamebase_product_id = 'gold' and store_code = 'GG' $$, $$
  #          active  new   converted
  #          | | |   | continued renewed
  #          | | |   | |   | |   resubscribed
  #          | | |   | |   | |   | expired
  #          | | |   | |   | |   | | overlapped
  2025-01-01 0 1 0   1 0   0 0   0 0 0   t t   # da1
  2025-01-02 2 1 1   2 1   0 0   0 0 0   t t   # new: db1 dd1; continued: dc1
  2025-01-03 2 0 1   0 0   1 1   0 1 0   t t   # da2 converts da1; dc1 expires, da1 does not
  2025-01-04 1 0 1   0 0   0 0   0 0 1   t t   # da2 ends at the day's end; db1 is renewed later; dd2
  2025-01-05 0 0 1   0 0   0 0   0 1 0   t t   # da2 expires at 00:00; final: 2025-01-06 and 16 days
  2025-01-06 0 0 0   0 0   0 0   0 1 0   t f   # dd1
  2025-01-07 0 0 0   0 0   0 0   0 0 0   t f
  2025-01-08 0 0 0   0 0   0 0   0 0 0   t f
  2025-01-09 0 0 0   0 0   0 0   0 0 0   t f
  2025-01-10 0 0 0   0 0   0 0   0 0 0   t f
  2025-01-11 0 0 0   0 0   0 0   0 0 0   t f
  2025-01-12 0 0 0   0 0   0 0   0 0 0   t f
  2025-01-13 0 0 0   0 0   0 0   0 0 0   t f
  2025-01-14 0 0 0   0 0   0 0   0 0 0   t f
  2025-01-15 0 0 0   0 0   0 0   0 0 0   t f
  2025-01-16 0 0 0   0 0   0 0   0 0 0   t f
  2025-01-17 0 0 0   0 0   0 0   0 0 0   t f
  2025-01-18 0 0 0   0 0   0 0   0 0 0   t f
  2025-01-19 1 0 0   0 0   0 0   1 0 0   t f   # dc2
  2025-01-20 2 0 0   0 0   0 1   0 0 0   t f   # db2
  2025-01-21 1 0 0   0 0   0 0   0 1 0   t f   # dc2 expires, as far as is known
  2025-01-22 0 0 0   0 0   0 0   0 0 0   f f   # db2 ends after the newest receipt
  $$, 'the counts of each day');
select pg_temp.shows(
  $$ select gamebase_product_id, store_code, count(*), sum(active_paid), sum(new_count), sum(expired_count)
       from report.subscription_by_day where app_id = 'd' group by 1, 2 $$, $$
  gold   GG 22 9 3 4    # 2 + 2 + 1 + 1 + 2 + 1 days
  silver -  22 2 1 0 $$, 'each product and store with a subscription has a row for each day');

-- A change of product, in application e: nothing ends in gold, and platinum has a renewal.
insert into new_receipt (app_id, user_id, payment_seq, payment_id, original_payment_id, gamebase_product_id, is_sandbox,
    purchased_at, expires_at)
  values
    ('e', 'u1', 'ea1', 'P', 'P', 'gold', null, '2025-02-01 00:00Z', '2025-02-11 00:00Z'),
    ('e', 'u1', 'ea2', 'Q', 'P', 'platinum', null, '2025-02-04 00:00Z', '2025-02-14 00:00Z'),
    ('e', 'u2', 'eb1', null, null, 'gem', true, '2025-02-06 00:00Z', null);
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select gamebase_product_id, day, active_paid, new_count, renewed_count, expired_count, is_complete, is_expiry_final
       from report.subscription_by_day where app_id = 'e' $$, $$
  gold     2025-02-01 1 1 0 0 t f
  gold     2025-02-02 1 0 0 0 t f
  gold     2025-02-03 1 0 0 0 t f   # until the end of this day
  gold     2025-02-04 0 0 0 0 t f
  gold     2025-02-05 0 0 0 0 t f
  gold     2025-02-06 0 0 0 0 f f
  platinum 2025-02-01 0 0 0 0 t f
  platinum 2025-02-02 0 0 0 0 t f
  platinum 2025-02-03 0 0 0 0 t f
  platinum 2025-02-04 1 0 1 0 t f
  platinum 2025-02-05 1 0 0 0 t f
  platinum 2025-02-06 1 0 0 0 f f $$, 'a renewal under another product moves the subscription');

-- An expiry at the instant of the newest receipt counts, one a millisecond later does not.
insert into new_receipt (app_id, user_id, payment_seq, is_sandbox, purchased_at, expires_at)
  values ('x', 'u1', 'xa1', null, '2025-02-01 00:00Z', '2025-02-02 00:00Z'),
    ('x', 'u2', 'xb1', null, '2025-02-01 00:00Z', '2025-02-02 00:00:00.001Z'),
    ('x', 'u3', 'xc1', true, '2025-02-02 00:00Z', '2025-02-03 00:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select day, active_paid, expired_count, is_complete from report.subscription_by_day where app_id = 'x' $$, $$
  2025-02-01 2 0 t
  2025-02-02 0 1 f $$, 'an expiry counts when the receipts have reached it');

-- A second period after a trial that is no renewal converts nothing; one after several trials converts once.
insert into new_receipt (app_id, user_id, payment_seq, amount_minor, purchased_at, expires_at)
  values
    ('t', 'u1', 'ta1', 0, '2025-02-01 00:00Z', '2025-02-02 00:00Z'),
    ('t', 'u1', 'ta2', 100, '2025-02-28 00:00Z', '2025-03-01 00:00Z'),
    ('t', 'u2', 'tb1', 0, '2025-02-01 00:00Z', '2025-02-02 00:00Z'),
    ('t', 'u2', 'tb2', 0, '2025-02-02 00:00Z', '2025-02-03 00:00Z'),
    ('t', 'u2', 'tb3', 100, '2025-02-03 00:00Z', '2025-02-04 00:00Z'),
    ('t', 'u2', 'tb4', 100, '2025-02-04 00:00Z', '2025-02-05 00:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select day, active_trial, new_count, converted_count, renewed_count, resubscribed_count, expired_count
       from report.subscription_by_day where app_id = 't' and (new_count + renewed_count + resubscribed_count > 0
         or expired_count > 0) $$, $$
  2025-02-01 2 2 0 0 0 0
  2025-02-02 1 0 0 1 0 1   # ta1 expires; tb2 renews a trial with a trial
  2025-02-03 0 0 1 1 0 0   # tb3
  2025-02-04 0 0 0 1 0 0   # tb4 is no second conversion
  2025-02-05 0 0 0 0 0 1
  2025-02-28 0 0 0 0 1 0   # ta2: 26 days after the trial
  $$, 'the first paid period after a trial converts it, where it is a renewal');

-- Retention of chains, in application r. The newest receipt is at 2025-03-20 00:00, 16 days after 2025-03-04.
insert into new_receipt (app_id, user_id, payment_seq, payment_id, is_sandbox, purchased_at, expires_at)
  values
    ('r', 'u1', 'ra1', null, null, '2025-01-01 00:00Z', '2025-01-31 00:00Z'),
    ('r', 'u1', 'ra2', null, null, '2025-01-31 00:00Z', '2025-03-02 00:00Z'),
    ('r', 'u1', 'ra3', null, null, '2025-03-02 00:00Z', '2025-04-01 00:00Z'),
    ('r', 'u2', 'rb1', null, null, '2025-01-05 00:00Z', '2025-02-04 00:00Z'),
    ('r', 'u3', 'rc1', null, null, '2025-01-10 00:00Z', '2025-02-09 00:00Z'),
    ('r', 'u3', 'rc2', null, null, '2025-03-01 00:00Z', '2025-03-31 00:00Z'),
    ('r', 'u4', 'rd1', null, null, '2025-02-01 00:00Z', '2025-03-03 00:00Z'),
    ('r', 'u5', 're1', null, null, '2025-02-02 00:00Z', '2025-03-04 00:00Z'),
    ('r', 'u6', 'rf1', null, null, '2025-02-03 00:00Z', '2025-03-05 00:00Z'),
    ('r', 'u7', 'rg1', null, null, '2025-02-01 00:00Z', '2025-03-03 00:00Z'),
    ('r', 'u7', 'rg2', null, null, '2025-03-03 00:00Z', '2025-04-02 00:00Z'),
    ('r', 'u8', 'rh1', 'GPA.8..1', null, '2025-01-01 00:00Z', '2025-01-31 00:00Z'),
    ('r', 'u9', 'ri1', null, true, '2025-03-20 00:00Z', '2025-03-27 00:00Z');
insert into new_receipt (app_id, user_id, payment_seq, amount_minor, is_promotion, purchased_at, expires_at)
  values
    ('r', 'u10', 'rj1', 0, false, '2025-01-02 00:00Z', '2025-01-09 00:00Z'),
    ('r', 'u10', 'rj2', 999, false, '2025-01-09 00:00Z', '2025-02-08 00:00Z'),
    ('r', 'u11', 'rk1', 0, true, '2025-01-02 00:00Z', '2025-01-09 00:00Z'),
    ('r', 'u12', 'rl1', null, null, '2025-01-03 00:00Z', '2025-01-10 00:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select gamebase_product_id, month, started_as, renewal_number, eligible, retained, rate, is_mature
       from report.subscription_retention where app_id = 'r' $$, $$
  gold 2025-01-01 paid 1 3 1 0.333333 t   # ra rb rc; ra is renewed, rc is resubscribed, rh is continued
  gold 2025-01-01 paid 2 1 1 1.000000 t   # ra2 ended 18 days before
  gold 2025-01-01 paid 3 0 0 -        f   # ra3 is open
  gold 2025-01-01 trial 1 1 1 1.000000 t
  gold 2025-01-01 trial 2 1 0 0.000000 t
  gold 2025-01-01 other 1 2 0 0.000000 t   # a promotion, and a receipt without a price
  gold 2025-02-01 paid 1 3 1 0.333333 f   # rd, rg and re, exactly 16 days before; rf is within them
  gold 2025-02-01 paid 2 0 0 -        f   # rg2 is open
  $$, 'the retention of chains goes by their unbroken periods');

-- Late files.
-- A renewal that arrives late ends an expiry, and another one makes a resubscription a renewal.
insert into new_receipt (app_id, user_id, payment_seq, payment_id, purchased_at, expires_at)
  values ('d', 'u1', 'da3', null, '2025-01-10 00:00Z', '2025-01-12 00:00Z'),
    ('d', 'u3', 'dc0', 'GPA.1..1', '2025-01-03 06:00Z', '2025-01-04 06:00Z');
select pg_temp.load_lines('late');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select payment_seq, chain_id, starts_at, ends_at, period_kind from report.subscription_period
       where app_id = 'd' and user_id in ('u1', 'u3') $$, $$
  da1 da1 2025-01-01T00:00 2025-01-03T00:00 new
  da2 da1 2025-01-03T00:00 2025-01-05T00:00 renewal
  da3 da1 2025-01-10T00:00 2025-01-12T00:00 renewal
  dc1 dc0 2025-01-02T06:00 2025-01-03T06:00 continued
  dc0 dc0 2025-01-03T06:00 2025-01-04T06:00 renewal
  dc2 dc0 2025-01-19T06:00:00.001 2025-01-21T06:00 renewal   # 15 days after 2025-01-04
  $$, 'late receipts change the kind of other periods, and the name of the chain');
select pg_temp.shows(
  $$ select day, active_paid, renewed_count, resubscribed_count, expired_count from report.subscription_by_day
       where app_id = 'd' and gamebase_product_id = 'gold'
         and day in ('2025-01-03', '2025-01-04', '2025-01-05', '2025-01-10', '2025-01-12', '2025-01-19', '2025-01-21') $$, $$
  2025-01-03 3 2 0 0   # da2 db1 dc0
  2025-01-04 1 0 0 0
  2025-01-05 0 0 0 0   # da2 is renewed
  2025-01-10 1 1 0 0   # da3
  2025-01-12 0 0 0 1   # da3 ends
  2025-01-19 1 1 0 0
  2025-01-21 1 0 0 1   # dc2 ends; db2 is active
  $$, 'and the counts of other days');
select pg_temp.shows(
  $$ select payment_seq, chain_id from report.purchase where payment_seq in ('dc0', 'dc1', 'dc2') $$, $$
  dc0 dc0
  dc1 dc0
  dc2 dc0 $$, 'the purchases follow the chain');
-- A receipt that names two chains as one joins them; its undo parts them. So b4, which is before it, becomes a renewal
-- and is no longer an observation of its user.
select pg_temp.shows(
  $$ select day, is_observed from report.player_day where app_id = 'c' and user_id = 'u2' $$, $$
  2025-01-01 t
  2025-01-08 f
  2025-01-15 f
  2025-01-22 t $$, 'a new period is an observation, a renewal is none');
insert into new_receipt (app_id, user_id, payment_seq, payment_id, original_payment_id, purchased_at, expires_at)
  values ('c', 'u2', 'b0', 'GPA.2..0', 'GPA.1', '2025-01-29 00:00Z', '2025-02-05 00:00Z');
select pg_temp.load_lines('join');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select payment_seq, chain_id, chain_rule, period_kind from report.subscription_period
       where app_id = 'c' and user_id = 'u2' $$, $$
  b1 b0 google   new
  b2 b0 google   renewal
  b3 b0 google   renewal
  b4 b0 google   renewal   # no longer the first of its chain
  b0 b0 original renewal $$, 'a receipt can join two chains');
select pg_temp.shows(
  $$ select d.day, d.is_observed, p.last_observed_at from report.player_day d join report.player p using (app_id, user_id)
       where app_id = 'c' and user_id = 'u2' $$, $$
  2025-01-01 t 2025-01-01T00:00
  2025-01-08 f 2025-01-01T00:00
  2025-01-15 f 2025-01-01T00:00
  2025-01-22 f 2025-01-01T00:00
  2025-01-29 f 2025-01-01T00:00 $$, 'and takes away the observation of an earlier day');
select ingest.undo_files('receipt', array[pg_temp.file('join')]) \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select payment_seq, chain_id, period_kind from report.subscription_period
       where app_id = 'c' and user_id = 'u2' $$, $$
  b1 b1 new
  b2 b1 renewal
  b3 b1 renewal
  b4 b4 new $$, 'and its undo parts them');
select pg_temp.shows(
  $$ select last_observed_at from report.player where app_id = 'c' and user_id = 'u2' $$,
  $$ 2025-01-22T00:00 $$, 'and gives the observation back');

-- Stored are days of change alone, whatever the age of the first receipt.
insert into new_receipt (app_id, payment_seq, gamebase_product_id, purchased_at, expires_at)
  select 'o', 'old' || n, 'p' || n, '2025-07-01Z', '2025-08-01Z' from generate_series(1, 3) n;
insert into new_receipt (app_id, payment_seq, purchased_at) values ('o', 'old', '2023-07-01Z');
select pg_temp.load_lines('old');
\ir parts/refresh.sql
select pg_temp.shows(
  $$ select (select count(*) from rollup.subscription_day where app_id = 'o'),
       (select count(*) from rollup.mrr_day where app_id = 'o'),
       (select count(*) from report.subscription_by_day where app_id = 'o') $$, $$
  6 2 2196   # three products, two days of change; one currency; from 2023-07-01 to 2025-07-01 three times 732 days
  $$, 'an old receipt stores no days for products that were sold later');
select is_empty(
  $$ select p.payment_seq from report.subscription_period p
       join report.subscription_period q using (app_id, chain_id)
       where p.payment_seq <> q.payment_seq and p.starts_at < q.ends_at and q.starts_at < p.ends_at $$,
  'no two periods of a chain overlap');

select * from finish();
