/// The days of the reporting zone, each with its first instant.
///
/// The server computes them, so that one time zone database decides.
package struct CalendarDays: Sendable {
  private let days: [Day]
  private let starts: [Instant]

  /// - Parameters:
  ///   - days: ascending: the first day, and those that do not begin 24 hours for each day after the
  ///     one before them. The zone may leave out days before them.
  ///   - starts: the first instant of each of these days, ascending.
  package init(days: [Day], starts: [Instant]) {
    precondition(days.count == starts.count && !days.isEmpty, "each day has one start")
    self.days = days
    self.starts = starts
  }

  /// The day that contains `instant`, which is not before the first day.
  package func day(of instant: Instant) -> Day {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= instant { low = middle } else { high = middle }
    }
    // The day before a listed one can be longer than 24 hours, and be followed by days left out.
    let last = high < days.count ? days[high].number - 1 : .max
    let passed = Int32(clamping: instant.seconds(since: starts[low]) / 86_400)
    return Day(number: min(days[low].number + passed, last))
  }
}

/// A moment in time: microseconds since 2000-01-01 UTC, as PostgreSQL stores a `timestamptz`.
package struct Instant: Comparable, Hashable, Sendable {
  package var microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  package static func < (left: Instant, right: Instant) -> Bool {
    left.microseconds < right.microseconds
  }

  /// Whole seconds from `earlier` to this instant, cut.
  package func seconds(since earlier: Instant) -> Int64 {
    (microseconds - earlier.microseconds) / 1_000_000
  }

  package func advanced(hours: Int64) -> Instant {
    Instant(microseconds: microseconds + hours * 3_600_000_000)
  }
}

/// A day of the reporting zone: days since 2000-01-01, as PostgreSQL stores a `date`.
package struct Day: Comparable, Hashable, Sendable {
  package var number: Int32

  package init(number: Int32) { self.number = number }

  package static func < (left: Day, right: Day) -> Bool { left.number < right.number }

  /// The Monday of this day's week.
  package var week: Day {
    // 2000-01-03, day 2, was a Monday.
    let sinceMonday = (number - 2) % 7
    return Day(number: number - (sinceMonday < 0 ? sinceMonday + 7 : sinceMonday))
  }

  /// The first day of this day's month.
  package var month: Day {
    // The proleptic Gregorian calendar, counted from 0000-03-01 in eras of 400 years (146,097
    // days), so that a leap day is the last day of its year. 2000-01-01 is day 730,425 of that
    // count.
    let count = Int(number) + 730_425
    let era = (count >= 0 ? count : count - 146_096) / 146_097
    let dayOfEra = count - era * 146_097
    let year = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    return Day(number: number - Int32(dayOfYear - (153 * month + 2) / 5))
  }

  /// The first day of the month after this day's.
  var nextMonth: Day { Day(number: month.number + 31).month }
}
