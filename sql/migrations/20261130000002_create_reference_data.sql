create table game.currency (
  currency text collate "C" primary key check (currency ~ '^[A-Z]{3}$'),
  name text not null,
  minor_unit smallint check (minor_unit between 0 and 4),
  kind text not null
    check (kind in ('money', 'fund', 'metal', 'account_unit', 'test', 'no_currency')),
  valid_from date,
  valid_until date,
  check (valid_from <= valid_until),
  -- Stored, so that the views need no function per row to turn minor units into major ones.
  minor_unit_value numeric generated always as
    (case minor_unit when 0 then 1 when 1 then 0.1 when 2 then 0.01 when 3 then 0.001 when 4 then 0.0001 end) stored
);

comment on table game.currency is
  'One row per ISO 4217 currency code that was valid on any day since 2000-01-01. '
  'Source: ISO 4217 lists one and three of 2026-01-01, including amendment 180. '
  'Loaded by: the migration create_reference_data. A test compares the rows with CurrencyTable in Swift.';
comment on column game.currency.currency is
  'ISO 4217 code, three upper-case letters. Joins to game.receipt.currency.';
comment on column game.currency.name is
  'English name.';
comment on column game.currency.minor_unit is
  'Decimal digits of the minor unit, 0 to 4: an amount is amount_minor / 10 ^ minor_unit. '
  'NULL when ISO defines none or none is known; no receipt can have such a currency.';
comment on column game.currency.minor_unit_value is
  'The minor unit in the major one, with as many decimals as the minor unit has: 0.01 for USD, 1 for KRW. An amount is amount_minor * minor_unit_value. NULL like minor_unit.';
comment on column game.currency.kind is
  'money; fund (a unit of account of one country or bank); metal; account_unit (of an institution, '
  'e.g. XDR); test (XTS); no_currency (XXX).';
comment on column game.currency.valid_from is
  'First day of validity, in UTC; NULL for a day before 2000-01-01.';
comment on column game.currency.valid_until is
  'Last day of validity (inclusive), in UTC. The loader accepts receipts for 400 days after it. '
  'NULL for a currency that is still valid.';

