-- Subscriptions: the chains of receipts, the kind of each period, the counts of each day, the retention of chains,
-- monthly recurring revenue and its movements, trials, and churn. Each theme has applications of its own; all share the
-- refreshes.
\ir parts/reports.sql
select plan(25);

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
    expires_at) values
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
    expires_at) values
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

-- The counts of each day, in application d. The newest receipt is a sandbox one at 2025-01-22 00:00.
insert into new_receipt (app_id, user_id, payment_seq, payment_id, amount_minor, is_promotion, is_sandbox, purchased_at,
    expires_at) values
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
-- A change of product, in application e: nothing ends in gold, and platinum has a renewal.
insert into new_receipt (app_id, user_id, payment_seq, payment_id, original_payment_id, gamebase_product_id, is_sandbox,
    purchased_at, expires_at) values
    ('e', 'u1', 'ea1', 'P', 'P', 'gold', null, '2025-02-01 00:00Z', '2025-02-11 00:00Z'),
    ('e', 'u1', 'ea2', 'Q', 'P', 'platinum', null, '2025-02-04 00:00Z', '2025-02-14 00:00Z'),
    ('e', 'u2', 'eb1', null, null, 'gem', true, '2025-02-06 00:00Z', null);
-- An expiry at the instant of the newest receipt counts, one a millisecond later does not.
insert into new_receipt (app_id, user_id, payment_seq, is_sandbox, purchased_at, expires_at)
  values ('x', 'u1', 'xa1', null, '2025-02-01 00:00Z', '2025-02-02 00:00Z'),
    ('x', 'u2', 'xb1', null, '2025-02-01 00:00Z', '2025-02-02 00:00:00.001Z'),
    ('x', 'u3', 'xc1', true, '2025-02-02 00:00Z', '2025-02-03 00:00Z');
-- A second period after a trial that is no renewal converts nothing; one after several trials converts once.
insert into new_receipt (app_id, user_id, payment_seq, amount_minor, purchased_at, expires_at) values
    ('t', 'u1', 'ta1', 0, '2025-02-01 00:00Z', '2025-02-02 00:00Z'),
    ('t', 'u1', 'ta2', 100, '2025-02-28 00:00Z', '2025-03-01 00:00Z'),
    ('t', 'u2', 'tb1', 0, '2025-02-01 00:00Z', '2025-02-02 00:00Z'),
    ('t', 'u2', 'tb2', 0, '2025-02-02 00:00Z', '2025-02-03 00:00Z'),
    ('t', 'u2', 'tb3', 100, '2025-02-03 00:00Z', '2025-02-04 00:00Z'),
    ('t', 'u2', 'tb4', 100, '2025-02-04 00:00Z', '2025-02-05 00:00Z');
-- Retention of chains, in application r. The newest receipt is at 2025-03-20 00:00, 16 days after 2025-03-04.
insert into new_receipt (app_id, user_id, payment_seq, payment_id, is_sandbox, purchased_at, expires_at) values
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
insert into new_receipt (app_id, user_id, payment_seq, amount_minor, is_promotion, purchased_at, expires_at) values
    ('r', 'u10', 'rj1', 0, false, '2025-01-02 00:00Z', '2025-01-09 00:00Z'),
    ('r', 'u10', 'rj2', 999, false, '2025-01-09 00:00Z', '2025-02-08 00:00Z'),
    ('r', 'u11', 'rk1', 0, true, '2025-01-02 00:00Z', '2025-01-09 00:00Z'),
    ('r', 'u12', 'rl1', null, null, '2025-01-03 00:00Z', '2025-01-10 00:00Z');
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
-- Never part of it: a trial, a promotion, a sandbox period, a period without a price, a single purchase.
insert into new_receipt (app_id, user_id, payment_seq, amount_minor, is_promotion, is_sandbox, product_type, purchased_at,
    expires_at) values
    ('m', 't1', 't1', 0, null, null, 'AUTO_RENEWABLE', '2025-06-15 00:00Z', '2025-07-15 00:00Z'),
    ('m', 't2', 't2', 100, true, null, 'AUTO_RENEWABLE', '2025-06-15 00:00Z', '2025-07-15 00:00Z'),
    ('m', 't3', 't3', 100, null, true, 'AUTO_RENEWABLE', '2025-06-15 00:00Z', '2025-07-15 00:00Z'),
    ('m', 't4', 't4', null, null, null, 'AUTO_RENEWABLE', '2025-06-15 00:00Z', '2025-07-15 00:00Z'),
    ('m', 't5', 't5', 100, null, null, 'CONSUMABLE', '2025-06-15 00:00Z', null),
    -- The first event, and the newest one.
    ('m', 't6', 't6', 100, null, true, 'CONSUMABLE', '2025-06-14 00:00Z', null),
    ('m', 't6', 't7', 100, null, true, 'CONSUMABLE', '2025-06-16 12:00Z', null);
