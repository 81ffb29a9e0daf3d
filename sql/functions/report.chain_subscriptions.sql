-- A chain is a connected component: receipts of a player are joined by equal keys. Most receipts have one key, so the
-- smallest payment with that key names the chain. Where a receipt has two keys, rounds spread the smaller name: each
-- receipt, and the receipt that names its chain, takes the smallest name among the receipts with an equal key, and
-- then the name that the naming receipt has itself. So the number of rounds grows with the logarithm of the length of a
-- path.
create or replace function report.chain_subscriptions() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
-- The planner cannot know how many rows the steps of a statement have. A hash join is never slow.
set enable_nestloop = off
as $$
begin
  insert into staging.subscription_receipt (payment_seq, player_id, payment_key, original_key, is_numbered,
      chain_rule, first_key, second_key, chain_id, app_id, gamebase_product_id, store_code, currency, amount_minor,
      purchased_at, purchased_on, expires_at, is_paid, is_promotion, original_payment_id)
    with receipt as materialized (
      select p.payment_seq, p.player_id, p.app_id, p.gamebase_product_id, p.store_code, p.currency, p.amount_minor,
          p.purchased_at, p.purchased_on, p.expires_at, p.is_paid, p.is_promotion, p.original_payment_id,
          coalesce(starts_with(p.payment_id, 'GPA.'), false) as is_google,
          case when starts_with(p.payment_id, 'GPA.') then regexp_replace(p.payment_id, '\.\.[0-9]+$', '')
            else p.payment_id end as payment_key,
          case when starts_with(p.original_payment_id, 'GPA.')
            then regexp_replace(p.original_payment_id, '\.\.[0-9]+$', '')
            else p.original_payment_id end as original_key,
          coalesce(p.payment_id ~ '^GPA\..*\.\.[0-9]+$', false) as is_numbered
        from staging.touched_player t
        -- OFFSET keeps the planner from reading the purchases of all players.
        cross join lateral (select * from report.purchase_rollup p
          where p.player_id = t.player_id and p.expires_at is not null
            and p.product_type in ('AUTO_RENEWABLE', 'CONSUMABLE_AUTO_RENEWABLE') and p.is_sandbox is not true
          offset 0) p
        where t.has_changed_chain
    ), used as (
      select player_id, payment_key as key from receipt where payment_key is not null
      union all
      -- A receipt that names itself as its original uses its key once.
      select player_id, original_key from receipt
        where original_key is not null and original_key is distinct from payment_key
    ), shared as (
      select player_id, key from used group by player_id, key having count(*) > 1
    ), keyed as (
      select r.*,
          case when r.original_key is not null then 'original' when r.is_google then 'google'
            when s.key is not null then 'payment' else 'product' end as chain_rule,
          -- The first letters keep references and products apart.
          case when r.original_key is not null then 'id ' || r.original_key
            when r.is_google or s.key is not null then 'id ' || r.payment_key
            else 'product ' || row(r.gamebase_product_id, r.store_code)::text end as first_key,
          case when r.original_key <> r.payment_key and s.key is not null then 'id ' || r.payment_key
            end as second_key
        from receipt r left join shared s on s.player_id = r.player_id and s.key = r.payment_key
    )
    select payment_seq, player_id, payment_key, original_key, is_numbered, chain_rule, first_key, second_key,
        min(payment_seq) over (partition by player_id, first_key), app_id, gamebase_product_id, store_code, currency,
        amount_minor, purchased_at, purchased_on, expires_at, is_paid, is_promotion, original_payment_id
      from keyed;
  analyze staging.subscription_receipt;

  loop
    with keyed as (
      select player_id, payment_seq, chain_id, first_key as key from staging.subscription_receipt
        where player_id in (select player_id from staging.subscription_receipt where second_key is not null)
      union all
      select player_id, payment_seq, chain_id, second_key from staging.subscription_receipt
        where second_key is not null
    ), joined as (
      select payment_seq, chain_id, min(chain_id) over (partition by player_id, key) as smallest from keyed
    ), renamed as (
      select payment_seq, min(smallest) as chain_id
        from (
          select payment_seq, smallest from joined
          union all
          select chain_id, smallest from joined
        ) either
        group by payment_seq
    )
    update staging.subscription_receipt r set chain_id = n.chain_id
      from renamed n
      where r.payment_seq = n.payment_seq and n.chain_id < r.chain_id;
    exit when not found;
    update staging.subscription_receipt r set chain_id = n.chain_id
      from staging.subscription_receipt n
      where n.payment_seq = r.chain_id and n.chain_id < r.chain_id;
  end loop;
end
$$;
revoke execute on function report.chain_subscriptions from public;
comment on function report.chain_subscriptions is
  'Fills staging.subscription_receipt with the subscription receipts of the touched players and their chains. Part of report.refresh.';