insert into game.currency (currency, name, minor_unit, kind, valid_from, valid_until)
values
  ('ADP', 'Andorran Peseta', 0, 'money', null, '2003-07-31'),
  ('AED', 'UAE Dirham', 2, 'money', null, null),
  ('AFA', 'Old Afghani', 2, 'money', null, '2003-01-31'),
  ('AFN', 'Afghani', 2, 'money', '2002-10-07', null),
  ('ALL', 'Albanian Lek', 2, 'money', null, null),
  ('AMD', 'Armenian Dram', 2, 'money', null, null),
  ('ANG', 'Netherlands Antillean Guilder', 2, 'money', null, '2025-06-30'),
  ('AOA', 'Angolan Kwanza', 2, 'money', null, null),
  ('AON', 'Angolan New Kwanza', 0, 'money', null, '2000-02-29'),
  ('AOR', 'Angolan Readjusted Kwanza', 0, 'money', null, '2000-02-29'),
  ('ARS', 'Argentine Peso', 2, 'money', null, null),
  ('ATS', 'Austrian Schilling', 2, 'money', null, '2002-03-31'),
  ('AUD', 'Australian Dollar', 2, 'money', null, null),
  ('AWG', 'Aruban Florin', 2, 'money', null, null),
  ('AYM', 'Azerbaijan Manat (withdrawn before use)', 2, 'money', '2005-01-01', '2005-10-31'),
  ('AZM', 'Old Azerbaijan Manat', 2, 'money', null, '2006-12-31'),
  ('AZN', 'Azerbaijan Manat', 2, 'money', '2006-01-01', null),
  ('BAM', 'Bosnian Convertible Mark', 2, 'money', null, null),
  ('BBD', 'Barbados Dollar', 2, 'money', null, null),
  ('BDT', 'Bangladeshi Taka', 2, 'money', null, null),
  ('BEF', 'Belgian Franc', 0, 'money', null, '2002-03-31'),
  ('BGL', 'Old Bulgarian Lev', 2, 'money', null, '2003-11-30'),
  ('BGN', 'Bulgarian Lev', 2, 'money', null, '2025-12-31'),
  ('BHD', 'Bahraini Dinar', 3, 'money', null, null),
  ('BIF', 'Burundi Franc', 0, 'money', null, null),
  ('BMD', 'Bermudian Dollar', 2, 'money', null, null),
  ('BND', 'Brunei Dollar', 2, 'money', null, null),
  ('BOB', 'Boliviano', 2, 'money', null, null),
  ('BOV', 'Bolivian Mvdol', 2, 'fund', null, null),
  ('BRL', 'Brazilian Real', 2, 'money', null, null),
  ('BSD', 'Bahamian Dollar', 2, 'money', null, null),
  ('BTN', 'Bhutanese Ngultrum', 2, 'money', null, null),
  ('BWP', 'Botswana Pula', 2, 'money', null, null),
  ('BYB', 'Belarusian Ruble (until 2000)', 0, 'money', null, '2001-01-31'),
  ('BYN', 'Belarusian Ruble', 2, 'money', '2016-07-01', null),
  ('BYR', 'Belarusian Ruble (2000 to 2016)', 0, 'money', '2000-01-01', '2017-01-31'),
  ('BZD', 'Belize Dollar', 2, 'money', null, null),
  ('CAD', 'Canadian Dollar', 2, 'money', null, null),
  ('CDF', 'Congolese Franc', 2, 'money', null, null),
  ('CHC', 'WIR Franc (electronic)', 2, 'fund', '2004-01-01', '2004-11-30'),
  ('CHE', 'WIR Euro', 2, 'fund', '2004-11-01', null),
  ('CHF', 'Swiss Franc', 2, 'money', null, null),
  ('CHW', 'WIR Franc', 2, 'fund', '2004-11-01', null),
  ('CLF', 'Chilean Unidad de Fomento', 4, 'fund', null, null),
  ('CLP', 'Chilean Peso', 0, 'money', null, null),
  ('CNY', 'Yuan Renminbi', 2, 'money', null, null),
  ('COP', 'Colombian Peso', 2, 'money', null, null),
  ('COU', 'Colombian Unidad de Valor Real', 2, 'fund', '2002-01-01', null),
  ('CRC', 'Costa Rican Colon', 2, 'money', null, null),
  ('CSD', 'Serbian Dinar (2003 to 2006)', 2, 'money', '2003-07-03', '2006-10-31'),
  ('CUC', 'Cuban Convertible Peso', 2, 'money', '2009-03-01', '2021-06-30'),
  ('CUP', 'Cuban Peso', 2, 'money', null, null),
  ('CVE', 'Cabo Verde Escudo', 2, 'money', null, null),
  ('CYP', 'Cyprus Pound', 2, 'money', null, '2008-01-31'),
  ('CZK', 'Czech Koruna', 2, 'money', null, null),
  ('DEM', 'Deutsche Mark', 2, 'money', null, '2002-03-31'),
  ('DJF', 'Djibouti Franc', 0, 'money', null, null),
  ('DKK', 'Danish Krone', 2, 'money', null, null),
  ('DOP', 'Dominican Peso', 2, 'money', null, null),
  ('DZD', 'Algerian Dinar', 2, 'money', null, null),
  ('ECS', 'Ecuadorian Sucre', 0, 'money', null, '2000-09-30'),
  ('ECV', 'Ecuadorian Unidad de Valor Constante', null, 'fund', null, '2000-09-30'),
  ('EEK', 'Estonian Kroon', 2, 'money', null, '2011-01-31'),
  ('EGP', 'Egyptian Pound', 2, 'money', null, null),
  ('ERN', 'Eritrean Nakfa', 2, 'money', null, null),
  ('ESP', 'Spanish Peseta', 0, 'money', null, '2002-03-31'),
  ('ETB', 'Ethiopian Birr', 2, 'money', null, null),
  ('EUR', 'Euro', 2, 'money', null, null),
  ('FIM', 'Finnish Markka', 2, 'money', null, '2002-03-31'),
  ('FJD', 'Fiji Dollar', 2, 'money', null, null),
  ('FKP', 'Falkland Islands Pound', 2, 'money', null, null),
  ('FRF', 'French Franc', 2, 'money', null, '2002-03-31'),
  ('GBP', 'Pound Sterling', 2, 'money', null, null),
  ('GEL', 'Georgian Lari', 2, 'money', null, null),
  ('GHC', 'Old Ghana Cedi', 2, 'money', null, '2008-01-31'),
  ('GHP', 'Ghana Cedi (withdrawn before use)', 2, 'money', '2006-01-01', '2007-06-30'),
  ('GHS', 'Ghana Cedi', 2, 'money', '2007-07-01', null),
  ('GIP', 'Gibraltar Pound', 2, 'money', null, null),
  ('GMD', 'Gambian Dalasi', 2, 'money', null, null),
  ('GNF', 'Guinean Franc', 0, 'money', null, null),
  ('GRD', 'Greek Drachma', 0, 'money', null, '2002-03-31'),
  ('GTQ', 'Guatemalan Quetzal', 2, 'money', null, null),
  ('GYD', 'Guyana Dollar', 2, 'money', null, null),
  ('HKD', 'Hong Kong Dollar', 2, 'money', null, null),
  ('HNL', 'Honduran Lempira', 2, 'money', null, null),
  ('HRK', 'Croatian Kuna', 2, 'money', null, '2022-12-31'),
  ('HTG', 'Haitian Gourde', 2, 'money', null, null),
  ('HUF', 'Hungarian Forint', 2, 'money', null, null),
  ('IDR', 'Indonesian Rupiah', 2, 'money', null, null),
  ('IEP', 'Irish Pound', 2, 'money', null, '2002-03-31'),
  ('ILS', 'New Israeli Shekel', 2, 'money', null, null),
  ('INR', 'Indian Rupee', 2, 'money', null, null),
  ('IQD', 'Iraqi Dinar', 3, 'money', null, null),
  ('IRR', 'Iranian Rial', 2, 'money', null, null),
  ('ISK', 'Iceland Krona', 0, 'money', null, null),
  ('ITL', 'Italian Lira', 0, 'money', null, '2002-03-31'),
  ('JMD', 'Jamaican Dollar', 2, 'money', null, null),
  ('JOD', 'Jordanian Dinar', 3, 'money', null, null),
  ('JPY', 'Japanese Yen', 0, 'money', null, null),
  ('KES', 'Kenyan Shilling', 2, 'money', null, null),
  ('KGS', 'Kyrgyz Som', 2, 'money', null, null),
  ('KHR', 'Cambodian Riel', 2, 'money', null, null),
  ('KMF', 'Comorian Franc', 0, 'money', null, null),
  ('KPW', 'North Korean Won', 2, 'money', null, null),
  ('KRW', 'South Korean Won', 0, 'money', null, null),
  ('KWD', 'Kuwaiti Dinar', 3, 'money', null, null),
  ('KYD', 'Cayman Islands Dollar', 2, 'money', null, null),
  ('KZT', 'Kazakh Tenge', 2, 'money', null, null),
  ('LAK', 'Lao Kip', 2, 'money', null, null),
  ('LBP', 'Lebanese Pound', 2, 'money', null, null),
  ('LKR', 'Sri Lanka Rupee', 2, 'money', null, null),
  ('LRD', 'Liberian Dollar', 2, 'money', null, null),
  ('LSL', 'Lesotho Loti', 2, 'money', null, null),
  ('LTL', 'Lithuanian Litas', 2, 'money', null, '2015-01-15'),
  ('LUF', 'Luxembourg Franc', 0, 'money', null, '2002-03-31'),
  ('LVL', 'Latvian Lats', 2, 'money', null, '2014-01-31'),
  ('LYD', 'Libyan Dinar', 3, 'money', null, null),
  ('MAD', 'Moroccan Dirham', 2, 'money', null, null),
  ('MDL', 'Moldovan Leu', 2, 'money', null, null),
  ('MGA', 'Malagasy Ariary', 2, 'money', '2003-07-31', null),
  ('MGF', 'Malagasy Franc', 0, 'money', null, '2004-12-31'),
  ('MKD', 'Macedonian Denar', 2, 'money', null, null),
  ('MMK', 'Myanmar Kyat', 2, 'money', null, null),
  ('MNT', 'Mongolian Tugrik', 2, 'money', null, null),
  ('MOP', 'Macao Pataca', 2, 'money', null, null),
  ('MRO', 'Old Mauritanian Ouguiya', 2, 'money', null, '2018-06-30'),
  ('MRU', 'Mauritanian Ouguiya', 2, 'money', '2018-01-01', null),
  ('MTL', 'Maltese Lira', 2, 'money', null, '2008-01-31'),
  ('MUR', 'Mauritius Rupee', 2, 'money', null, null),
  ('MVR', 'Maldivian Rufiyaa', 2, 'money', null, null),
  ('MWK', 'Malawi Kwacha', 2, 'money', null, null),
  ('MXN', 'Mexican Peso', 2, 'money', null, null),
  ('MXV', 'Mexican Unidad de Inversion', 2, 'fund', null, null),
  ('MYR', 'Malaysian Ringgit', 2, 'money', null, null),
  ('MZM', 'Old Mozambique Metical', 2, 'money', null, '2006-12-31'),
  ('MZN', 'Mozambique Metical', 2, 'money', '2006-07-01', null),
  ('NAD', 'Namibia Dollar', 2, 'money', null, null),
  ('NGN', 'Nigerian Naira', 2, 'money', null, null),
  ('NIO', 'Nicaraguan Cordoba Oro', 2, 'money', null, null),
  ('NLG', 'Netherlands Guilder', 2, 'money', null, '2002-03-31'),
  ('NOK', 'Norwegian Krone', 2, 'money', null, null),
  ('NPR', 'Nepalese Rupee', 2, 'money', null, null),
  ('NZD', 'New Zealand Dollar', 2, 'money', null, null),
  ('OMR', 'Omani Rial', 3, 'money', null, null),
  ('PAB', 'Panamanian Balboa', 2, 'money', null, null),
  ('PEN', 'Peruvian Sol', 2, 'money', null, null),
  ('PGK', 'Papua New Guinean Kina', 2, 'money', null, null),
  ('PHP', 'Philippine Peso', 2, 'money', null, null),
  ('PKR', 'Pakistan Rupee', 2, 'money', null, null),
  ('PLN', 'Polish Zloty', 2, 'money', null, null),
  ('PTE', 'Portuguese Escudo', 0, 'money', null, '2002-03-31'),
  ('PYG', 'Paraguayan Guarani', 0, 'money', null, null),
  ('QAR', 'Qatari Rial', 2, 'money', null, null),
  ('ROL', 'Old Romanian Leu', 2, 'money', null, '2006-12-31'),
  ('RON', 'Romanian Leu', 2, 'money', '2005-07-01', null),
  ('RSD', 'Serbian Dinar', 2, 'money', '2006-10-25', null),
  ('RUB', 'Russian Ruble', 2, 'money', null, null),
  ('RUR', 'Old Russian Ruble', 2, 'money', null, '2004-01-31'),
  ('RWF', 'Rwanda Franc', 0, 'money', null, null),
  ('SAR', 'Saudi Riyal', 2, 'money', null, null),
  ('SBD', 'Solomon Islands Dollar', 2, 'money', null, null),
  ('SCR', 'Seychelles Rupee', 2, 'money', null, null),
  ('SDD', 'Sudanese Dinar', 2, 'money', null, '2007-07-31'),
  ('SDG', 'Sudanese Pound', 2, 'money', '2007-01-10', null),
  ('SEK', 'Swedish Krona', 2, 'money', null, null),
  ('SGD', 'Singapore Dollar', 2, 'money', null, null),
  ('SHP', 'Saint Helena Pound', 2, 'money', null, null),
  ('SIT', 'Slovenian Tolar', 2, 'money', null, '2007-01-31'),
  ('SKK', 'Slovak Koruna', 2, 'money', null, '2009-01-31'),
  ('SLE', 'Sierra Leonean Leone', 2, 'money', '2022-04-01', null),
  ('SLL', 'Old Sierra Leonean Leone', 2, 'money', null, '2023-12-31'),
  ('SOS', 'Somali Shilling', 2, 'money', null, null),
  ('SRD', 'Surinam Dollar', 2, 'money', '2004-01-01', null),
  ('SRG', 'Surinam Guilder', 2, 'money', null, '2003-12-31'),
  ('SSP', 'South Sudanese Pound', 2, 'money', '2011-07-18', null),
  ('STD', 'Old Sao Tome Dobra', 2, 'money', null, '2018-06-30'),
  ('STN', 'Sao Tome Dobra', 2, 'money', '2018-01-01', null),
  ('SVC', 'El Salvador Colon', 2, 'money', null, null),
  ('SYP', 'Syrian Pound', 2, 'money', null, null),
  ('SZL', 'Swazi Lilangeni', 2, 'money', null, null),
  ('THB', 'Thai Baht', 2, 'money', null, null),
  ('TJR', 'Tajik Ruble', null, 'money', null, '2001-04-30'),
  ('TJS', 'Tajik Somoni', 2, 'money', '2000-10-26', null),
  ('TMM', 'Old Turkmenistan Manat', 2, 'money', null, '2009-12-31'),
  ('TMT', 'Turkmenistan Manat', 2, 'money', '2009-01-01', null),
  ('TND', 'Tunisian Dinar', 3, 'money', null, null),
  ('TOP', 'Tongan Pa’anga', 2, 'money', null, null),
  ('TPE', 'Timor Escudo', 0, 'money', null, '2002-11-30'),
  ('TRL', 'Old Turkish Lira', 0, 'money', null, '2005-12-31'),
  ('TRY', 'Turkish Lira', 2, 'money', '2005-01-01', null),
  ('TTD', 'Trinidad and Tobago Dollar', 2, 'money', null, null),
  ('TWD', 'New Taiwan Dollar', 2, 'money', null, null),
  ('TZS', 'Tanzanian Shilling', 2, 'money', null, null),
  ('UAH', 'Ukrainian Hryvnia', 2, 'money', null, null),
  ('UGX', 'Uganda Shilling', 0, 'money', null, null),
  ('USD', 'US Dollar', 2, 'money', null, null),
  ('USN', 'US Dollar (next day)', 2, 'fund', null, null),
  ('USS', 'US Dollar (same day)', 2, 'fund', null, '2014-03-31'),
  ('UYI', 'Uruguayan Unidad Indexada', 0, 'fund', '2006-01-01', null),
  ('UYU', 'Uruguayan Peso', 2, 'money', null, null),
  ('UYW', 'Uruguayan Unidad Previsional', 4, 'fund', '2018-08-29', null),
  ('UZS', 'Uzbekistan Sum', 2, 'money', null, null),
  ('VEB', 'Venezuelan Bolívar (until 2008)', 2, 'money', null, '2008-06-30'),
  ('VED', 'Venezuelan Bolívar Digital', 2, 'money', '2021-10-01', null),
  ('VEF', 'Venezuelan Bolívar Fuerte', 2, 'money', '2008-01-01', '2018-08-31'),
  ('VES', 'Venezuelan Bolívar Soberano', 2, 'money', '2018-08-20', null),
  ('VND', 'Vietnamese Dong', 0, 'money', null, null),
  ('VUV', 'Vanuatu Vatu', 0, 'money', null, null),
  ('WST', 'Samoan Tala', 2, 'money', null, null),
  ('XAD', 'Arab Accounting Dinar', 2, 'fund', '2025-05-12', null),
  ('XAF', 'CFA Franc BEAC', 0, 'money', null, null),
  ('XAG', 'Silver', null, 'metal', null, null),
  ('XAU', 'Gold', null, 'metal', null, null),
  ('XBA', 'European Composite Unit (EURCO)', null, 'account_unit', null, null),
  ('XBB', 'European Monetary Unit (E.M.U.-6)', null, 'account_unit', null, null),
  ('XBC', 'European Unit of Account 9 (E.U.A.-9)', null, 'account_unit', null, null),
  ('XBD', 'European Unit of Account 17 (E.U.A.-17)', null, 'account_unit', null, null),
  ('XCD', 'East Caribbean Dollar', 2, 'money', null, null),
  ('XCG', 'Caribbean Guilder', 2, 'money', '2025-03-31', null),
  ('XDR', 'Special Drawing Right', null, 'account_unit', null, null),
  ('XFO', 'Gold Franc', null, 'account_unit', null, '2006-10-31'),
  ('XFU', 'UIC Franc', null, 'account_unit', null, '2013-11-30'),
  ('XOF', 'CFA Franc BCEAO', 0, 'money', null, null),
  ('XPD', 'Palladium', null, 'metal', null, null),
  ('XPF', 'CFP Franc', 0, 'money', null, null),
  ('XPT', 'Platinum', null, 'metal', null, null),
  ('XSU', 'Sucre', null, 'account_unit', '2009-01-01', null),
  ('XTS', 'Reserved for Testing', null, 'test', null, null),
  ('XUA', 'ADB Unit of Account', null, 'account_unit', '2010-01-01', null),
  ('XXX', 'No Currency', null, 'no_currency', null, null),
  ('YER', 'Yemeni Rial', 2, 'money', null, null),
  ('YUM', 'Yugoslavian New Dinar', 2, 'money', null, '2003-07-31'),
  ('ZAR', 'South African Rand', 2, 'money', null, null),
  ('ZMK', 'Old Zambian Kwacha', 2, 'money', null, '2013-06-30'),
  ('ZMW', 'Zambian Kwacha', 2, 'money', '2013-01-01', null),
  ('ZWD', 'Zimbabwe Dollar (until 2008)', 2, 'money', null, '2008-08-31'),
  ('ZWG', 'Zimbabwe Gold', 2, 'money', '2024-06-25', null),
  ('ZWL', 'Zimbabwe Dollar (2009 to 2024)', 2, 'money', '2009-02-02', '2024-08-31'),
  ('ZWN', 'Zimbabwe Dollar (2006)', 2, 'money', '2006-08-01', '2006-09-30'),
  ('ZWR', 'Zimbabwe Dollar (2008 to 2009)', 2, 'money', '2008-08-01', '2009-06-30');

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

