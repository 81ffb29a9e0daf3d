-- Subscriptions: the chains of receipts, the kind of each period, the counts of each day, the retention of chains,
-- monthly recurring revenue and its movements, trials, and churn. Each theme has applications of its own; all share the
-- refreshes.
\ir parts/reports.sql
select plan(23);

alter table new_receipt alter product_type set default 'AUTO_RENEWABLE', alter gamebase_product_id set default 'gold';

-- Chains and kinds, in application c. All receipts are of product gold in store GG, where no other is named.
select pg_temp.add('receipt', 'c', $$
  # Renewals before, at and after the expiry, and exactly 16 days after it; then a millisecond more.
  u1 a1:@01-01/01-31 a2:@01-30T12:00/03-02 a3:@03-02/04-01 a4:@04-03/05-03 a5:@05-19/06-18 a6:@07-04T00:00:00.001/08-03
  # A Google order number with its suffixes, and another order number.
  u2 payment=GPA.1 b1:@01-01/01-08 payment=GPA.1..0 b2:@01-08/01-15 payment=GPA.1..1 b3:@01-15/01-22
  u2 payment=GPA.2 b4:@01-22/01-29
  # The first period is not in the feed: a suffix, and an original that no receipt has.
  u3 payment=GPA.3..4 c1:@01-01/01-08 payment=GPA.3..5 c2:@01-08/01-15
  u4 original=1000 payment=1001 d1:@01-01/01-08 payment=1002 d2:@01-08/01-15
  # The first receipt names itself as its original.
  u5 original=2000 payment=2000 e1:@01-01/01-08 payment=2001 e2:@01-08/01-15
  # Another receipt names the payment as its original.
  u6 payment=3000 f1:@01-01/01-08 payment=3001 original=3000 f2:@01-08/01-15
  # The suffix is stripped from an original too.
  u7 payment=GPA.7 g1:@01-01/01-08 payment=7b original=GPA.7..2 g2:@01-08/01-15
  # A chain of several links: h1 is the original of h2, h2 and h3 share a payment, which is the original of h4, and h5 has
  # the order number of h4.
  u8 payment=A h1:@01-01/01-08 payment=B original=A h2:@01-08/01-15 original=- h3:@01-15/01-22
  u8 payment=GPA.9..0 original=B h4:@01-22/01-29 payment=GPA.9 original=- h5:@01-29/02-05
  # Without a link: the same product and store, where NULL is a value.
  u10 product=- store=- i1:@01-01/01-08 i2:@01-08/01-15 product=gold i3:@01-15/01-22 product=- store=GG i4:@01-15/01-22
  # The payment of another user.
  u11 payment=GPA.1 j1:@01-01/01-08
  # Payments that no other receipt has are no link; k3 names itself as its original, so it is not joined by product.
  u12 payment=X1 k1:@01-01/01-08 payment=X2 k2:@01-08/01-15 payment=X3 original=X3 k3:@01-15/01-22
  # Two receipts with one payment. By bytes, "l10" is before "l9".
  u13 payment=Y l9:@01-01/01-08 l10:@01-08/01-15
  # The purchases and expiries are the same: the smaller payment_seq comes first, the other one has no length.
  u14 n2:@01-01/01-08 n1:@01-01/01-08
  # A period within another one.
  u15 o1:@01-01/01-31 o2:@01-10/01-20 o3:@01-31/03-02
  # A change of product inside a chain cuts the running period; a change after its end cuts nothing.
  u16 original=P p1:@01-01/01-31 product=platinum p2:@01-11/02-10 p3:@02-10/03-12
  u17 original=Q q1:@01-01/01-08 product=platinum q2:@01-10/01-17
  u18 r1:0@01-01/01-08 r2:999@01-08/02-07
  u19 promotion s1:0@01-01/01-08
  u20 s2:-@01-01/01-08
  u21 promotion s3:@01-01/01-08
  # No subscription receipts: sandbox, another type, no type, no expiry. But the other subscription type is one.
  u22 sandbox m1:@01-01/01-08 sandbox=- type=CONSUMABLE m2:@01-01/01-08 type=- m3:@01-01/01-08 type=AUTO_RENEWABLE m4:@01-01
  u22 sandbox=f type=CONSUMABLE_AUTO_RENEWABLE m5:@01-01/01-08 $$) \g /dev/null

