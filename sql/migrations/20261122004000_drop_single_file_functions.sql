-- Files are opened and closed several at a time: ingest.open_files, ingest.close_files.
drop function if exists ingest.open_file(
  bigint, text, text, text, timestamptz, timestamptz, text, text, text, bigint, integer, integer, bigint);
drop function if exists ingest.close_file(
  bigint, bytea, bigint, bigint, bigint, bigint, bigint, bigint, bigint);
