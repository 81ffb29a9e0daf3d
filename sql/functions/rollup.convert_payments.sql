-- Changed payments count at the rates of before. Then all purchases of the days with another rate change from
-- that to the new one, those that stand there now.
create or replace function rollup.convert_payments() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  create temporary view converted_payment as
    select p.*, p.sign * p.amount_minor * u.minor_unit_value * p.rate as base_amount
      from (
        select p.*, case when c.day is null then r.rate else c.old_rate end as rate
          from pg_temp.payment_change p
          left join pg_temp.rate_change c on c.currency = p.currency and c.day = p.day
          left join rollup.day_rate r on r.currency = p.currency and r.day = p.day
        union all
        select p.app_id, p.user_id, k.sign, l.first_observed_on, l.first_paid_on, p.day, p.currency, p.amount_minor, k.rate
          -- The days of an application are found by an index.
          from (
            select app_id from rollup.cohort_size where cohort_kind = 'first_paid'
            union select app_id from pg_temp.new_player
          ) a
          cross join (select distinct day from pg_temp.rate_change) d
          join rollup.purchase p on p.app_id = a.app_id and p.day = d.day and p.is_paid
          join pg_temp.rate_change c on c.currency = p.currency and c.day = p.day
          join rollup.player l on l.app_id = p.app_id and l.user_id = p.user_id
          cross join lateral (values (-1::smallint, c.old_rate), (1::smallint, c.new_rate)) k (sign, rate)
      ) p
      join game.currency u on u.currency = p.currency;
  insert into pg_temp.change_player_value (app_id, user_id, minor_unit, paid_count, converted_count, base_amount)
    select p.app_id, p.user_id, coalesce(b.minor_unit, 0), sum(p.sign),
        coalesce(sum(p.sign) filter (where p.base_amount is not null), 0), coalesce(sum(p.base_amount), 0)
      from converted_payment p cross join rollup.base_unit b
      group by p.app_id, p.user_id, b.minor_unit;
  insert into pg_temp.change_cohort_value (app_id, cohort_kind, cohort_on, day_n, paid_count, converted_count, base_amount)
    select p.app_id, k.cohort_kind, k.cohort_on, s.day_n, sum(p.paid_count), sum(p.converted_count), sum(p.base_amount)
      from (
        select app_id, first_observed_on, first_paid_on, day, sum(sign) as paid_count,
            coalesce(sum(sign) filter (where base_amount is not null), 0) as converted_count,
            coalesce(sum(base_amount), 0) as base_amount
          from converted_payment
          group by app_id, first_observed_on, first_paid_on, day
      ) p
      cross join lateral (values ('first_observed', p.first_observed_on), ('first_paid', p.first_paid_on)) k
        (cohort_kind, cohort_on)
      cross join lateral (
        select min(c.day_n) as day_n from rollup.cohort_step c where c.day_n >= p.day - k.cohort_on) s
      where s.day_n is not null
      group by p.app_id, k.cohort_kind, k.cohort_on, s.day_n;
  drop view converted_payment;
end
$$;
comment on function rollup.convert_payments is
  'Counts the changed paid purchases, and those with another rate, in the base currency, by player and by cohort, in pg_temp.change_player_value and pg_temp.change_cohort_value. Part of rollup.add_sums.';