-- The counts of each day, in application d. The newest receipt is a sandbox one at 2025-01-22 00:00.
select pg_temp.add('receipt', 'd', $$
  u1 da1:0@01-01/01-03 da2:@01-03/01-05                          # a trial, then a paid period
  u2 db1:@01-02T12:00/01-04T12:00 db2:@01-20T12:00/01-22T12:00   # a renewal exactly 16 days after the end
  # A continued period, and a resubscription 16 days and 1 ms after its end.
  u3 payment=GPA.1..2 dc1:@01-02T06:00/01-03T06:00 payment=GPA.1..3 dc2:@01-19T06:00:00.001/01-21T06:00
  u4 promotion dd1:@01-02/01-06 dd2:@01-04T10:00/01-05           # a promotion, and a period within it
  u5 sandbox de1:@01-22/01-23
  u6 product=silver store=- df1:@01-21/02-20                     # it has a row for each of the 22 days
  $$) \g /dev/null
-- A change of product, in application e: nothing ends in gold, and platinum has a renewal.
select pg_temp.add('receipt', 'e', $$
  u1 original=P payment=P @02-01/02-11 payment=Q product=platinum @02-04/02-14
  u2 product=gem sandbox @02-06 $$) \g /dev/null
-- An expiry at the instant of the newest receipt counts, one a millisecond later does not.
select pg_temp.add('receipt', 'x', $$
  u1 @02-01/02-02
  u2 @02-01/02-02T00:00:00.001
  u3 sandbox @02-02/02-03 $$) \g /dev/null
-- A second period after a trial that is no renewal converts nothing; one after several trials converts once.
select pg_temp.add('receipt', 't', $$
  u1 0@02-01/02-02 100@02-28/03-01
  u2 0@02-01/02-02 0@02-02/02-03 100@02-03/02-04 100@02-04/02-05 $$) \g /dev/null
-- Retention of chains, in application r. The newest receipt is at 2025-03-20 00:00, 16 days after 2025-03-04.
select pg_temp.add('receipt', 'r', $$
  u1 @01-01/01-31 @01-31/03-02 @03-02/04-01
  u2 @01-05/02-04
  u3 @01-10/02-09 @03-01/03-31
  u4 @02-01/03-03
  u5 @02-02/03-04
  u6 @02-03/03-05
  u7 @02-01/03-03 @03-03/04-02
  u8 payment=GPA.8..1 @01-01/01-31
  u9 sandbox @03-20/03-27
  u10 0@01-02/01-09 999@01-09/02-08
  u11 promotion 0@01-02/01-09
  u12 -@01-03/01-10 $$) \g /dev/null
-- Stored are days of change alone, whatever the age of the first receipt.
insert into new_receipt (app_id, payment_seq, gamebase_product_id, purchased_at, expires_at)
  select 'o', 'old' || n, 'p' || n, '2025-07-01Z', '2025-08-01Z' from generate_series(1, 3) n;
insert into new_receipt (app_id, payment_seq, purchased_at) values ('o', 'old', '2023-07-01Z');

-- Monthly recurring revenue. Application m: every period starts at 2025-06-15 00:00 and has its own user and length.
insert into new_receipt (app_id, user_id, payment_seq, amount_minor, purchased_at, expires_at)
  select 'm', 'u' || length, 'm' || length, amount, '2025-06-15 00:00Z', timestamptz '2025-06-15 00:00Z' + length::interval
    from (values
      ('1 day', 100),                                 -- x 30 = 3000
      ('3 days', 100),                                -- x 10 = 1000
      ('7 days', 100),                                -- x 4  = 400
      ('14 days', 100),                               -- x 2  = 200
      ('28 days', 100), ('31 days', 100),             -- x 1  = 200
      ('31 days 11:59', 100), ('27 days 12:01', 100), -- to the nearest day 31 and 28, x 1 = 200
      ('59 days', 101), ('62 days', 100),             -- / 2  = 50.5 + 50
      ('89 days', 100), ('93 days', 100),             -- / 3  = 33.33... + 33.33...
      ('180 days', 200), ('186 days', 300),           -- / 6  = 33.33... + 50
      ('360 days', 600), ('370 days', 1200)           -- / 12 = 50 + 100
    ) v (length, amount);
