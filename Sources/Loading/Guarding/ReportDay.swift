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
  /// - Throws: `LoadError` with exit code 64 when the last day is before the first.
  package static func days(
    from first: CalendarDay?, through last: CalendarDay?, on connection: Connection
  ) throws -> [ReportDay] {
    let result = try connection.query(
      """
      with zone as (
        select value as name from report.setting where name = 'time-zone'
      ), bound as (
        select coalesce($1::date, (now() at time zone name)::date - 1) as first_day,
          coalesce($2::date, (now() at time zone name)::date - 1) as last_day, name
        from zone
      )
      select to_char(d, 'YYYY-MM-DD'),
        (extract(epoch from d::timestamp at time zone name) * 1000)::bigint,
        (extract(epoch from (d + interval '1 day')::timestamp at time zone name) * 1000)::bigint
      from bound, generate_series(first_day::timestamp, last_day::timestamp, interval '1 day') d
      order by d
      """, [.optional(first?.text), .optional(last?.text)])
    let days = result.rows.compactMap { row -> ReportDay? in
      guard let text = row[0], let start = row[1].flatMap({ Int64($0) }),
        let end = row[2].flatMap({ Int64($0) }), start <= end
      else { return nil }
      return ReportDay(text: text, bounds: start..<end)
    }
    guard !days.isEmpty else {
      throw LoadError(.usage, "the last day is before the first one")
    }
    return days
  }
}

extension CalendarDay {
  /// Such as `2026-01-31`.
  fileprivate var text: String {
    func padded(_ number: Int, _ length: Int) -> String {
      String(repeating: "0", count: max(0, length - String(number).count)) + String(number)
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}
