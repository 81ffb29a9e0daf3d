-- The loader looks each user up by the tombstone alone. A new database has no function yet.
alter table ingest.erased_user drop column user_filter;
do $$
begin
  if to_regprocedure('ingest.erase_user(text, text, bytea, bytea, bigint)') is not null then
    drop function ingest.erase_user(text, text, bytea, bytea, bigint);
  end if;
end
$$;
