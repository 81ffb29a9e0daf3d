-- The loader looks each user up by the tombstone alone.
alter table ingest.erased_user drop column user_filter;
drop function if exists ingest.erase_user(text, text, bytea, bytea, bigint);
