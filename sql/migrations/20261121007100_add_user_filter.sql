-- 64 bits beside each tombstone, by which most that is no erased user is passed over without an HMAC.
alter table ingest.erased_user add column user_filter bigint;
comment on column ingest.erased_user.user_filter is
  'SipHash-2-4 of the user''s id under a key that is made from the key: decides nothing, saves asking. NULL: erased by an older version; then everybody is asked for by user_hmac.';

-- It has one parameter more now, in sql/functions.
drop function ingest.erase_user(text, text, bytea, bytea);