insert into new_receipt (app_id, user_id, payment_seq, purchased_at, expires_at)
  select 'm', 'x' || length, 'x' || length, '2025-06-15 00:00Z', timestamptz '2025-06-15 00:00Z' + length::interval
    from unnest(array['2 days', '4 days', '6 days', '8 days', '13 days', '15 days', '27 days', '32 days', '58 days',
      '63 days', '88 days', '94 days', '179 days', '187 days', '359 days', '371 days', '31 days 12:01', '00:05']) length;
-- Never part of it: a trial, a promotion, a sandbox period, a period without a price, a single purchase. The last two are the
-- first event and the newest one.
select pg_temp.add('receipt', 'm', $$
  t1 0@06-15/07-15
  t2 promotion @06-15/07-15
  t3 sandbox @06-15/07-15
  t4 -@06-15/07-15
  t5 type=CONSUMABLE @06-15
  j1 currency=JPY 1001@06-15/08-14
  j2 currency=KWD 1001@06-15/08-14
  j3 currency=EUR promotion @06-15/07-15
  t6 type=CONSUMABLE sandbox @06-14 @06-16T12:00 $$) \g /dev/null
-- Application n: a change of product cuts a period of 30 days after three days. Until then it counts with 30 days.
select pg_temp.add('receipt', 'n', 'u1 original=N 300@06-15/07-15 product=platinum 600@06-18/07-18') \g /dev/null
-- Application p: a renewal bought five days before the end runs for the 30 days after it. In u2's chain a period
-- lies within another one and adds nothing.
select pg_temp.add('receipt', 'p', $$
  u1 300@06-01/07-01 400@06-26/07-31
  u2 10@06-01/07-01 10@06-02/06-09
  u3 0@07-02/07-03 $$) \g /dev/null

-- Trials and what becomes of them, in application ft. The newest event is at 2025-03-20 00:00, so what ended at
-- 2025-03-04 00:00 is lost.
select pg_temp.add('receipt', 'ft', $$
  u1 0@01-05/01-12 100@01-12/02-12 100@02-12/03-12   # converted, and a second paid period that converts nothing
  # Two trials in a row are one of January and of gold, converted as silver after a promotion and a period without price.
  u2 original=B 0@01-28/02-04 product=silver 0@02-04/02-11 promotion 100@02-11/02-18 promotion=- -@02-18/02-25 100@02-25/03-25
  u3 0@01-01/01-08 100@01-24T00:00:00.001/02-24 100@02-24/03-24   # the first paid period is a resubscription: lost
  u4 0@01-01/01-08 100@01-24/02-24   # a renewal exactly 16 days after the end converts
  u5 0@02-25/03-04                   # lost at exactly 16 days
  u6 0@02-25/03-04T00:00:00.001      # pending a millisecond later
  u7 0@02-01/02-08 0@02-20/03-10     # in a row the last end counts: pending, although the first trial ended long ago
  # A trial after a promotion, and one that is a resubscription, are trials of their own. One payment converts each.
  u8 product=gem 0@01-01/01-08 promotion 0@01-08/01-15 promotion=- 0@01-15/01-22 0@02-15/02-22 100@02-22/03-22
  # NULL is a product. A trial without length, a promotion, and a sandbox trial are none. The last is the newest event.
  u9 product=- 0@01-31T23:59:59.999/02-07 0@02-01/02-05
  u10 product=- promotion 0@01-01/01-08
  u11 product=- sandbox 0@01-01/01-08 0@03-20/03-27 $$) \g /dev/null

