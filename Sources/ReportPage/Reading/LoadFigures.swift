internal import Postgres

/// The refused lines, conflicts and new fields of the loads, of all applications.
package struct LoadFigures: Sendable {
  /// One day on which something was loaded or failed.
  package struct Day: Decodable, Sendable {
    package let day: String
    package let lineCount: Int
    package let rejectCount: Int
    package let conflictCount: Int
  }

  /// Refused lines of the days, by their cause.
  package struct Cause: Decodable, Sendable {
    package let stream: String?
    package let code: String
    package let field: String?
    package let rejectCount: Int
  }

  /// A member of lines that the loader has no column for.
  package struct NewField: Decodable, Sendable {
    package let stream: String
    /// Nil for names beyond the limit.
    package let field: String?
    package let lineCount: Int
    package let firstLoadedOn: String
    package let examplePath: String?
  }

  /// A file that failed and was neither loaded nor dismissed since.
  package struct OpenFailure: Decodable, Sendable {
    package let stream: String?
    package let path: String
    package let lastFailedAt: String
    package let error: String
  }

  /// Oldest first, at most 30.
  package let days: [Day]
  /// The most frequent first, at most 12.
  package let causes: [Cause]
  /// The newest first, at most 20.
  package let newFields: [NewField]
  /// The newest first, at most 20.
  package let failures: [OpenFailure]

  init(zone: String, from connection: Connection) throws {
    days = try connection.rows(
      of: Day.self,
      """
      select loaded_on as day, sum(line_count)::bigint as line_count,
        sum(reject_count)::bigint as reject_count, sum(conflict_count)::bigint as conflict_count
      from report.quality_by_day
      group by loaded_on
      order by loaded_on desc limit 30
      """
    ).reversed()
    causes = try connection.rows(
      """
      select stream, code, field, sum(reject_count)::bigint as reject_count
      from report.reject_by_day
      where day >= $1::date
      group by stream, code, field
      order by reject_count desc, stream, code, field
      limit 12
      """, [.optional(days.first?.day)])
    newFields = try connection.rows(
      """
      select stream, field, line_count,
        to_char(first_loaded_at at time zone $1, 'YYYY-MM-DD') as first_loaded_on, example_path
      from report.unknown_field_summary
      order by first_loaded_at desc, stream, field
      limit 20
      """, [.text(zone)])
    failures = try connection.rows(
      """
      select stream, path, to_char(last_failed_at at time zone $1, 'YYYY-MM-DD HH24:MI') as last_failed_at, error
      from report.open_failure
      order by last_failed_at desc, path
      limit 20
      """, [.text(zone)])
  }
}
