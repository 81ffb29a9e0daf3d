-- Where a user was erased already, the lines in which no erasure could find a user lose their bytes, as those that come
-- later. ingest.empty_ownerless does so for the first erasure of other databases.
do $$
begin
  if exists (select from ingest.erased_user) then
    update ingest.reject r set raw = '' from ingest.stream s
      where s.stream = r.stream and (r.user_id is null or not s.has_user) and r.raw <> '';
    update ingest.failed_reject r set raw = '' from ingest.failed_file f join ingest.stream s using (stream)
      where f.failed_file_id = r.failed_file_id and (r.user_id is null or not s.has_user) and r.raw <> '';
    update game.item_snapshot set extra = null where extra is not null;
  end if;
end
$$;

comment on column ingest.reject.raw is
  'Bytes of the line, with purchase tokens replaced by their digests, cut at 64 KiB. Empty from the first erasure on for a line whose user cannot be read and for a line of a stream whose rows belong to no user.';
comment on column ingest.reject.raw_byte_count is
  'Length of the line in bytes, also of one that is cut or stored without its bytes.';
comment on column ingest.reject.user_id is
  'The user of the line; empty when the line has none and needs none, NULL when the loader could not read it or a replay suppressed the line.';
comment on column ingest.failed_reject.raw is
  'Bytes of the line, with purchase tokens replaced by their digests, cut at 4 KiB. Empty as in ingest.reject.raw.';
comment on column ingest.failed_reject.user_id is
  'The user of the line; empty when the line has none and needs none, NULL when the loader could not read it.';
comment on column game.item_snapshot.extra is
  'Members of the line without a column, as written, but with digests for secrets and U+FFFD for NULs and unpaired surrogates; NULL when there are none, and in all rows once a user was erased.';