-- Churn, in application fc: events from 2025-01-01 00:00 to 2025-04-17 00:00.
select pg_temp.add('receipt', 'fc', $$
  # Up to the end of January at the instant: active at the start of February, and gone at its end.
  u1 @01-01/02-01
  # A millisecond less: not active at the start of February. It starts in January, so it is no churn there.
  u2 @01-01/01-31T23:59:59.999
  # Renewed 16 days after the end: active at the start of February, and at its end.
  u3 @01-01/01-31 @02-16/03-16
  # A millisecond later it is a resubscription: not active at the start of February.
  u4 @01-01/01-31 @02-16T00:00:00.001/03-16
  # Another product in the chain: of gold at the start of February, and silver at its end is no churn.
  u5 original=F @01-20/02-20 product=silver @02-10/03-10
  # A renewal that is not paid: active up to its start, within the gap of gold.
  u6 @01-01/01-25 promotion @02-02/04-30
  # Trials are not active, also not in the gap before a paid renewal. Silver is a product from its first receipt on.
  u7 product=silver 0@01-20/01-31 100@02-05/04-05
  # Over two months, and bought before the end; the newest instant.
  u8 product=- @02-28T23:59/04-10 @04-01/05-10
  u9 @03-20/04-17
  u10 @03-20/04-17T00:00:00.001
  u11 @03-20/04-10 @04-17/05-17 $$) \g /dev/null

-- MRR, in application fm: events from 2025-01-01 00:00 to 2025-04-01 00:00. A period has 30 days where no comment
-- names another length, so its amount is the monthly price.
select pg_temp.add('receipt', 'fm', $$
  u1 100@01-10/02-09 300@02-09/03-11 250@03-11/04-10   # new in January, more in February, less in March
  # A year after a month, under another product: 1201 / 12 = 100.0833 less than before.
  u2 original=B 200@01-15/02-14 product=year 1201@02-10/2026-02-10
  u3 500@01-01/01-31 500@02-02/03-04   # a renewal two days late over the end of a month: gone in January, back in February
  u4 40@01-02/02-01                    # active up to the end of January at the instant: churned in February
  u5 7@01-02/02-01 7@02-01/03-03       # a renewal at the start of a month continues
  u6 9000@01-20/02-04 60@02-04/03-06 9000@03-06/04-07   # a length without a factor is unknown: no MRR; the next one is new
  u7 11@01-05/02-04 currency=JPY 1000@02-04/03-06       # another currency in a chain: churned in the one, new in the other
  # A week within a month shows at no end, but it comes before the period of March, which ends later.
  u8 currency=JPY 30@01-05/01-12 20@03-05/04-04
  u9 currency=JPY 31@03-02/03-09 8@03-10/04-09          # the same within one month is new, not reactivated
  u10 currency=KWD 1001@03-21/05-20                     # one starts when another one ends
  u11 currency=KWD 9@02-19/03-21
  u12 currency=KWD 2@02-25/03-27 3@03-20/04-26          # bought before the end of the one before: it starts at that end
  u13 currency=EUR 0@02-20/03-22                        # trials never have any
  x type=CONSUMABLE @04-01 $$) \g /dev/null
select pg_temp.load_lines();
\ir parts/refresh.sql