-- The vendor's code tables, so that reports can show names beside codes. Facts have no foreign key to them: an unknown
-- code is data, and views show its name as NULL.

create table game.launching_status (
  code bigint primary key,
  name text collate "C" not null unique,
  is_playable boolean not null,
  description text not null
);
comment on table game.launching_status is
  'One row per launching status, the state of the service that a client was told. Source: NHN Cloud documents "Gamebase iOS SDK: Initialization" and "Gamebase iOS SDK: ETC"; only the first one lists 203, 204 and 205. Loaded by: the migration create_reference_data.';
comment on column game.launching_status.code is 'Code of the status. Joins to code of observerLaunching events.';
comment on column game.launching_status.name is 'The vendor''s name of the constant.';
comment on column game.launching_status.is_playable is
  'True for the codes 200 to 299, with which a client may enter the game.';
comment on column game.launching_status.description is 'Meaning of the status.';
insert into game.launching_status (code, name, is_playable, description)
values
  (200, 'IN_SERVICE', true, 'The service runs normally.'),
  (201, 'RECOMMEND_UPDATE', true, 'The service runs; an update of the client is recommended.'),
  (202, 'IN_SERVICE_BY_QA_WHITE_LIST', true, 'Maintenance is under way, but this device is on the QA white list and may play.'),
  (203, 'IN_TEST', true, 'The client version is being tested.'),
  (204, 'IN_REVIEW', true, 'The client version is in review by the store.'),
  (205, 'IN_BETA', true, 'The client version belongs to the beta server.'),
  (300, 'REQUIRE_UPDATE', false, 'The client must be updated before it can play.'),
  (301, 'BLOCKED_USER', false, 'Access is blocked for this user.'),
  (302, 'TERMINATED_SERVICE', false, 'The service has ended.'),
  (303, 'INSPECTING_SERVICE', false, 'The game is under maintenance.'),
  (304, 'INSPECTING_ALL_SERVICES', false, 'All services are under maintenance.'),
  (500, 'INTERNAL_SERVER_ERROR', false, 'The launching server failed.');