insert into new_receipt (app_id, user_id, payment_seq, currency, amount_minor, purchased_at, expires_at)
  values ('m', 'j1', 'jj1', 'JPY', 1001, '2025-06-15 00:00Z', '2025-08-14 00:00Z'),
    ('m', 'j2', 'jj2', 'KWD', 1001, '2025-06-15 00:00Z', '2025-08-14 00:00Z');
insert into new_receipt (app_id, user_id, payment_seq, currency, amount_minor, is_promotion, purchased_at, expires_at)
  values ('m', 'j3', 'jj3', 'EUR', 100, true, '2025-06-15 00:00Z', '2025-07-15 00:00Z');
-- Application n: a change of product cuts a period of 30 days after three days. Until then it counts with 30 days.
insert into new_receipt (app_id, user_id, payment_seq, original_payment_id, gamebase_product_id, amount_minor, purchased_at,
    expires_at)
  values ('n', 'u1', 'rn1', 'N', 'gold', 300, '2025-06-15 00:00Z', '2025-07-15 00:00Z'),
    ('n', 'u1', 'rn2', 'N', 'platinum', 600, '2025-06-18 00:00Z', '2025-07-18 00:00Z');
-- Application p: a renewal bought five days before the end runs for the 30 days after it. In u2's chain a period
-- lies within another one and adds nothing.
insert into new_receipt (app_id, user_id, payment_seq, amount_minor, purchased_at, expires_at)
  values ('p', 'u1', 'ro1', 300, '2025-06-01 00:00Z', '2025-07-01 00:00Z'),
    ('p', 'u1', 'ro2', 400, '2025-06-26 00:00Z', '2025-07-31 00:00Z'),
    ('p', 'u2', 'ro3', 10, '2025-06-01 00:00Z', '2025-07-01 00:00Z'),
    ('p', 'u2', 'ro4', 10, '2025-06-02 00:00Z', '2025-06-09 00:00Z'),
    ('p', 'u3', 'ro5', 0, '2025-07-02 00:00Z', '2025-07-03 00:00Z');

