package import Postgres
package import RecordPipeline

/// A day of the reports, with its bounds as times.
package struct ReportDay: Sendable, Equatable {
  /// Such as `2026-01-31`.
  package let text: String
  /// Epoch milliseconds, the end not included.
  package let bounds: Range<Int64>

  package init(text: String, bounds: Range<Int64>) {
    self.text = text
    self.bounds = bounds
  }

  /// The days from one to another, in the time zone of the reports.
  ///
  /// - Parameters:
  ///   - first: nil: yesterday.
  ///   - last: nil: the first day, or yesterday if only the first is given as a start.
  /// - Throws: `LoadError` with exit code 64 when the last day is before the first, or a range has more
  ///   than `longestRange` days.
  package static func days(
    from first: CalendarDay?, through last: CalendarDay?, on connection: Connection
  ) throws -> [ReportDay] {
    let rows = try connection.rows(
      of: Row.self,
      """
      with zone as (
        select value as name from report.setting where name = 'time-zone'
      ), bound as (
        select coalesce($1::date, (now() at time zone name)::date - 1) as first_day,
          coalesce($2::date, (now() at time zone name)::date - 1) as last_day, name
        from zone
      )
      select to_char(d, 'YYYY-MM-DD') as text,
        (extract(epoch from d::timestamp at time zone name) * 1000)::bigint as start,
        (extract(epoch from (d + interval '1 day')::timestamp at time zone name) * 1000)::bigint as end
      from bound, generate_series(first_day::timestamp, last_day::timestamp, interval '1 day') d
      order by d limit \(longestRange + 1)
      """, [.optional(first?.text), .optional(last?.text)])
    guard !rows.isEmpty else {
      throw LoadError(.usage, "the last day is before the first one")
    }
    guard rows.count <= longestRange else {
      throw LoadError(
        .usage, "the range has more than \(longestRange) days; run its parts one after another")
    }
    // A day that the zone leaves out has no length.
    return rows.map { ReportDay(text: $0.text, bounds: $0.start..<max($0.start, $0.end)) }
  }

  /// A year of nights and a month; a longer range is a mistyped year.
  private static let longestRange = 400

  private struct Row: Decodable {
    let text: String
    let start: Int64
    let end: Int64
  }
}

extension CalendarDay {
  /// Such as `2026-01-31`.
  var text: String {
    func padded(_ number: Int, _ length: Int) -> String {
      String(repeating: "0", count: max(0, length - String(number).count)) + String(number)
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}