create table game.event_category (
  category text collate "C" primary key,
  event_group text collate "C" not null,
  constant_name text collate "C" unique,
  description text not null
);
comment on table game.event_category is
  'One row per known category of Gamebase event messages. Source: NHN Cloud document "Gamebase iOS SDK: ETC", section Gamebase Event Handler, for the constants; the Unity SDK (GamebaseEventCategory) for the values. Loaded by: the migration create_reference_data.';
comment on column game.event_category.category is 'The category as events have it. Joins to category of events.';
comment on column game.event_category.event_group is
  'purchase, push, server_push, observer, idp_revoked or logged_out.';
comment on column game.event_category.constant_name is
  'Name of the constant in the iOS SDK; NULL for the two categories that only Unity''s standalone clients send.';
comment on column game.event_category.description is 'Cause of the event.';
insert into game.event_category (category, event_group, constant_name, description)
values
  ('idPRevoked', 'idp_revoked', 'kTCGBIdPRevoked', 'An identity provider has removed the service from a user''s account.'),
  ('loggedOut', 'logged_out', 'kTCGBLoggedOut', 'The access token has expired, and the user must log in again.'),
  ('observerHeartbeat', 'observer', 'kTCGBObserverHeartbeat', 'The state of the user''s account has changed, by a withdrawal or a ban.'),
  ('observerIntrospect', 'observer', null, 'A check of the access token has failed; only of Unity''s standalone clients.'),
  ('observerLaunching', 'observer', 'kTCGBObserverLaunching', 'The launching status has changed, such as at the start of maintenance.'),
  ('observerNetwork', 'observer', 'kTCGBObserverNetwork', 'The network connection has changed.'),
  ('observerWebview', 'observer', null, 'A message of the web view; only of Unity''s standalone clients.'),
  ('purchaseUpdated', 'purchase', 'kTCGBPurchaseUpdated', 'A purchase was completed outside of the purchase flow, such as a promotion or a delayed payment.'),
  ('pushClickAction', 'push', 'kTCGBPushClickAction', 'A user has pressed a button of a push message.'),
  ('pushClickMessage', 'push', 'kTCGBPushClickMessage', 'A user has clicked a push message.'),
  ('pushReceivedMessage', 'push', 'kTCGBPushReceivedMessage', 'A push message has arrived.'),
  ('serverPushAppKickout', 'server_push', 'kTCGBServerPushAppKickout', 'A user has closed the popup of a kick-out from the console.'),
  ('serverPushAppKickoutMessageReceived', 'server_push', 'kTCGBServerPushAppKickoutMessageReceived', 'The message of a kick-out from the console has arrived.'),
  ('serverPushTransferKickout', 'server_push', 'kTCGBServerPushTransferKickout', 'A guest account was transferred to another device, and this one was logged out.');

