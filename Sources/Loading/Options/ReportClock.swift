internal import Foundation

/// The start time of a run or a file, and the time that has passed since.
package struct ReportClock: Sendable {
  /// RFC 3339 in UTC with milliseconds, by the clock of this machine.
  package let startedAt = ReportClock.now
  private let start = ContinuousClock.now

  package init() {}

  /// Seconds, to the millisecond, by a monotonic clock.
  package var elapsedSeconds: Double {
    ((ContinuousClock.now - start) / .milliseconds(1)).rounded() / 1000
  }

  static var now: String {
    Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