-- Each period with the rule that gives it its chain, its kind, and start and end where they are not those of the receipt.
select pg_temp.shows($$ select p.user_id, p.chain_id, string_agg(format('%s:%s:%s', p.payment_seq, p.chain_rule,
         case when p.is_overlapped then coalesce(p.period_kind, 'overlapped') else p.period_kind end)
         || case when (p.starts_at, p.ends_at) = (r.purchased_at, r.expires_at) then ''
           else to_char(p.starts_at, '"@"MM-DD') || to_char(p.ends_at, '"/"MM-DD') end, ' ' order by p.starts_at, p.payment_seq)
       from report.subscription_period p join game.receipt r using (payment_seq)
       where p.app_id = 'c' group by p.user_id, p.chain_id $$, $$
  u1 a1 a1:product:new a2:product:renewal@01-31/03-02 a3:product:renewal a4:product:renewal a5:product:renewal a6:product:resubscription
  u2 b1 b1:google:new b2:google:renewal b3:google:renewal
  u2 b4 b4:google:new   # a new order number is a new chain
  u3 c1 c1:google:continued c2:google:renewal
  u4 d1 d1:original:continued d2:original:renewal
  u5 e1 e1:original:new e2:original:renewal
  u6 f1 f1:payment:new f2:original:renewal
  u7 g1 g1:google:new g2:original:renewal
  u8 h1 h1:payment:new h2:original:renewal h3:payment:renewal h4:original:renewal h5:google:renewal
  u10 i1 i1:product:new i2:product:renewal
  u10 i3 i3:product:new
  u10 i4 i4:product:new
  u11 j1 j1:google:new
  u12 k1 k1:product:new k2:product:renewal
  u12 k3 k3:original:new
  u13 l10 l9:payment:new l10:payment:renewal
  u22 m5 m5:product:new
  u14 n1 n1:product:new n2:product:overlapped@01-08/01-08
  u15 o1 o1:product:new o2:product:overlapped@01-31/01-31 o3:product:renewal   # ends where it starts
  u16 p1 p1:original:continued@01-01/01-11 p2:original:renewal p3:original:renewal   # cut; no receipt is P
  u17 q1 q1:original:continued q2:original:renewal
  u18 r1 r1:product:new r2:product:renewal
  u19 s1 s1:product:new
  u20 s2 s2:product:new
  u21 s3 s3:product:new $$, 'receipts form chains, and each period has a start, an end and a kind');
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
  $$ select payment_seq, chain_id from report.purchase where app_id = 'c' and payment_seq in ('h5', 'm1', 'm2', 'm5') $$,
  'h5 h1 | m1 - | m2 - | m5 m5', 'a purchase has the chain of its subscription');