create table game.error_code (
  code bigint,
  name text collate "C",
  family text collate "C" not null,
  primary key (code, name)
);
comment on table game.error_code is
  'One row per error code and meaning. Two codes have two meanings: 999 was UNKNOWN_ERROR in SDKs before 2.33.0 and is SOCKET_UNKNOWN_ERROR since; 9999 is UNKNOWN_ERROR in SDKs since 2.33.0, and an unknown error of the server of in-app purchases. Source: NHN Cloud documents "Gamebase: Error Code" and "IAP: Error Codes", and the release notes of 2.33.0. Loaded by: the migration create_reference_data.';
comment on column game.error_code.code is
  'The code. Joins to code of observerHeartbeat events; a code with two meanings joins to two rows.';
comment on column game.error_code.name is
  'The vendor''s name of the constant, without the prefix TCGB_ERROR_ of iOS. The vendor only describes the codes of family IAP, so those names are of this project.';
comment on column game.error_code.family is
  'The heading in the vendor''s list of error codes. The list lacks UNKNOWN_ERROR (9999), which stands under Common here.';
insert into game.error_code (code, name, family)
values
  (1, 'NOT_INITIALIZED', 'Common'),
  (2, 'NOT_LOGGED_IN', 'Common'),
  (3, 'INVALID_PARAMETER', 'Common'),
  (4, 'INVALID_JSON_FORMAT', 'Common'),
  (5, 'USER_PERMISSION', 'Common'),
  (6, 'INVALID_MEMBER', 'Common'),
  (7, 'BANNED_MEMBER', 'Common'),
  (8, 'SAME_REQUESTOR', 'TransferAccount'),
  (9, 'NOT_GUEST_OR_HAS_OTHERS', 'TransferAccount'),
  (10, 'NOT_SUPPORTED', 'Common'),
  (11, 'NOT_SUPPORTED_ANDROID', 'Common'),
  (12, 'NOT_SUPPORTED_IOS', 'Common'),
  (13, 'NOT_SUPPORTED_UNITY_EDITOR', 'Common'),
  (14, 'NOT_SUPPORTED_UNITY_STANDALONE', 'Common'),
  (15, 'NOT_SUPPORTED_UNITY_WEBGL', 'Common'),
  (31, 'ANDROID_ACTIVITY_DESTROYED', 'Common'),
  (32, 'ANDROID_ACTIVEAPP_NOT_CALLED', 'Common'),
  (51, 'IOS_GAMECENTER_DENIED', 'Common'),
  (52, 'IOS_CANNOT_OPEN_URL', 'Common'),
  (101, 'SOCKET_RESPONSE_TIMEOUT', 'Network(Socket)'),
  (110, 'SOCKET_ERROR', 'Network(Socket)'),
  (999, 'SOCKET_UNKNOWN_ERROR', 'Network(Socket)'),
  (999, 'UNKNOWN_ERROR', 'Network(Socket)'),
  (1100, 'IAP_INVALID_PARAMETERS', 'IAP'),
  (2001, 'LAUNCHING_SERVER_ERROR', 'Launching'),
  (2002, 'LAUNCHING_NOT_EXIST_CLIENT_ID', 'Launching'),
  (2003, 'LAUNCHING_UNREGISTERED_APP', 'Launching'),
  (2004, 'LAUNCHING_UNREGISTERED_CLIENT', 'Launching'),
  (3001, 'AUTH_USER_CANCELED', 'Auth'),
  (3002, 'AUTH_NOT_SUPPORTED_PROVIDER', 'Auth'),
  (3003, 'AUTH_NOT_EXIST_MEMBER', 'Auth'),
  (3006, 'AUTH_EXTERNAL_LIBRARY_INITIALIZATION_ERROR', 'Auth'),
  (3009, 'AUTH_EXTERNAL_LIBRARY_ERROR', 'Auth'),
  (3010, 'AUTH_ALREADY_IN_PROGRESS_ERROR', 'Auth'),
  (3011, 'AUTH_INVALID_GAMEBASE_TOKEN', 'Auth'),
  (3012, 'AUTH_AUTHENTICATION_SERVER_ERROR', 'Auth'),
  (3041, 'AUTH_TRANSFERACCOUNT_EXPIRED', 'TransferAccount'),
  (3042, 'AUTH_TRANSFERACCOUNT_BLOCK', 'TransferAccount'),
  (3043, 'AUTH_TRANSFERACCOUNT_INVALID_ID', 'TransferAccount'),
  (3044, 'AUTH_TRANSFERACCOUNT_INVALID_PASSWORD', 'TransferAccount'),
  (3045, 'AUTH_TRANSFERACCOUNT_CONSOLE_NO_CONDITION', 'TransferAccount'),
  (3046, 'AUTH_TRANSFERACCOUNT_NOT_EXIST', 'TransferAccount'),
  (3047, 'AUTH_TRANSFERACCOUNT_ALREADY_EXIST_ID', 'TransferAccount'),
  (3048, 'AUTH_TRANSFERACCOUNT_ALREADY_USED', 'TransferAccount'),
  (3101, 'AUTH_TOKEN_LOGIN_FAILED', 'Auth (Login)'),
  (3102, 'AUTH_TOKEN_LOGIN_INVALID_TOKEN_INFO', 'Auth (Login)'),
  (3103, 'AUTH_TOKEN_LOGIN_INVALID_LAST_LOGGED_IN_IDP', 'Auth (Login)'),
  (3201, 'AUTH_IDP_LOGIN_FAILED', 'IDP Login'),
  (3202, 'AUTH_IDP_LOGIN_INVALID_IDP_INFO', 'IDP Login'),
  (3203, 'AUTH_IDP_LOGIN_EXTERNAL_AUTHENTICATION_REQUIRED', 'IDP Login'),
  (3301, 'AUTH_ADD_MAPPING_FAILED', 'Add Mapping'),
  (3302, 'AUTH_ADD_MAPPING_ALREADY_MAPPED_TO_OTHER_MEMBER', 'Add Mapping'),
  (3303, 'AUTH_ADD_MAPPING_ALREADY_HAS_SAME_IDP', 'Add Mapping'),
  (3304, 'AUTH_ADD_MAPPING_INVALID_IDP_INFO', 'Add Mapping'),
  (3305, 'AUTH_ADD_MAPPING_CANNOT_ADD_GUEST_IDP', 'Add Mapping'),
  (3311, 'AUTH_ADD_MAPPING_FORCIBLY_NOT_EXIST_KEY', 'Add Mapping Forcibly'),
  (3312, 'AUTH_ADD_MAPPING_FORCIBLY_ALREADY_USED_KEY', 'Add Mapping Forcibly'),
  (3313, 'AUTH_ADD_MAPPING_FORCIBLY_EXPIRED_KEY', 'Add Mapping Forcibly'),
  (3314, 'AUTH_ADD_MAPPING_FORCIBLY_DIFFERENT_IDP', 'Add Mapping Forcibly'),
  (3315, 'AUTH_ADD_MAPPING_FORCIBLY_DIFFERENT_AUTHKEY', 'Add Mapping Forcibly'),
  (3401, 'AUTH_REMOVE_MAPPING_FAILED', 'Remove Mapping'),
  (3402, 'AUTH_REMOVE_MAPPING_LAST_MAPPED_IDP', 'Remove Mapping'),
  (3403, 'AUTH_REMOVE_MAPPING_LOGGED_IN_IDP', 'Remove Mapping'),
  (3501, 'AUTH_LOGOUT_FAILED', 'Logout'),
  (3601, 'AUTH_WITHDRAW_FAILED', 'Withdrawal'),
  (3602, 'AUTH_WITHDRAW_ALREADY_TEMPORARY_WITHDRAW', 'Withdrawal'),
  (3603, 'AUTH_WITHDRAW_NOT_TEMPORARY_WITHDRAW', 'Withdrawal'),
  (3701, 'AUTH_NOT_PLAYABLE', 'Not Playable'),
  (3999, 'AUTH_UNKNOWN_ERROR', 'Auth(Unknown)'),
  (4001, 'PURCHASE_NOT_INITIALIZED', 'Purchase'),
  (4002, 'PURCHASE_USER_CANCELED', 'Purchase'),
  (4003, 'PURCHASE_NOT_FINISHED_PREVIOUS_PURCHASING', 'Purchase'),
  (4004, 'PURCHASE_NOT_ENOUGH_CASH', 'Purchase'),
  (4005, 'PURCHASE_INACTIVE_PRODUCT_ID', 'Purchase'),
  (4006, 'PURCHASE_NOT_EXIST_PRODUCT_ID', 'Purchase'),
  (4007, 'PURCHASE_LIMIT_EXCEEDED', 'Purchase'),
  (4008, 'PURCHASE_PENDING', 'Purchase'),
  (4010, 'PURCHASE_NOT_SUPPORTED_MARKET', 'Purchase'),
  (4201, 'PURCHASE_EXTERNAL_LIBRARY_ERROR', 'Purchase'),
  (4999, 'PURCHASE_UNKNOWN_ERROR', 'Purchase'),
  (5000, 'IAP_CONSUME_FAILED', 'IAP'),
  (5018, 'IAP_ALREADY_CONSUMED', 'IAP'),
  (5032, 'IAP_INVALID_JSON_TYPE', 'IAP'),
  (5101, 'PUSH_EXTERNAL_LIBRARY_ERROR', 'Push'),
  (5102, 'PUSH_ALREADY_IN_PROGRESS_ERROR', 'Push'),
  (5999, 'PUSH_UNKNOWN_ERROR', 'Push'),
  (6901, 'UI_IMAGE_NOTICE_TIMEOUT', 'UI'),
  (6902, 'UI_IMAGE_NOTICE_NOT_SUPPORTED_OS', 'UI'),
  (6911, 'UI_CONTACT_FAIL_INVALID_URL', 'UI'),
  (6912, 'UI_CONTACT_FAIL_ISSUE_SHORT_TERM_TICKET', 'UI'),
  (6921, 'UI_TERMS_NOT_EXIST_IN_CONSOLE', 'UI'),
  (6922, 'UI_TERMS_NOT_EXIST_FOR_DEVICE_COUNTRY', 'UI'),
  (6923, 'UI_TERMS_UNREGISTERED_SEQ', 'UI'),
  (6924, 'UI_TERMS_ALREADY_IN_PROGRESS_ERROR', 'UI'),
  (6925, 'UI_TERMS_ANDROID_DUPLICATED_VIEW', 'UI'),
  (6941, 'UI_GAME_NOTICE_FAIL_INVALID_URL', 'UI'),
  (6942, 'UI_GAME_NOTICE_ANDROID_DUPLICATED_VIEW', 'UI'),
  (6999, 'UI_UNKNOWN_ERROR', 'UI'),
  (7001, 'WEBVIEW_INVALID_URL', 'WebView'),
  (7002, 'WEBVIEW_TIMEOUT', 'WebView'),
  (7003, 'WEBVIEW_HTTP_ERROR', 'WebView'),
  (7004, 'WEBVIEW_OPENED_NEW_BROWSER_BEFORE_CLOSE', 'WebView'),
  (7999, 'WEBVIEW_UNKNOWN_ERROR', 'WebView'),
  (8001, 'SERVER_INTERNAL_ERROR', 'Server'),
  (8002, 'SERVER_REMOTE_SYSTEM_ERROR', 'Server'),
  (8003, 'SERVER_INVALID_RESPONSE', 'Server'),
  (8999, 'SERVER_UNKNOWN_ERROR', 'Server'),
  (9999, 'IAP_UNKNOWN_ERROR', 'IAP'),
  (9999, 'UNKNOWN_ERROR', 'Common');

