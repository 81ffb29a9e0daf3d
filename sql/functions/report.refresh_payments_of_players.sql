create or replace function report.refresh_payments_of_players() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  with paid as materialized (
    select t.player_id, count(r.payment_seq) as paid_count, min(r.purchased_at) as first_paid_at,
        min(r.purchased_on) as first_paid_on, max(r.purchased_at) as last_paid_at,
        (array_agg(r.payment_seq order by r.purchased_at, r.payment_seq))[1] as first_payment_seq
      from staging.touched_player t
      -- OFFSET keeps the planner from reading the purchases of all players.
      left join lateral (select * from report.purchase_rollup r
        where r.player_id = t.player_id and r.is_paid offset 0) r on true
      where t.has_receipt
      group by t.player_id
  )
  update report.player_rollup p
    set paid_count = n.paid_count, first_paid_at = n.first_paid_at, first_paid_on = n.first_paid_on,
      first_payment_seq = n.first_payment_seq, last_paid_at = n.last_paid_at
    from paid n
    where p.player_id = n.player_id
      and (p.paid_count, p.first_paid_at, p.first_paid_on, p.first_payment_seq, p.last_paid_at)
        is distinct from (n.paid_count, n.first_paid_at, n.first_paid_on, n.first_payment_seq, n.last_paid_at);

  update report.purchase_rollup r set is_first_paid = not r.is_first_paid
    from staging.touched_player t join report.player_rollup p using (player_id)
    where t.has_receipt and r.player_id = t.player_id
      and r.is_first_paid <> coalesce(r.payment_seq = p.first_payment_seq, false);

  -- The days on which a user becomes a new payer, or no longer is one.
  insert into staging.touched_day (app_id, day)
    select t.app_id, d.day
      from staging.touched_player t join report.player_rollup p using (player_id),
        lateral (values (t.first_paid_on), (p.first_paid_on)) d (day)
      where t.first_paid_on is distinct from p.first_paid_on and d.day is not null
    on conflict do nothing;

  delete from report.player_currency_rollup c
    using staging.touched_player t
    where t.has_receipt and c.player_id = t.player_id;
  insert into report.player_currency_rollup (player_id, currency, paid_count, amount_minor)
    select t.player_id, r.currency, count(*), sum(r.amount_minor)
      from staging.touched_player t join report.purchase_rollup r on r.player_id = t.player_id
      where t.has_receipt and r.is_paid
      group by t.player_id, r.currency;
end
$$;
revoke execute on function report.refresh_payments_of_players from public;
comment on function report.refresh_payments_of_players is
  'Computes the payments of the touched players: first and last paid purchase, counts and sums by currency. Part of report.refresh.';
