package import Postgres

/// The verdicts on the feeds of a database, from `report.health`.
///
/// It reads only what the monitor role may read.
package struct HealthListing {
  private let connection: Connection

  /// - Parameter connection: in a transaction, so that its rows are of one moment.
  package init(on connection: Connection) { self.connection = connection }

  /// One entry per application and stream, in the order of both; those without an application last.
  ///
  /// - Parameter maxAges: limits that replace those of the settings. A limit of a stream goes before one
  ///   for all.
  package func feeds(maxAges: [MaxAge] = []) throws -> [FeedHealth] {
    let feeds = try connection.rows(
      of: FeedHealth.self,
      """
      select app_id, stream, verdict, reason, \(Self.time("newest_event_at")) as newest_event_at,
        hours_behind_now, max_hours_behind, \(Self.time("newest_loaded_at")) as newest_loaded_at,
        missing_day_count, open_failure_count, pending_file_count, set_aside_count,
        hours_without_news
      from report.health order by app_id collate "C", stream collate "C"
      """)
    return FeedHealth.judged(feeds, maxAges: maxAges)
  }

  /// The open failures, as JSON.
  package func openFailuresJSON() throws -> String {
    try connection.onlyRow(
      of: String.self,
      """
      select coalesce(json_agg(f order by f.last_failed_at desc, f.path), '[]')::text
        from (select stream, path, \(Self.time("first_failed_at")) as first_failed_at,
            \(Self.time("last_failed_at")) as last_failed_at, attempt_count, error_code, error
          from report.open_failure) f
      """)
  }

  /// The paths of the files with an open failure.
  package func openFailurePaths() throws -> [String] {
    try connection.rows(of: String.self, "select distinct path from report.open_failure")
  }

  /// The settings with a value, as a JSON object.
  package func settingsJSON() throws -> String {
    try connection.onlyRow(
      of: String.self,
      "select coalesce(json_object_agg(name, value order by name), '{}')::text from report.setting")
  }

  /// RFC 3339 in UTC.
  private static func time(_ column: String) -> String {
    "to_char(\(column) at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
  }
}