create table game.network_status (
  platform text collate "C" check (platform in ('ios', 'android_unity')),
  code bigint,
  name text collate "C" not null,
  primary key (platform, code)
);
comment on table game.network_status is
  'One row per platform and status of the network. Source: NHN Cloud documents "Gamebase iOS SDK: ETC", section Observer, and the Unity SDK (GamebaseNetworkType). Loaded by: the migration create_reference_data.';
comment on column game.network_status.platform is 'ios or android_unity. Events do not name their platform.';
comment on column game.network_status.code is
  'Code of the status on the platform. Joins to code of observerNetwork events.';
comment on column game.network_status.name is
  'The vendor''s name of the constant: no network, mobile network, Wi-Fi, any other network, or not determined yet.';
insert into game.network_status (platform, code, name)
values
  ('android_unity', -1, 'TYPE_NOT'),
  ('android_unity', 0, 'TYPE_MOBILE'),
  ('android_unity', 1, 'TYPE_WIFI'),
  ('android_unity', 2, 'TYPE_ANY'),
  ('ios', -100, 'ReachabilityIsNotDefined'),
  ('ios', -1, 'NotReachable'),
  ('ios', 0, 'ReachableViaWWAN'),
  ('ios', 1, 'ReachableViaWifi');

create table game.idp_revoked_code (
  code bigint primary key,
  name text collate "C" not null unique,
  description text not null
);
comment on table game.idp_revoked_code is
  'One row per code of a revocation by an identity provider. Source: NHN Cloud document "Gamebase iOS SDK: ETC", section IdP Revoked. Loaded by: the migration create_reference_data.';