-- Trials and what becomes of them, in application ft. The newest event is at 2025-03-20 00:00, so what ended at
-- 2025-03-04 00:00 is lost.
insert into new_receipt (app_id, user_id, payment_seq, original_payment_id, gamebase_product_id, amount_minor, is_promotion,
    is_sandbox, purchased_at, expires_at) values
    -- Converted, and a second paid period that converts nothing.
    ('ft', 'u1', 'fa1', null, 'gold', 0, null, null, '2025-01-05 00:00Z', '2025-01-12 00:00Z'),
    ('ft', 'u1', 'fa2', null, 'gold', 100, null, null, '2025-01-12 00:00Z', '2025-02-12 00:00Z'),
    ('ft', 'u1', 'fa3', null, 'gold', 100, null, null, '2025-02-12 00:00Z', '2025-03-12 00:00Z'),
    -- Two trials in a row are one of January and of gold, converted as silver after a promotion and a period without price.
    ('ft', 'u2', 'fb1', 'B', 'gold', 0, null, null, '2025-01-28 00:00Z', '2025-02-04 00:00Z'),
    ('ft', 'u2', 'fb2', 'B', 'silver', 0, null, null, '2025-02-04 00:00Z', '2025-02-11 00:00Z'),
    ('ft', 'u2', 'fb3', 'B', 'silver', 100, true, null, '2025-02-11 00:00Z', '2025-02-18 00:00Z'),
    ('ft', 'u2', 'fb4', 'B', 'silver', null, null, null, '2025-02-18 00:00Z', '2025-02-25 00:00Z'),
    ('ft', 'u2', 'fb5', 'B', 'silver', 100, null, null, '2025-02-25 00:00Z', '2025-03-25 00:00Z'),
    -- The first paid period is a resubscription: lost.
    ('ft', 'u3', 'fc1', null, 'gold', 0, null, null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('ft', 'u3', 'fc2', null, 'gold', 100, null, null, '2025-01-24 00:00:00.001Z', '2025-02-24 00:00Z'),
    ('ft', 'u3', 'fc3', null, 'gold', 100, null, null, '2025-02-24 00:00Z', '2025-03-24 00:00Z'),
    -- A renewal exactly 16 days after the end converts.
    ('ft', 'u4', 'fd1', null, 'gold', 0, null, null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('ft', 'u4', 'fd2', null, 'gold', 100, null, null, '2025-01-24 00:00Z', '2025-02-24 00:00Z'),
    -- Lost at exactly 16 days, and pending a millisecond later.
    ('ft', 'u5', 'fe1', null, 'gold', 0, null, null, '2025-02-25 00:00Z', '2025-03-04 00:00Z'),
    ('ft', 'u6', 'ff1', null, 'gold', 0, null, null, '2025-02-25 00:00Z', '2025-03-04 00:00:00.001Z'),
    -- In a row the last end counts: pending, although the first trial ended long ago.
    ('ft', 'u7', 'fg1', null, 'gold', 0, null, null, '2025-02-01 00:00Z', '2025-02-08 00:00Z'),
    ('ft', 'u7', 'fg2', null, 'gold', 0, null, null, '2025-02-20 00:00Z', '2025-03-10 00:00Z'),
    -- A trial after a promotion, and one that is a resubscription, are trials of their own. One payment converts each.
    ('ft', 'u8', 'fh1', null, 'gem', 0, null, null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('ft', 'u8', 'fh2', null, 'gem', 0, true, null, '2025-01-08 00:00Z', '2025-01-15 00:00Z'),
    ('ft', 'u8', 'fh3', null, 'gem', 0, null, null, '2025-01-15 00:00Z', '2025-01-22 00:00Z'),
    ('ft', 'u8', 'fh4', null, 'gem', 0, null, null, '2025-02-15 00:00Z', '2025-02-22 00:00Z'),
    ('ft', 'u8', 'fh5', null, 'gem', 100, null, null, '2025-02-22 00:00Z', '2025-03-22 00:00Z'),
    -- NULL is a product. A trial without length, a promotion, and a sandbox trial are none.
    ('ft', 'u9', 'fi1', null, null, 0, null, null, '2025-01-31 23:59:59.999Z', '2025-02-07 00:00Z'),
    ('ft', 'u9', 'fi2', null, null, 0, null, null, '2025-02-01 00:00Z', '2025-02-05 00:00Z'),
    ('ft', 'u10', 'fj1', null, null, 0, true, null, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    ('ft', 'u11', 'fk1', null, null, 0, null, true, '2025-01-01 00:00Z', '2025-01-08 00:00Z'),
    -- The newest event.
    ('ft', 'u11', 'fk2', null, null, 0, null, true, '2025-03-20 00:00Z', '2025-03-27 00:00Z');

-- Churn, in application fc: events from 2025-01-01 00:00 to 2025-04-17 00:00.
insert into new_receipt (app_id, user_id, payment_seq, original_payment_id, gamebase_product_id, amount_minor, is_promotion,
    purchased_at, expires_at) values
    -- Up to the end of January at the instant: active at the start of February, and gone at its end.
    ('fc', 'u1', 'ca1', null, 'gold', 100, null, '2025-01-01 00:00Z', '2025-02-01 00:00Z'),
    -- A millisecond less: not active at the start of February. It starts in January, so it is no churn there.
    ('fc', 'u2', 'cb1', null, 'gold', 100, null, '2025-01-01 00:00Z', '2025-01-31 23:59:59.999Z'),
    -- Renewed 16 days after the end: active at the start of February, and at its end.
    ('fc', 'u3', 'cd1', null, 'gold', 100, null, '2025-01-01 00:00Z', '2025-01-31 00:00Z'),
    ('fc', 'u3', 'cd2', null, 'gold', 100, null, '2025-02-16 00:00Z', '2025-03-16 00:00Z'),
    -- A millisecond later it is a resubscription: not active at the start of February.
    ('fc', 'u4', 'ce1', null, 'gold', 100, null, '2025-01-01 00:00Z', '2025-01-31 00:00Z'),
    ('fc', 'u4', 'ce2', null, 'gold', 100, null, '2025-02-16 00:00:00.001Z', '2025-03-16 00:00Z'),
    -- Another product in the chain: of gold at the start of February, and silver at its end is no churn.
    ('fc', 'u5', 'cf1', 'F', 'gold', 100, null, '2025-01-20 00:00Z', '2025-02-20 00:00Z'),
    ('fc', 'u5', 'cf2', 'F', 'silver', 100, null, '2025-02-10 00:00Z', '2025-03-10 00:00Z'),
    -- A renewal that is not paid: active up to its start, within the gap of gold.
    ('fc', 'u6', 'cg1', null, 'gold', 100, null, '2025-01-01 00:00Z', '2025-01-25 00:00Z'),
    ('fc', 'u6', 'cg2', null, 'gold', 100, true, '2025-02-02 00:00Z', '2025-04-30 00:00Z'),
    -- Trials are not active, also not in the gap before a paid renewal. Silver is a product from its first receipt on.
    ('fc', 'u7', 'ch1', null, 'silver', 0, null, '2025-01-20 00:00Z', '2025-01-31 00:00Z'),
    ('fc', 'u7', 'ch2', null, 'silver', 100, null, '2025-02-05 00:00Z', '2025-04-05 00:00Z'),
    -- Over two months, and bought before the end; the newest instant.
    ('fc', 'u8', 'ci1', null, null, 100, null, '2025-02-28 23:59Z', '2025-04-10 00:00Z'),
    ('fc', 'u8', 'ci2', null, null, 100, null, '2025-04-01 00:00Z', '2025-05-10 00:00Z'),
    ('fc', 'u9', 'cj1', null, 'gold', 100, null, '2025-03-20 00:00Z', '2025-04-17 00:00Z'),
    ('fc', 'u10', 'ck1', null, 'gold', 100, null, '2025-03-20 00:00Z', '2025-04-17 00:00:00.001Z'),
    ('fc', 'u11', 'cl1', null, 'gold', 100, null, '2025-03-20 00:00Z', '2025-04-10 00:00Z'),
    ('fc', 'u11', 'cl2', null, 'gold', 100, null, '2025-04-17 00:00Z', '2025-05-17 00:00Z');

-- MRR, in application fm: events from 2025-01-01 00:00 to 2025-04-01 00:00. A period has 30 days where no comment
-- names another length, so its amount is the monthly price.
insert into new_receipt (app_id, user_id, payment_seq, original_payment_id, gamebase_product_id, currency, amount_minor,
    purchased_at, expires_at) values
    -- New in January, more in February, less in March.
    ('fm', 'u1', 'ma1', null, 'gold', 'USD', 100, '2025-01-10 00:00Z', '2025-02-09 00:00Z'),
    ('fm', 'u1', 'ma2', null, 'gold', 'USD', 300, '2025-02-09 00:00Z', '2025-03-11 00:00Z'),
    ('fm', 'u1', 'ma3', null, 'gold', 'USD', 250, '2025-03-11 00:00Z', '2025-04-10 00:00Z'),
    -- A year after a month, under another product: 1201 / 12 = 100.0833 less than before.
    ('fm', 'u2', 'mb1', 'B', 'gold', 'USD', 200, '2025-01-15 00:00Z', '2025-02-14 00:00Z'),
    ('fm', 'u2', 'mb2', 'B', 'year', 'USD', 1201, '2025-02-10 00:00Z', '2026-02-10 00:00Z'),
    -- A renewal two days late over the end of a month: gone in January, back in February.
    ('fm', 'u3', 'md1', null, 'gold', 'USD', 500, '2025-01-01 00:00Z', '2025-01-31 00:00Z'),
    ('fm', 'u3', 'md2', null, 'gold', 'USD', 500, '2025-02-02 00:00Z', '2025-03-04 00:00Z'),
    -- Active up to the end of January at the instant: churned in February.
    ('fm', 'u4', 'me1', null, 'gold', 'USD', 40, '2025-01-02 00:00Z', '2025-02-01 00:00Z'),
    -- A renewal at the start of a month continues.
    ('fm', 'u5', 'mf1', null, 'gold', 'USD', 7, '2025-01-02 00:00Z', '2025-02-01 00:00Z'),
    ('fm', 'u5', 'mf2', null, 'gold', 'USD', 7, '2025-02-01 00:00Z', '2025-03-03 00:00Z'),
    -- A length without a factor is unknown: no MRR. The next one is new.
    ('fm', 'u6', 'mg1', null, 'gold', 'USD', 9000, '2025-01-20 00:00Z', '2025-02-04 00:00Z'),
    ('fm', 'u6', 'mg2', null, 'gold', 'USD', 60, '2025-02-04 00:00Z', '2025-03-06 00:00Z'),
    ('fm', 'u6', 'mg3', null, 'gold', 'USD', 9000, '2025-03-06 00:00Z', '2025-04-07 00:00Z'),
    -- Another currency in a chain: churned in the one, new in the other.
    ('fm', 'u7', 'mh1', null, 'gold', 'USD', 11, '2025-01-05 00:00Z', '2025-02-04 00:00Z'),
    ('fm', 'u7', 'mh2', null, 'gold', 'JPY', 1000, '2025-02-04 00:00Z', '2025-03-06 00:00Z'),
    -- A week within a month shows at no end, but it comes before the period of March, which ends later.
    ('fm', 'u8', 'mi1', null, 'gold', 'JPY', 30, '2025-01-05 00:00Z', '2025-01-12 00:00Z'),
    ('fm', 'u8', 'mi2', null, 'gold', 'JPY', 20, '2025-03-05 00:00Z', '2025-04-04 00:00Z'),
    -- The same within one month is new, not reactivated.
    ('fm', 'u9', 'mj1', null, 'gold', 'JPY', 31, '2025-03-02 00:00Z', '2025-03-09 00:00Z'),
    ('fm', 'u9', 'mj2', null, 'gold', 'JPY', 8, '2025-03-10 00:00Z', '2025-04-09 00:00Z'),
    -- One starts when another one ends.
    ('fm', 'u10', 'mk1', null, 'gold', 'KWD', 1001, '2025-03-21 00:00Z', '2025-05-20 00:00Z'),
    ('fm', 'u11', 'ml1', null, 'gold', 'KWD', 9, '2025-02-19 00:00Z', '2025-03-21 00:00Z'),
    -- Bought before the end of the one before: it starts at that end.
    ('fm', 'u12', 'mn1', null, 'gold', 'KWD', 2, '2025-02-25 00:00Z', '2025-03-27 00:00Z'),
    ('fm', 'u12', 'mn2', null, 'gold', 'KWD', 3, '2025-03-20 00:00Z', '2025-04-26 00:00Z'),
    -- Trials never have any.
    ('fm', 'u13', 'mo1', null, 'gold', 'EUR', 0, '2025-02-20 00:00Z', '2025-03-22 00:00Z');
insert into new_receipt (app_id, user_id, payment_seq, product_type, purchased_at)
  values ('fm', 'x', 'mx1', 'CONSUMABLE', '2025-04-01 00:00Z');
select pg_temp.load_lines();
\ir parts/refresh.sql

select pg_temp.shows($$ select payment_seq, chain_id, chain_rule, starts_at, ends_at, period_kind, is_overlapped
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

select pg_temp.shows(
  $$ select day, active_paid, expired_count, is_complete from report.subscription_by_day where app_id = 'x' $$, $$
  2025-02-01 2 0 t
  2025-02-02 0 1 f $$, 'an expiry counts when the receipts have reached it');

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

select pg_temp.shows($$ select (select count(*) from rollup.subscription_day where app_id = 'o'),
       (select count(*) from rollup.mrr_day where app_id = 'o'),
       (select count(*) from report.subscription_by_day where app_id = 'o') $$, $$
  6 2 2196   # three products, two days of change; one currency; from 2023-07-01 to 2025-07-01 three times 732 days
  $$, 'an old receipt stores no days for products that were sold later');
select is_empty($$ select p.payment_seq from report.subscription_period p
       join report.subscription_period q using (app_id, chain_id)
       where p.payment_seq <> q.payment_seq and p.starts_at < q.ends_at and q.starts_at < p.ends_at $$,
  'no two periods of a chain overlap');

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
       where app_id = 'p' and day in ('2025-06-01', '2025-06-02', '2025-06-25', '2025-06-26', '2025-06-30', '2025-07-01') $$, $$
  2025-06-01 310 0
  2025-06-02 310 0
  2025-06-25 310 0
  2025-06-26 310 0   # the renewal has not begun
  2025-06-30 310 0   # the first periods end at the day's end
  2025-07-01 400 0
  $$, 'the length of a renewal begins at its start, not at its purchase');
select is((select count(*) from report.mrr_by_day where app_id = 'p'), 32::bigint,
  'each day from the first receipt to the newest has a row');

select pg_temp.shows(
  $$ select gamebase_product_id, month, trial_count, converted_count, lost_count, pending_count, rate, is_mature
       from report.trial_conversion_by_month where app_id = 'ft' $$, $$
  gold 2025-01-01 4 3 1 0 0.750000 t   # fa1 fb1 fd1 converted, fc1 lost
  gold 2025-02-01 3 0 1 2 0.000000 f   # fe1 lost, ff1 and fg1 pending
  gem  2025-01-01 2 2 0 0 1.000000 t   # fh1 fh3
  gem  2025-02-01 1 1 0 0 1.000000 t   # fh4
  -    2025-01-01 1 0 1 0 0.000000 t   # fi1
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

-- USD at the end of January: 100 + 200 + 40 + 7 + 11 = 358, and g1 of an unknown length; u3 has ended on the 31st.
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
  USD 2025-03-01 9.67 0.00 0.00 0.00 0.50 5.67 3.50 1 t   # g3
  USD 2025-04-01 3.50 -    -    -    -    -    -    - f
  $$, 'the movements of each currency lead from one end of a month to the next, rounded one after the other');

-- The first month has no day before it.
select is_empty($$ select * from report.mrr_movement_by_month
       where starting_amount + new_amount + reactivated_amount + expansion_amount - contraction_amount - churned_amount
         <> ending_amount $$, 'the rounded parts add up');
select is_empty($$ select m.app_id, m.currency, m.month from report.mrr_movement_by_month m
       left join report.mrr_by_day s on s.app_id = m.app_id and s.currency = m.currency and s.day = m.month - 1
       left join report.mrr_by_day e on e.app_id = m.app_id and e.currency = m.currency
         and e.day = (m.month + interval '1 month')::date - 1
       where m.starting_amount <> coalesce(s.amount, 0) or m.ending_amount <> e.amount
         or m.unknown_length_count <> e.unknown_length_count $$, 'both ends are those of report.mrr_by_day');

-- Late files. In d a renewal ends an expiry, and another one makes a resubscription a renewal.
insert into new_receipt (app_id, user_id, payment_seq, payment_id, purchased_at, expires_at)
  values ('d', 'u1', 'da3', null, '2025-01-10 00:00Z', '2025-01-12 00:00Z'),
    ('d', 'u3', 'dc0', 'GPA.1..1', '2025-01-03 06:00Z', '2025-01-04 06:00Z');
select pg_temp.load_lines('late');
-- In n a purchase in a new currency gives it a row for each day.
insert into new_receipt (app_id, user_id, payment_seq, currency, product_type, purchased_at)
  values ('n', 'u2', 'rn3', 'EUR', 'CONSUMABLE', '2025-06-16 10:00Z');
-- In ft the newest event is a millisecond later, and a payment that comes late converts e1. In fc a newer event makes
-- April a full month.
insert into new_receipt (app_id, user_id, payment_seq, amount_minor, is_sandbox, purchased_at, expires_at)
  values ('ft', 'u11', 'fk3', 0, true, '2025-03-20 00:00:00.001Z', '2025-03-27 00:00Z'),
    ('ft', 'u5', 'fe2', 100, null, '2025-03-19 00:00Z', '2025-04-19 00:00Z');
insert into new_receipt (app_id, user_id, payment_seq, product_type, purchased_at)
  values ('fc', 'x', 'x1', 'CONSUMABLE', '2025-05-16 23:59:59.999Z');
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

select pg_temp.shows($$ select currency, day, amount_minor from report.mrr_by_day where app_id = 'n' $$, $$
  EUR 2025-06-15 0
  EUR 2025-06-16 0
  EUR 2025-06-17 0
  EUR 2025-06-18 0
  USD 2025-06-15 300
  USD 2025-06-16 300
  USD 2025-06-17 300
  USD 2025-06-18 600 $$, 'every currency that was ever paid has a row for each day');

select pg_temp.shows($$ select month, trial_count, converted_count, lost_count, pending_count, rate, is_mature
       from report.trial_conversion_by_month where app_id = 'ft' and gamebase_product_id = 'gold' $$, $$
  2025-01-01 4 3 1 0 0.750000 t
  2025-02-01 3 1 1 1 0.500000 f   # fe1 converted, ff1 lost
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
       where app_id = 'fc' and gamebase_product_id = 'gold' and month in ('2025-02-01', '2025-03-01') $$, $$
  2025-02-01 3 2
  2025-03-01 1 1 $$, 'an erasure takes the user out');

select * from finish();
