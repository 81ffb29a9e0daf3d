-- The locks against grants and migrations, of all streams and of the refreshes are held until the caller's transaction
-- ends. So no load is running in any stream, the next load sees the tombstone, and the reports change with the facts.
create or replace function ingest.erase_user(
  p_user_id text, p_app_id text, p_user_hmac bytea, p_key_check bytea)
returns table (place text, trace_count bigint)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  registered ingest.stream;
  conflicts bigint[];
  fills bigint[];
  overlaid_rows bigint[];
  number text;
  outcome text;
  records bigint[];
  -- Keeps the counts of a file balanced with its rows; erased has one row for each erased line, or record within a line.
  -- Erased rows without a ledger entry are not counted.
  counted constant text := '
    erased as (%2$s), lines as (
      insert into ingest.erased_line (source_file_id, outcome, line_count)
        select source_file_id, %1$L, count(*) from erased join ingest.source_file using (source_file_id, stream)
          group by source_file_id
        on conflict (source_file_id, outcome)
          do update set line_count = erased_line.line_count + excluded.line_count
    ), records as (
      insert into ingest.erased_record (source_file_id, stream, outcome, record_count)
        select source_file_id, stream, %1$L, count(*) from erased join ingest.embedded_count using (source_file_id, stream)
          where %1$L <> ''rejected''
          group by source_file_id, stream
        on conflict (source_file_id, stream, outcome)
          do update set record_count = erased_record.record_count + excluded.record_count
    )';
begin
  if coalesce(p_user_id, '') = '' then
    raise exception 'user id must not be empty' using errcode = 'object_not_in_prerequisite_state';
  end if;
  -- Before all other locks, as a migration takes it.
  perform pg_advisory_xact_lock_shared(ingest.lock_key('migrate'));
  perform ingest.hold_stream(s.stream) from ingest.stream s order by s.stream;
  lock table rollup.refresh_lock in exclusive mode;
  -- A load writes the failure report of a file after it has released the stream's lock.
  perform pg_advisory_xact_lock(ingest.lock_key('erasures'));
  perform ingest.recover_commits(true);
  -- Under a new key the loader would never find the existing tombstones.
  if not exists (select 1 from ingest.erasure_key) and exists (select 1 from ingest.erased_user) then
    raise exception 'table ingest.erasure_key is empty, but ingest.erased_user is not'
      using errcode = 'object_not_in_prerequisite_state',
        hint = 'Restore the row of ingest.erasure_key from a backup of the database.';
  end if;
  insert into ingest.erasure_key (check_value) values (p_key_check) on conflict (is_current) do nothing;
  if (select check_value from ingest.erasure_key) <> p_key_check then
    raise exception 'erasure key differs from the key of earlier erasures'
      using errcode = 'object_not_in_prerequisite_state';
  end if;

  return query select * from ingest.empty_ownerless(p_is_dry => false);
  -- Before the rows are deleted, because they give the owner of the conflicts, fills and loaded values of a key.
  select coalesce(array_agg(r.number) filter (where r.place = 'ingest.conflict'), '{}'),
      coalesce(array_agg(r.number) filter (where r.place = 'ingest.fill'), '{}'),
      coalesce(array_agg(r.number) filter (where r.place = 'ingest.overlaid_row'), '{}')
    into conflicts, fills, overlaid_rows
    from ingest.records_of_user(p_user_id, p_app_id) r;
  -- In this order, events are deleted before the receipts by which they are found.
  for registered in select * from ingest.stream where has_user order by stream loop
    place := 'game.' || registered.target_table;
    execute format(
      'with gone as (
         delete from game.%I t where %s returning t.*
       ), noted as (%s), %s
       select count(*) from gone',
      registered.target_table, ingest.condition_of_user(registered.stream),
      rollup.note_statement(registered.stream, 'gone'),
      format(counted, 'inserted', format('select source_file_id, %L as stream from gone', registered.stream)))
      into trace_count using p_user_id, p_app_id;
    return next;
  end loop;

  -- A refused line that a replay has loaded counts under its new outcome instead. One without a known application is within
  -- every erasure of the user.
  place := 'ingest.reject';
  execute format(
    'with gone as (
       delete from ingest.reject where user_id = $1 and coalesce(app_id = $2, true)
         returning source_file_id, stream, resolved_at
     ), %s
     select count(*) from gone',
    format(counted, 'rejected', 'select source_file_id, stream from gone where resolved_at is null'))
    into trace_count using p_user_id, p_app_id;
  return next;

  place := 'ingest.failed_reject';
  delete from ingest.failed_reject where user_id = p_user_id and coalesce(app_id = p_app_id, true);
  get diagnostics trace_count = row_count;
  return next;

  -- Other users own the remaining rows with these accepted lines.
  delete from ingest.overlaid_row where overlaid_row_id = any (overlaid_rows);
  perform ingest.fold_lines(conflicts);
  for place, number, outcome, records in
    values ('ingest.conflict', 'conflict_id', 'conflict', conflicts), ('ingest.fill', 'fill_id', 'filled', fills)
  loop
    execute format(
      'with gone as (
         delete from %s where %I = any ($1) returning source_file_id, stream, line_number
       ), %s
       select count(*) from gone',
      place, number, format(counted, outcome, 'select distinct source_file_id, stream, line_number from gone'))
      into trace_count using records;
    return next;
  end loop;

  return query select 'ingest.overlaid_row', cardinality(overlaid_rows)::bigint;

  insert into ingest.erased_user (user_hmac, app_id) values (p_user_hmac, p_app_id)
    on conflict (user_hmac, app_id) do nothing;

  perform rollup.forget_user(p_user_id, p_app_id);
end
$$;
comment on function ingest.erase_user is
  'Deletes a user''s rows, refused lines, conflicts, fills and loaded values, writes a tombstone, removes the user from the reports, and returns the number of deleted rows by table. The first erasure also empties what has no owner.';