comment on column game.idp_revoked_code.code is 'Code of the revocation. Joins to code of idPRevoked events.';
comment on column game.idp_revoked_code.name is 'The vendor''s name of the constant, without the prefix IDP_REVOKED_.';
comment on column game.idp_revoked_code.description is 'Situation of the user, and the step that the vendor expects.';
insert into game.idp_revoked_code (code, name, description)
values
  (600, 'WITHDRAW', 'The user was logged in by the removed identity provider and has no other; the account should be withdrawn.'),
  (601, 'OVERWRITE_LOGIN_AND_REMOVE_MAPPING', 'The user was logged in by the removed identity provider and has others; the user should log in by one of them, and the mapping should be removed.'),
  (602, 'REMOVE_MAPPING', 'The user has a mapping to the removed identity provider, which should be removed.');

create table game.display_language (
  code text collate "C" primary key,
  name text not null,
  is_gamebase boolean not null,
  is_hive boolean not null,
  check (is_gamebase or is_hive)
);
comment on table game.display_language is
  'One row per code of a language in which the vendor shows texts. Source: NHN Cloud document "Gamebase iOS SDK: ETC", section Display Language, and Hive SDK document "Advanced Notification Features", example of hive_push_actions.json. Loaded by: the migration create_reference_data.';
comment on column game.display_language.code is
  'Code of the language; upper and lower case are different. Joins to game.push_action_title.language.';
comment on column game.display_language.name is 'English name.';
comment on column game.display_language.is_gamebase is 'True for a display language of Gamebase.';
comment on column game.display_language.is_hive is 'True for a language of Hive''s push buttons.';
insert into game.display_language (code, name, is_gamebase, is_hive)
values
  ('ar', 'Arabic', false, true),
  ('de', 'German', true, true),
  ('en', 'English', true, true),
  ('es', 'Spanish', true, true),
  ('fi', 'Finnish', true, false),
  ('fr', 'French', true, true),
  ('id', 'Indonesian', true, true),
  ('it', 'Italian', true, true),
  ('ja', 'Japanese', true, true),
  ('ko', 'Korean', true, true),
  ('ms', 'Malay', true, false),
  ('pt', 'Portuguese', true, true),
  ('ru', 'Russian', true, true),
  ('th', 'Thai', true, true),
  ('tr', 'Turkish', false, true),
  ('vi', 'Vietnamese', true, true),
  ('zh-CN', 'Chinese-Simplified', true, false),
  ('zh-Hans', 'Chinese-Simplified', false, true),
  ('zh-Hant', 'Chinese-Traditional', false, true),
  ('zh-TW', 'Chinese-Traditional', true, false);

