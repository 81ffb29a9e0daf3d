internal import Postgres

extension StatusListing {
  /// The streams with loaded files, as a JSON array.
  package func streamsJSON() throws -> String {
    try json(
      """
      select stream, count(*) as files, sum(inserted_count)::bigint as rows,
        sum(rejected_count)::bigint as rejected, sum(conflict_count)::bigint as conflicts,
        max(loaded_at) as last_loaded_at
      from ingest.source_file where undone_at is null group by stream order by stream
      """)
  }

  /// The last runs, newest first, as a JSON array.
  package func runsJSON() throws -> String {
    try json(
      """
      select l.load_id, l.started_at, l.finished_at, l.seen_at, l.exit_code,
        count(f.source_file_id) as files, coalesce(sum(f.line_count), 0)::bigint as lines,
        case when l.finished_at is not null then 'finished'
          when coalesce(l.seen_at, l.started_at)
            > clock_timestamp() - \(HeartbeatTiming.patience) * interval '1 second' then 'running'
          else 'killed' end as state
      from ingest.load l left join ingest.source_file f using (load_id)
      group by l.load_id order by l.load_id desc limit \(Self.listedRuns)
      """)
  }

  /// The time of the last refresh, and the number of files that it did not see, as a JSON object.
  package func reportsJSON() throws -> String {
    let array = try json(
      """
      select max(refreshed_at) as refreshed_at,
        (select count(*) from report.pending_file) as pending_files
      from rollup.refresh_state
      """)
    return String(array.dropFirst().dropLast())
  }

  /// The rows of a query as a JSON array of objects; times are RFC 3339 in UTC.
  private func json(_ query: String) throws -> String {
    // The server writes times in the zone of the session.
    try connection.execute("set local time zone 'UTC'")
    return try connection.onlyRow(
      of: String.self, "select coalesce(json_agg(q), '[]')::text from (\(query)) q")
  }
}
