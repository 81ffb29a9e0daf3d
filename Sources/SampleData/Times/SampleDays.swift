/// The UTC days of the span, counted from 0; the first and the last may be partial.
struct SampleDays: Sendable {
  /// The activity of Monday to Sunday, in permille of a mean day.
  private static let weekdayActivity: [UInt64] = [950, 940, 950, 960, 1020, 1120, 1090]

  let start: Int64
  let end: Int64
  let count: Int
  private let first: Int64
  private let weekdayActivity = SampleDays.weekdayActivity

  /// The days between two instants, in milliseconds since 1970-01-01 UTC.
  init(from start: Int64, to end: Int64) {
    self.start = start
    self.end = end
    first = start / SampleTimeline.dayMilliseconds
    count = Int((end - 1) / SampleTimeline.dayMilliseconds - first) + 1
  }

  /// The day's part of the span.
  func range(of day: Int) -> Range<Int64> {
    let dayStart = (first + Int64(day)) * SampleTimeline.dayMilliseconds
    return max(start, dayStart)..<min(end, dayStart + SampleTimeline.dayMilliseconds)
  }

  /// The day that holds a time; not below 0.
  func index(of time: Int64) -> Int {
    max(0, Int(time / SampleTimeline.dayMilliseconds - first))
  }

  /// The number of lines with a millisecond of their own that fit into a day.
  func capacity(of day: Int) -> Int {
    let range = range(of: day)
    return SampleTimeline.capacity(from: range.lowerBound, to: range.upperBound)
  }

  /// The times of a day's events.
  func timeline(of day: Int, slots: Int) -> SampleTimeline {
    let range = range(of: day)
    return SampleTimeline(from: range.lowerBound, to: range.upperBound, slots: slots)
  }

  /// How active users are on this day of the week, in permille of a mean day.
  func activity(on day: Int) -> UInt64 {
    // 1970-01-01 was a Thursday.
    weekdayActivity[Int((first + Int64(day) + 3) % 7)]
  }

  /// The date as the number yyyyMMdd.
  func dateDigits(of day: Int) -> UInt64 { CivilDate(day: first + Int64(day)).digits }
}
