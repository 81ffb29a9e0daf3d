internal import Glibc

/// Milliseconds since 1970-01-01 00:00 UTC.
package typealias EpochMilliseconds = Int64

/// The parts of a time in UTC.
private func parts(of time: EpochMilliseconds) -> tm {
  var seconds = time_t((Double(time) / 1000).rounded(.down))
  var parts = tm()
  gmtime_r(&seconds, &parts)
  return parts
}

/// The month of a time, in UTC, counted from January 1970.
package func monthsSinceEpoch(_ time: EpochMilliseconds) -> Int {
  let parts = parts(of: time)
  return (Int(parts.tm_year) - 70) * 12 + Int(parts.tm_mon)
}

/// A time in UTC, as `strftime` formats it.
private func text(of time: EpochMilliseconds, _ format: String) -> String {
  var parts = parts(of: time)
  return String(unsafeUninitializedCapacity: 32) { text in
    text.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, $0.count, format, &parts) }
  }
}

/// The day of a time, in UTC, as `2026-01-31`.
package func calendarDay(_ time: EpochMilliseconds) -> String { text(of: time, "%Y-%m-%d") }

/// A time in RFC 3339, as `2026-01-31T12:00:00.000Z`; it must not be before 1970.
package func instant(_ time: EpochMilliseconds) -> String {
  let milliseconds = String(1000 + time % 1000).dropFirst()
  return "\(text(of: time, "%Y-%m-%dT%H:%M:%S")).\(milliseconds)Z"
}

/// A day of the Gregorian calendar, without a time or a zone.
package struct CalendarDay: Sendable, Equatable {
  /// Days since 1970-01-01, negative before it.
  package let daysSinceEpoch: Int32

  /// - Parameter year: 1...9999.
  /// - Returns: nil when the day does not exist.
  package init?(year: Int, month: Int, day: Int) {
    func days(_ month: Int, _ day: Int) -> Int {
      // In years that begin in March the leap day is the last day, so it shifts no other day.
      let marchYear = month <= 2 ? year - 1 : year
      let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
      return 365 * marchYear + leapDays + (153 * ((month + 9) % 12) + 2) / 5 + day - 719_469
    }
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      days(month, day) < days(month + 1, 1)
    else { return nil }
    daysSinceEpoch = Int32(days(month, day))
  }

  /// Parses "2025-03-31"; nil for any other form and for a day that does not exist.
  package init?(text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
      text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}
