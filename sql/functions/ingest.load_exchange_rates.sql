-- COPY has put the lines of the file into pg_temp.rate_line, all as text. Every line is judged before a rate is stored.
create or replace function ingest.load_exchange_rates(
  out new_count bigint, out replaced_count bigint, out unchanged_count bigint, out problems json)
language plpgsql
set search_path = pg_catalog, pg_temp
set datestyle = 'ISO, YMD'
as $$
declare
  base constant text := (select value from ingest.setting where name = 'base-currency');
begin
  if base is null then
    raise exception 'no base currency is set, so the rates have no unit; run gamebase-ingest settings set base-currency with its code, such as KRW, and load the rates again'
      using errcode = 'GI078';
  end if;
  with line as materialized (
    select l.line, upper(l.currency) as currency, l.valid_on, l.rate, c.minor_unit,
        min(l.line) over (partition by upper(l.currency), l.valid_on) as first_line,
        -- A date of this form can be too late for its month, and is then another one.
        case when l.valid_on ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' and l.valid_on !~ '^0000'
          then (left(l.valid_on, 8) || '01')::date + right(l.valid_on, 2)::integer - 1 end::text as day,
        -- The digits of the column.
        l.rate ~ '^[0-9]{1,12}([.][0-9]{1,12})?$' and l.rate ~ '[1-9]' as is_number
      from pg_temp.rate_line l left join game.currency c on c.currency = upper(l.currency)
  ), problem as (
    select 1::bigint as line, 1 as place, null as field, 'no rate follows the header' as reason
      where not exists (select from line)
    union all
    select l.line, p.place, p.field, p.reason
      from line l cross join lateral (values
        (1, 'currency', 'this is no ISO 4217 code with a minor unit; see game.currency', l.minor_unit is null),
        (2, 'valid_on', 'this is no day such as 2025-07-31', l.day is distinct from l.valid_on),
        (3, 'rate', 'this is no decimal number above 0, such as 0.00072, with at most 12 digits before and after the '
          'point, without an exponent, a sign and separators', not l.is_number),
        (4, 'rate', format('%s is the base currency, so its rate is 1; the rates of this file have another unit', base),
          l.currency = base and l.is_number and l.rate !~ '^0*1([.]0*)?$'),
        (5, 'valid_on', format('line %s has a rate of this currency and day already', l.first_line),
          l.first_line < l.line)
      ) p (place, field, reason, is_wrong) where p.is_wrong
  )
  select json_agg(format('line %s%s: %s', p.line, ', ' || p.field, p.reason) order by p.line, p.place)
    into problems from problem p;
  if problems is not null then
    return;
  end if;
  -- A row that this transaction has inserted and not updated has no xmax.
  with changed as (
    insert into game.exchange_rate as e (base_currency, currency, valid_on, rate)
      select base, upper(l.currency), l.valid_on::date, l.rate::numeric from pg_temp.rate_line l
      on conflict (base_currency, currency, valid_on) do update set rate = excluded.rate where e.rate <> excluded.rate
      returning e.xmax = 0 as is_new
  )
  select count(*) filter (where c.is_new), count(*) filter (where not c.is_new),
      (select count(*) from pg_temp.rate_line) - count(*)
    into new_count, replaced_count, unchanged_count from changed c;
end
$$;
comment on function ingest.load_exchange_rates is
  'Stores the rates of pg_temp.rate_line in the base currency, or names every wrong line. For the owner.';
