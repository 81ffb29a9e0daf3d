/// The days of the reporting zone, each with its first instant.
///
/// The server computes them, so that one time zone database decides.
package struct CalendarDays: Sendable {
  private let days: [Day]
  private let starts: [Instant]

  /// - Parameters:
  ///   - days: ascending, without the days that the zone leaves out.
  ///   - starts: the first instant of each day, ascending. The last day ends never.
  package init(days: [Day], starts: [Instant]) {
    precondition(days.count == starts.count && !days.isEmpty, "each day has one start")
    self.days = days
    self.starts = starts
  }

  /// A day and its first instant, and the first instant after it; nil for the last day of the
  /// calendar.
  package struct Span: Equatable, Sendable {
    package let day: Day
    package let starts: Instant
    package let ends: Instant?

    package func contains(_ instant: Instant) -> Bool {
      instant >= starts && ends.map { instant < $0 } ?? true
    }
  }

  /// The day that contains `instant`; the first day for earlier instants.
  package func span(of instant: Instant) -> Span {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= instant { low = middle } else { high = middle }
    }
    return Span(
      day: days[low], starts: starts[low], ends: low + 1 < starts.count ? starts[low + 1] : nil)
  }
}
