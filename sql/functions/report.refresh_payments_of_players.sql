create or replace function report.refresh_payments_of_players() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  -- New purchases only add. Where one of an older file has changed, all of the player are read.
  with read as (
    select r.player_id, r.payment_seq, r.purchased_at, r.purchased_on
      from staging.purchase r join staging.touched_player t on t.player_id = r.player_id
      where r.is_paid and not t.has_changed_purchase
    union all
    select r.player_id, r.payment_seq, r.purchased_at, r.purchased_on
      from staging.touched_player t
      -- OFFSET keeps the planner from reading the purchases of all players.
      cross join lateral (select * from report.purchase_rollup r
        where r.player_id = t.player_id and r.is_paid offset 0) r
      where t.has_changed_purchase
  ), first as (
    select distinct on (player_id) player_id, payment_seq, purchased_at, purchased_on
      from read
      order by player_id, purchased_at, payment_seq
  ), counted as (
    select player_id, count(*) as paid_count, max(purchased_at) as last_paid_at from read group by player_id
  )
  update report.player_rollup p
    set paid_count = case when t.has_changed_purchase then 0 else p.paid_count end + coalesce(c.paid_count, 0),
      last_paid_at = case when t.has_changed_purchase then c.last_paid_at
        else greatest(p.last_paid_at, c.last_paid_at) end,
      first_paid_at = case when k.is_first then f.purchased_at else p.first_paid_at end,
      first_paid_on = case when k.is_first then f.purchased_on else p.first_paid_on end,
      first_payment_seq = case when k.is_first then f.payment_seq else p.first_payment_seq end
    from staging.touched_player t
    join report.player_rollup o on o.player_id = t.player_id
    left join counted c on c.player_id = t.player_id
    left join first f on f.player_id = t.player_id
    cross join lateral (
      select t.has_changed_purchase
        or ((f.purchased_at, f.payment_seq) < (o.first_paid_at, o.first_payment_seq)) is not false as is_first) k
    where t.has_receipt and p.player_id = t.player_id and (c.player_id is not null or t.has_changed_purchase);

  update report.purchase_rollup r set is_first_paid = not r.is_first_paid
    where r.ctid = any (array(
      select s.row_id
        from staging.touched_player t
        left join report.player_rollup p on p.player_id = t.player_id
        cross join lateral (select r.ctid as row_id, r.payment_seq, r.is_first_paid
          from report.purchase_rollup r
          where r.payment_seq in (t.first_payment_seq, p.first_payment_seq) offset 0) s
        where t.has_receipt
          and (t.has_changed_purchase or t.first_payment_seq is distinct from p.first_payment_seq)
          and s.is_first_paid <> coalesce(s.payment_seq = p.first_payment_seq, false)));

  -- The days on which a user becomes a new payer, or no longer is one.
  insert into staging.touched_day (app_id, day)
    select t.app_id, d.day
      from staging.touched_player t join report.player_rollup p using (player_id),
        lateral (values (t.first_paid_on), (p.first_paid_on)) d (day)
      where t.first_paid_on is distinct from p.first_paid_on and d.day is not null
    on conflict do nothing;

  delete from report.player_currency_rollup c
    using staging.touched_player t
    where t.has_changed_purchase and c.player_id = t.player_id;
  insert into report.player_currency_rollup as c (player_id, currency, paid_count, amount_minor, first_paid_on)
    select player_id, currency, count(*), sum(amount_minor), min(purchased_on)
      from (
        select r.player_id, r.currency, r.amount_minor, r.purchased_on
          from staging.purchase r join staging.touched_player t on t.player_id = r.player_id
          where r.is_paid and not t.has_changed_purchase
        union all
        select r.player_id, r.currency, r.amount_minor, r.purchased_on
          from staging.touched_player t
          cross join lateral (select * from report.purchase_rollup r
            where r.player_id = t.player_id and r.is_paid offset 0) r
          where t.has_changed_purchase
      ) r
      group by player_id, currency
    on conflict (player_id, currency) do update
      set paid_count = c.paid_count + excluded.paid_count, amount_minor = c.amount_minor + excluded.amount_minor,
        first_paid_on = least(c.first_paid_on, excluded.first_paid_on);
end
$$;
revoke execute on function report.refresh_payments_of_players from public;
comment on function report.refresh_payments_of_players is
  'Computes the payments of the touched players: first and last paid purchase, counts and sums by currency. Part of report.refresh.';
