package import Postgres

/// The target and the days that a run is recorded for in `ingest.load`.
package struct Night: Sendable, Equatable {
  /// The target of the configuration file; nil: none.
  package var target: String?
  /// The days whose files are expected, such as `2026-01-31`, in their order; empty for other commands
  /// than `run`.
  package var days: [String]

  package init(target: String? = nil, days: [String] = []) {
    (self.target, self.days) = (target, days)
  }

  /// The days from one to another, in the time zone of the reports.
  ///
  /// - Parameters:
  ///   - first: such as `2026-01-31`; nil: yesterday.
  ///   - last: the same.
  ///   - connection: in a transaction.
  /// - Throws: `LoadError` with exit code 64 when the last day is before the first, or a range has more
  ///   than `longestRange` days.
  package static func days(
    from first: String?, through last: String?, on connection: Connection
  ) throws -> [String] {
    let days = try connection.rows(
      of: String.self,
      """
      with yesterday (day) as (
        select (now() at time zone value)::date - 1 from report.setting where name = 'time-zone'
      )
      select to_char(d, 'YYYY-MM-DD')
        from yesterday, generate_series(
          coalesce($1::date, day)::timestamp, coalesce($2::date, day)::timestamp, interval '1 day') d
        order by d limit \(longestRange + 1)
      """, [.text(first), .text(last)])
    guard !days.isEmpty else {
      throw LoadError(.usage, "the last day is before the first one")
    }
    guard days.count <= longestRange else {
      throw LoadError(
        .usage, "the range has more than \(longestRange) days; run its parts one after another")
    }
    return days
  }

  /// A year of nights and a month; a longer range is a mistyped year.
  private static let longestRange = 400
}
