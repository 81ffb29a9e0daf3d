create table game.exchange_rate (
  base_currency text collate "C" references game.currency,
  currency text collate "C" references game.currency,
  valid_on date,
  -- NaN is greater than every number, but not less than Infinity.
  rate numeric(24, 12) not null check (rate > 0 and rate < 'Infinity'),
  primary key (base_currency, currency, valid_on)
);
comment on table game.exchange_rate is
  'One row per base currency, currency and day with an exchange rate. A later day without a row uses the last rate before it, if that is at most 7 days old. The reports use the rates of the present base currency (setting base-currency). Written by: gamebase-ingest reference load exchange-rates.';
comment on column game.exchange_rate.base_currency is
  'ISO 4217 code of the base currency at the load of the rate.';
comment on column game.exchange_rate.currency is
  'ISO 4217 code of the currency that is converted. Joins to game.receipt.currency.';
comment on column game.exchange_rate.valid_on is
  'Day of the rate, in the reports'' time zone.';
comment on column game.exchange_rate.rate is
  'Number of units of the base currency that one unit of the currency is worth.';