create table game.store (
  store_code text collate "C" primary key,
  name text not null
);
comment on table game.store is
  'One row per known code of a store. Source: NHN Cloud document "Gamebase: API Guide" (GG to STEAM), the Unity SDK (GamebaseStoreCode: TS, REDBEANCC, WIN, MAC, WEB) and older documents (ONGATE). Loaded by: the migration create_reference_data.';
comment on column game.store.store_code is
  'Code of the store. Joins to store_code of receipts and items, which also have codes that are not in this table.';
comment on column game.store.name is 'Usual name of the store.';
insert into game.store (store_code, name)
values
  ('AMAZON', 'Amazon Appstore'),
  ('AS', 'App Store'),
  ('EPIC', 'Epic Games Store'),
  ('GALAXY', 'Galaxy Store'),
  ('GG', 'Google Play'),
  ('HUAWEI', 'HUAWEI AppGallery'),
  ('MAC', 'macOS'),
  ('MYCARD', 'MyCard'),
  ('ONESTORE', 'ONE store'),
  ('ONGATE', 'ONGATE'),
  ('REDBEANCC', 'REDBEANCC (China)'),
  ('STEAM', 'Steam'),
  ('TS', 'T store'),
  ('WEB', 'Web'),
  ('WIN', 'Windows');

create table game.identity_provider (
  idp_type text collate "C" primary key,
  name text not null
);
comment on table game.identity_provider is
  'One row per known identity provider. Source: NHN Cloud document "Gamebase: API Guide". Loaded by: the migration create_reference_data.';
comment on column game.identity_provider.idp_type is
  'The vendor''s code of the provider. Joins to idp_type of idPRevoked events.';
comment on column game.identity_provider.name is 'Usual name of the provider.';
insert into game.identity_provider (idp_type, name)
values
  ('appleid', 'Apple'),
  ('facebook', 'Facebook'),
  ('google', 'Google'),
  ('guest', 'Guest'),
  ('hangame', 'Hangame'),
  ('iosgamecenter', 'Game Center'),
  ('kakaogame', 'Kakao Games'),
  ('line', 'LINE'),
  ('naver', 'NAVER'),
  ('payco', 'PAYCO'),
  ('twitter', 'Twitter'),
  ('weibo', 'Weibo');

-- The buttons of an app's push messages, as the app's hive_push_actions.json defines them.
create table ingest.reference_file (
  reference_file_id bigint generated always as identity primary key,
  kind text collate "C" not null check (kind in ('push-actions')),
  app_id text collate "C" not null,
  path text not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  byte_count bigint not null check (byte_count >= 0),
  loaded_at timestamptz not null default now(),
  loader_version text not null,
  database_user text not null default current_user
);
create index reference_file_newest on ingest.reference_file (kind, app_id, reference_file_id);
comment on table ingest.reference_file is
  'One row per loaded file of reference data. The newest row of a kind and application is the file whose content is stored. Written by: gamebase-ingest reference load push-actions.';
comment on column ingest.reference_file.reference_file_id is 'Number of the file; a later file has a larger one.';
comment on column ingest.reference_file.kind is 'The data of the file: push-actions.';
comment on column ingest.reference_file.app_id is
  'The application of the data; empty when neither --app-id nor the database''s setting named one.';
comment on column ingest.reference_file.path is 'The path as given.';
comment on column ingest.reference_file.sha256 is
  'SHA-256 of the decoded bytes. A file with the digest of the newest one changes nothing.';
comment on column ingest.reference_file.byte_count is 'Number of decoded bytes.';
comment on column ingest.reference_file.loaded_at is 'Time of the load, by the server''s clock.';
comment on column ingest.reference_file.loader_version is 'Version of the program.';
comment on column ingest.reference_file.database_user is 'The role of the load''s connection.';

create table game.push_action (
  app_id text collate "C",
  action text collate "C",
  primary key (app_id, action)
);
comment on table game.push_action is
  'One row per application and action, a button of push messages. Source: the application''s hive_push_actions.json (Hive SDK document "Advanced Notification Features"). Written by: gamebase-ingest reference load push-actions.';
comment on column game.push_action.app_id is
  'The application; empty when neither --app-id nor the database''s setting named one.';
comment on column game.push_action.action is 'Identifier of the action.';

create table game.push_action_title (
  app_id text collate "C",
  action text collate "C",
  language text collate "C",
  title text not null check (title <> ''),
  primary key (app_id, action, language),
  foreign key (app_id, action) references game.push_action
);
comment on table game.push_action_title is
  'One row per application, action and language with a title of the button. Source and writer: see game.push_action.';
comment on column game.push_action_title.app_id is 'The application; see game.push_action.';
comment on column game.push_action_title.action is 'Identifier of the action; see game.push_action.';
comment on column game.push_action_title.language is
  'Code of the language, as written in the file; see game.display_language. Every action has the language en.';
comment on column game.push_action_title.title is 'Title of the button, as written in the file.';

create table game.push_category_action (
  app_id text collate "C",
  category text collate "C",
  position integer check (position between 1 and 3),
  action text collate "C" not null,
  primary key (app_id, category, position),
  foreign key (app_id, action) references game.push_action
);
comment on table game.push_category_action is
  'One row per application, category and button: the set of buttons that a push message shows. Source and writer: see game.push_action.';
comment on column game.push_category_action.app_id is 'The application; see game.push_action.';
comment on column game.push_category_action.category is 'Identifier of the category.';
comment on column game.push_category_action.position is 'Place of the button, from 1 to 3.';
comment on column game.push_category_action.action is 'Identifier of the action; see game.push_action.';