select pg_temp.shows(
  $$ select day, active_paid, active_trial, active_other, new_count, continued_count, converted_count, renewed_count,
       resubscribed_count, expired_count, overlapped_count, is_complete, is_expiry_final
       from report.subscription_by_day where app_id = 'd' and gamebase_product_id = 'gold' and store_code = 'GG'
         and day not between '2025-01-08' and '2025-01-17' $$, $$
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

select pg_temp.shows(
  $$ select gamebase_product_id, day, active_paid, new_count, renewed_count, expired_count, is_complete, is_expiry_final
       from report.subscription_by_day where app_id = 'e' and day in ('2025-02-01', '2025-02-03', '2025-02-04', '2025-02-06') $$, $$
  gold     2025-02-01 1 1 0 0 t f
  gold     2025-02-03 1 0 0 0 t f   # until the end of this day
  gold     2025-02-04 0 0 0 0 t f
  gold     2025-02-06 0 0 0 0 f f
  platinum 2025-02-01 0 0 0 0 t f
  platinum 2025-02-03 0 0 0 0 t f
  platinum 2025-02-04 1 0 1 0 t f
  platinum 2025-02-06 1 0 0 0 f f $$, 'a renewal under another product moves the subscription');

select pg_temp.shows(
  $$ select day, active_paid, expired_count, is_complete from report.subscription_by_day where app_id = 'x' $$, $$
  2025-02-01 2 0 t
  2025-02-02 0 1 f $$, 'an expiry counts when the receipts have reached it');

select pg_temp.shows(
  $$ select day, active_trial, new_count, converted_count, renewed_count, resubscribed_count, expired_count
       from report.subscription_by_day where app_id = 't' and (new_count + renewed_count + resubscribed_count > 0
         or expired_count > 0) $$, $$
  2025-02-01 2 2 0 0 0 0
  2025-02-02 1 0 0 1 0 1   # u1 expires; u2 renews a trial with a trial
  2025-02-03 0 0 1 1 0 0   # u2
  2025-02-04 0 0 0 1 0 0   # no second conversion
  2025-02-05 0 0 0 0 0 1
  2025-02-28 0 0 0 0 1 0   # u1: 26 days after the trial
  $$, 'the first paid period after a trial converts it, where it is a renewal');

select pg_temp.shows(
  $$ select gamebase_product_id, month, started_as, renewal_number, eligible, retained, rate, is_mature
       from report.subscription_retention where app_id = 'r' $$, $$
  gold 2025-01-01 paid 1 3 1 0.333333 t   # u1 u2 u3; u1 is renewed, u3 is resubscribed, u8 is continued
  gold 2025-01-01 paid 2 1 1 1.000000 t   # the second period of u1 ended 18 days before
  gold 2025-01-01 paid 3 0 0 -        f   # the third one is open
  gold 2025-01-01 trial 1 1 1 1.000000 t
  gold 2025-01-01 trial 2 1 0 0.000000 t
  gold 2025-01-01 other 1 2 0 0.000000 t   # a promotion, and a receipt without a price
  gold 2025-02-01 paid 1 3 1 0.333333 f   # u4, u7 and u5, exactly 16 days before; u6 is within them
  gold 2025-02-01 paid 2 0 0 -        f   # that of u7 is open
  $$, 'the retention of chains goes by their unbroken periods');

select pg_temp.shows($$ select (select count(*) from rollup.subscription_day where app_id = 'o'),
       (select count(*) from rollup.mrr_day where app_id = 'o'),
       (select count(*) from report.subscription_by_day where app_id = 'o') $$, $$
  6 2 2196   # three products, two days of change; one currency; from 2023-07-01 to 2025-07-01 three times 732 days
  $$, 'an old receipt stores no days for products that were sold later');

-- 3000 + 1000 + 400 + 200 + 200 + 200 = 5000; 50.5 + 50 = 100.5; the thirds are 100 together; 50 + 50 + 100 = 200.
-- Together 5400.5, rounded half up 5401. Sums of rounded amounts or of cut thirds give 5400.
-- A period of five minutes ends before the end of its day.
select pg_temp.shows($$ select currency, day, amount_minor, amount, unknown_length_count, is_complete
       from report.mrr_by_day where app_id = 'm' $$, $$
  JPY 2025-06-14 0    0     0  t
  JPY 2025-06-15 501  501   0  t   # 60 days: 1001 / 2 = 500.5
  JPY 2025-06-16 501  501   0  f
  KWD 2025-06-14 0    0.000 0  t
  KWD 2025-06-15 501  0.501 0  t
  KWD 2025-06-16 501  0.501 0  f
  USD 2025-06-14 0    0.00  0  t
  USD 2025-06-15 5401 54.01 17 t
  USD 2025-06-16 2401 24.01 17 f   # without the period of one day
  $$, 'each length has its factor, and the sum is exact and rounded once');

select pg_temp.shows(
  $$ select day, amount_minor, unknown_length_count, is_complete from report.mrr_by_day where app_id = 'n' $$, $$
  2025-06-15 300 0 t
  2025-06-16 300 0 t
  2025-06-17 300 0 t
  2025-06-18 600 0 f $$, 'a cut period keeps the length that was bought');
select pg_temp.shows($$ select day, amount_minor, unknown_length_count from report.mrr_by_day
       where app_id = 'p' and day in ('2025-06-01', '2025-06-26', '2025-06-30', '2025-07-01') $$, $$
  2025-06-01 310 0
  2025-06-26 310 0   # the renewal has not begun
  2025-06-30 310 0   # the first periods end at the day's end
  2025-07-01 400 0
  $$, 'the length of a renewal begins at its start, not at its purchase');
select is((select count(*) from report.mrr_by_day where app_id = 'p'), 32::bigint,
  'each day from the first receipt to the newest has a row');

select pg_temp.shows(
  $$ select gamebase_product_id, month, trial_count, converted_count, lost_count, pending_count, rate, is_mature
       from report.trial_conversion_by_month where app_id = 'ft' $$, $$
  gold 2025-01-01 4 3 1 0 0.750000 t   # u1 u2 u4 converted, u3 lost
  gold 2025-02-01 3 0 1 2 0.000000 f   # u5 lost, u6 and u7 pending
  gem  2025-01-01 2 2 0 0 1.000000 t   # u8, twice
  gem  2025-02-01 1 1 0 0 1.000000 t   # u8
  -    2025-01-01 1 0 1 0 0.000000 t   # u9
  $$, 'trials in a row are one, and each is converted, lost or pending');

select pg_temp.shows($$ select gamebase_product_id, month, active_at_start, churned_count, rate, is_complete
       from report.churn_by_month where app_id = 'fc' $$, $$
  gold   2025-01-01 0 0 -        t
  gold   2025-02-01 4 2 0.500000 t   # u1 u3 u5 u6, of which u1 and u6 are gone
  gold   2025-03-01 2 2 1.000000 t   # u3 u4; complete: 2025-04-01 and 16 days is the newest event
  gold   2025-04-01 3 - -        f   # u9 u10 u11
  silver 2025-01-01 0 0 -        t
  silver 2025-02-01 0 0 -        t
  silver 2025-03-01 2 1 0.500000 t   # u5 u7, of which u5 is gone
  silver 2025-04-01 1 - -        f   # u7
  -      2025-01-01 0 0 -        t
  -      2025-02-01 0 0 -        t
  -      2025-03-01 1 0 0.000000 t
  -      2025-04-01 1 - -        f
  $$, 'chains are active at the edges of months, also shortly before a renewal, and churn when no product is left');

-- USD at the end of January: 100 + 200 + 40 + 7 + 11 = 358, and one of u6 of an unknown length; u3 has ended on the 31st.
-- February: u1 300, u2 100.0833, u3 500, u5 7, u6 60 = 967.0833. Expansion 200, contraction 99.9167.
-- The sums: 358, + 60 = 418, + 500 = 918, + 200 = 1118, - 99.9167 = 1018.0833 (1018), - 51 = 967.0833 (967).
-- March: u1 250, u2 100.0833; u3, u5 and u6 have none. Contraction 50, churned 567.
-- The sums: 967.0833, - 50 = 917.0833 (917), - 567 = 350.0833 (350).
select pg_temp.shows(
  $$ select currency, month, starting_amount, new_amount, reactivated_amount, expansion_amount, contraction_amount,
         churned_amount, ending_amount, unknown_length_count, is_complete
       from report.mrr_movement_by_month where app_id = 'fm' $$, $$
  #              starting new reactivated
  #              |    |    |    expansion contraction churned
  #              |    |    |    |    |    |    ending unknown
  JPY 2025-01-01 0    0    0    0    0    0    0    0 t
  JPY 2025-02-01 0    1000 0    0    0    0    1000 0 t
  JPY 2025-03-01 1000 8    20   0    0    1000 28   0 t
  JPY 2025-04-01 28   -    -    -    -    -    -    - f   # not yet over
  KWD 2025-01-01 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0 t
  KWD 2025-02-01 0.000 0.011 0.000 0.000 0.000 0.000 0.011 0 t   # 9 + 2
  KWD 2025-03-01 0.011 0.501 0.000 0.001 0.000 0.009 0.504 0 t   # 11 + 500.5 = 511.5 (512); + 1 = 512.5 (513); - 9 = 503.5 (504)
  KWD 2025-04-01 0.504 - - - - - - - f
  USD 2025-01-01 0.00 3.58 0.00 0.00 0.00 0.00 3.58 1 t
  USD 2025-02-01 3.58 0.60 5.00 2.00 1.00 0.51 9.67 0 t
  USD 2025-03-01 9.67 0.00 0.00 0.00 0.50 5.67 3.50 1 t   # the third period of u6
  USD 2025-04-01 3.50 -    -    -    -    -    -    - f
  $$, 'the movements of each currency lead from one end of a month to the next, rounded one after the other');

-- The first month has no day before it.
select is_empty($$ select m.app_id, m.currency, m.month from report.mrr_movement_by_month m
       left join report.mrr_by_day s on s.app_id = m.app_id and s.currency = m.currency and s.day = m.month - 1
       left join report.mrr_by_day e on e.app_id = m.app_id and e.currency = m.currency
         and e.day = (m.month + interval '1 month')::date - 1
       where m.starting_amount <> coalesce(s.amount, 0) or m.ending_amount <> e.amount
         or m.unknown_length_count <> e.unknown_length_count $$, 'both ends are those of report.mrr_by_day');

-- Late files. In d a renewal ends an expiry, and another one makes a resubscription a renewal.
select pg_temp.add('receipt', 'd', $$
  u1 da3:@01-10/01-12
  u3 payment=GPA.1..1 dc0:@01-03T06:00/01-04T06:00 $$) \g /dev/null
select pg_temp.load_lines('late');
-- In n a purchase in a new currency gives it a row for each day. In ft the newest event is a millisecond later, and a
-- payment that comes late converts u5. In fc a newer event makes April a full month.
select pg_temp.add('receipt', 'n', 'u2 currency=EUR type=CONSUMABLE @06-16T10:00'),
  pg_temp.add('receipt', 'ft', 'u11 sandbox 0@03-20T00:00:00.001/03-27'), pg_temp.add('receipt', 'ft', 'u5 100@03-19/04-19'),
  pg_temp.add('receipt', 'fc', 'x type=CONSUMABLE @05-16T23:59:59.999') \g /dev/null
select pg_temp.load_lines('newer');
\ir parts/refresh.sql
select pg_temp.shows($$ select payment_seq, chain_id, starts_at, ends_at, period_kind from report.subscription_period
       where app_id = 'd' and user_id in ('u1', 'u3') $$, $$
  da1 da1 2025-01-01T00:00 2025-01-03T00:00 new
  da2 da1 2025-01-03T00:00 2025-01-05T00:00 renewal
  da3 da1 2025-01-10T00:00 2025-01-12T00:00 renewal
  dc1 dc0 2025-01-02T06:00 2025-01-03T06:00 continued
  dc0 dc0 2025-01-03T06:00 2025-01-04T06:00 renewal
  dc2 dc0 2025-01-19T06:00:00.001 2025-01-21T06:00 renewal   # 15 days after 2025-01-04
  $$, 'late receipts change the kind of other periods, and the name of the chain');

select pg_temp.shows($$ select currency, count(*), min(day), max(day), sum(amount_minor) from report.mrr_by_day
       where app_id = 'n' group by 1 $$, 'EUR 4 2025-06-15 2025-06-18 0 | USD 4 2025-06-15 2025-06-18 1500',
  'every currency that was ever paid has a row for each day');

select pg_temp.shows($$ select month, trial_count, converted_count, lost_count, pending_count, rate, is_mature
       from report.trial_conversion_by_month where app_id = 'ft' and gamebase_product_id = 'gold' $$, $$
  2025-01-01 4 3 1 0 0.750000 t
  2025-02-01 3 1 1 1 0.500000 f   # u5 converted, u6 lost
  $$, 'a newer event makes a trial lost, and a late payment converts one');
select pg_temp.shows($$ select gamebase_product_id, month, active_at_start, churned_count, is_complete
       from report.churn_by_month where app_id = 'fc' and month >= '2025-04-01' $$, $$
  gold   2025-04-01 3 2 f   # u9 u10; not yet 16 days
  gold   2025-05-01 1 - f
  silver 2025-04-01 1 1 f
  silver 2025-05-01 0 - f
  -      2025-04-01 1 0 f
  -      2025-05-01 1 - f
  $$, 'a month has flows as soon as it has ended');

-- An erasure takes the user out of months that are over.
select ingest.erase_user('u3', 'fc', sha256('u3'), sha256('key')) \g /dev/null
\ir parts/refresh.sql
select pg_temp.shows($$ select month, active_at_start, churned_count from report.churn_by_month
       where app_id = 'fc' and gamebase_product_id = 'gold' and month in ('2025-02-01', '2025-03-01') $$,
  '2025-02-01 3 2 | 2025-03-01 1 1', 'an erasure takes the user out');

select * from finish();
