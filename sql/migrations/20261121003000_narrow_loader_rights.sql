-- What a load deletes and empties, it does through functions that run as their owner: so whoever
-- loads needs no right to delete, truncate or update a row of game.
--
-- A later migration that replaces staging.merge has to say "security definer" again; a test says so.
alter function staging.merge(text) security definer;
revoke execute on function staging.merge(text) from public;

create function ingest.clear_failures(p_path text, p_stream text, p_sha256 bytea) returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $$
  delete from ingest.failed_reject where failed_file_id in (
    select failed_file_id from ingest.failed_file
      where stream = p_stream and (path = p_path or sha256 = p_sha256));
  delete from ingest.failed_file where stream = p_stream and (path = p_path or sha256 = p_sha256);
$$;
revoke execute on function ingest.clear_failures(text, text, bytea) from public;
comment on function ingest.clear_failures(text, text, bytea) is
  'Forgets the failures of a file that has been loaded, or has failed anew: those of its path, and those of its bytes under any path.';
