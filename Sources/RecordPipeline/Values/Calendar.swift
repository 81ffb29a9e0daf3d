/// Milliseconds since 1970-01-01 00:00 UTC.
package typealias EpochMilliseconds = Int64

/// The month of a time, in UTC, counted from January 1970.
package func monthsSinceEpoch(_ time: EpochMilliseconds) -> Int {
  let days = Int(time >= 0 ? time / 86_400_000 : (time - 86_399_999) / 86_400_000)
  // The inverse of `CalendarDay.daysSinceEpoch`, down to the month.
  let shifted = days + 719_468
  let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
  let dayOfEra = shifted - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let monthFromMarch = (5 * dayOfYear + 2) / 153
  let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return (year - 1970) * 12 + month - 1
}

/// The day of a time, in UTC, as `2026-01-31`; the time must not be before 1970.
package func calendarDay(_ time: EpochMilliseconds) -> String {
  let month = monthsSinceEpoch(time)
  let year = 1970 + month / 12
  guard let first = CalendarDay(year: year, month: month % 12 + 1, day: 1) else { return "" }
  let day = time / 86_400_000 - Int64(first.daysSinceEpoch) + 1
  func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  return "\(year)-\(padded(month % 12 + 1))-\(padded(Int(day)))"
}

/// A time in RFC 3339, as `2026-01-31T12:00:00.000Z`; it must not be before 1970.
package func instant(_ time: EpochMilliseconds) -> String {
  let rest = Int(time % 86_400_000)
  func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
  let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, 2) }
  return "\(calendarDay(time))T\(clock.joined(separator: ":")).\(padded(rest % 1000, 3))Z"
}

/// A day of the Gregorian calendar, without a time or a zone.
package struct CalendarDay: Sendable, Equatable {
  /// 1...9999.
  package let year: Int
  /// 1...12.
  package let month: Int
  /// 1...31.
  package let day: Int

  /// - Returns: nil when the day does not exist.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
    guard day >= 1, day <= Self.lengthOfMonth(month, of: year) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Days since 1970-01-01, negative before it.
  package var daysSinceEpoch: Int32 {
    // In years that begin in March the leap day is the last day, so it shifts no other day.
    let marchYear = month <= 2 ? year - 1 : year
    let dayOfMarchYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    return Int32(365 * marchYear + leapDays + dayOfMarchYear - 719_468)
  }

  private static func lengthOfMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}

extension CalendarDay {
  /// Parses "2025-03-31"; nil for any other form and for a day that does not exist.
  package init?(text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
      text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}
