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
    guard let day = Array(text.utf8).withSlice({ Self($0) }) else { return nil }
    self = day
  }

  init?(_ text: ByteSlice) {
    guard text.hasForm("0000-00-00") else { return nil }
    self.init(year: text.number(0..<4), month: text.number(5..<7), day: text.number(8..<10))
  }
}

extension ByteSlice {
  /// True for a text like a form, in which a 0 stands for any digit.
  func hasForm(_ form: StaticString) -> Bool {
    count == form.utf8CodeUnitCount
      && (0..<count).allSatisfy { index in
        form.utf8Start[index] == UInt8(ascii: "0")
          ? self[index].isDigit : self[index] == form.utf8Start[index]
      }
  }

  /// The number that digits write.
  func number(_ digits: Range<Int>) -> Int {
    digits.reduce(0) { $0 * 10 + Int(self[$1] &- 0x30) }
  }
}
