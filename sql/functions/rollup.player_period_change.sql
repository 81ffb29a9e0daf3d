create or replace function rollup.player_period_change()
returns table (app_id text, period text, period_start date, row_count bigint, observed_user_count bigint,
  level_up_user_count bigint, snapshot_user_count bigint, new_user_count bigint, payer_count bigint,
  new_payer_count bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    -- A week's users are the first days of its users. Bits of firsts, of days: 0 and 1 observed in the week and month, 2 and
    -- 3 level-up, 4 and 5 snapshot. Of purchases: 1, 2 and 3 the first of the day, week and month; 11, 12 and 13 of a new
    -- payer of the day, week and month.
    with day as (
      select d.app_id, d.day, d.firsts, sum(d.sign) as row_count,
          coalesce(sum(d.sign) filter (where d.is_observed), 0) as observed,
          coalesce(sum(d.sign) filter (where d.level_up_count > 0), 0) as leveled,
          coalesce(sum(d.sign) filter (where d.snapshot_count > 0), 0) as seen
        from pg_temp.player_day_change d
        group by d.app_id, d.day, d.firsts
    ), paid as (
      select r.app_id, r.day, r.firsts & 14350 as firsts, sum(r.sign) as user_count
        from pg_temp.purchase_change r
        where r.is_paid and r.firsts & 14 <> 0
        group by r.app_id, r.day, r.firsts & 14350
    ), new as (
      select p.app_id, p.first_observed_on as day, sum(p.sign) as user_count
        from pg_temp.player_change p
        where p.first_observed_on is not null
        group by p.app_id, p.first_observed_on
    ), part as (
      select d.app_id, c.period, c.period_start, d.row_count,
          case c.period when 'day' then d.observed when 'week' then d.row_count * (d.firsts & 1)
            else d.row_count * (d.firsts >> 1 & 1) end as observed,
          case c.period when 'day' then d.leveled when 'week' then d.row_count * (d.firsts >> 2 & 1)
            else d.row_count * (d.firsts >> 3 & 1) end as leveled,
          case c.period when 'day' then d.seen when 'week' then d.row_count * (d.firsts >> 4 & 1)
            else d.row_count * (d.firsts >> 5 & 1) end as seen,
          0::numeric as new, 0::numeric as paid, 0::numeric as newly_paid
        from day d cross join lateral rollup.periods_of_day(d.day) c
      union all
      select p.app_id, c.period, c.period_start, 0, 0, 0, 0, 0,
          p.user_count * (p.firsts >> c.first_bit & 1),
          p.user_count * (p.firsts >> c.first_bit & 1) * (p.firsts >> (c.first_bit + 10) & 1)
        from paid p cross join lateral rollup.periods_of_day(p.day) c
      union all
      select n.app_id, c.period, c.period_start, n.user_count, 0, 0, 0, n.user_count, 0, 0
        from new n cross join lateral rollup.periods_of_day(n.day) c
    )
    select p.app_id, p.period, p.period_start, sum(p.row_count)::bigint, sum(p.observed)::bigint, sum(p.leveled)::bigint,
        sum(p.seen)::bigint, sum(p.new)::bigint, sum(p.paid)::bigint, sum(p.newly_paid)::bigint
      from part p
      group by p.app_id, p.period, p.period_start;
end
$$;
revoke execute on function rollup.player_period_change from public;
comment on function rollup.player_period_change is
  'Users by day, week and month: observed, with level-ups and snapshots, new, paying and newly paying.';
