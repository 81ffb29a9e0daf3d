/// A day of the proleptic Gregorian calendar.
///
/// - Source: Howard Hinnant: chrono-compatible low-level date algorithms (`civil_from_days`).
struct CivilDate: Sendable {
  let year: UInt64
  let month: UInt64
  let day: UInt64

  /// The date of a day counted from 1970-01-01, 0...
  init(day number: Int64) {
    let shifted = UInt64(number) + 719_468
    let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The date as the number yyyyMMdd.
  var digits: UInt64 { year * 10_000 + month * 100 + day }
}

/// The times of lines: ascending, denser in the evening, and never two in one millisecond.
///
/// The span is divided into one slot per line, of equal length in *busy time*, a clock that runs
/// faster in busy hours. The computation uses only integers, so that no machine rounds differently.
struct SampleTimeline: Sendable {
  static let dayMilliseconds: Int64 = 86_400_000

  /// The share of each hour of the UTC day.
  ///
  /// The sum is 240, so one share is 360000 ms of busy time.
  ///
  /// The shares model a Korean audience: quiet at 4 in the morning (19 UTC), busy at 21 (12 UTC).
  private static let hourShares: [Int64] = [
    7, 7, 8, 9, 10, 10, 9, 9, 10, 12, 14, 16, 18, 18, 16, 13, 10, 8, 6, 5, 5, 6, 7, 7,
  ]
  private static let shareMilliseconds: Int64 = 360_000
  private static let hourMilliseconds: Int64 = 3_600_000

  /// The busy time that has passed when an hour starts, and at the end of the day.
  private static let busyHourStarts: [Int64] = hourShares.reduce(into: [0]) { starts, share in
    starts.append(starts[starts.count - 1] + share * shareMilliseconds)
  }

  private let busyHourStarts = SampleTimeline.busyHourStarts
  private let hourShares = SampleTimeline.hourShares
  private let start: Int64
  private let busyStart: Int64
  private let busyLength: UInt64
  private let slots: UInt64

  /// Divides the time between two instants, in milliseconds, into `slots` slots.
  init(from start: Int64, to end: Int64, slots: Int) {
    self.start = start
    self.slots = UInt64(max(1, slots))
    busyStart = Self.busyTime(of: start, roundingUp: true)
    busyLength = UInt64(max(0, Self.busyTime(of: end, roundingUp: false) - busyStart))
  }

  /// The number of lines between two times if each line needs a millisecond of its own.
  ///
  /// That takes two milliseconds of busy time, because busy time runs 1.8 times as fast as the
  /// clock in the busiest hour.
  static func capacity(from start: Int64, to end: Int64) -> Int {
    let length = busyTime(of: end, roundingUp: false) - busyTime(of: start, roundingUp: true)
    return Int(max(0, length / 2))
  }

  /// The mean length of a slot in milliseconds.
  var meanSlotLength: UInt64 { busyLength / slots }

  /// The first millisecond of a slot; slots are 0...slots.
  func start(ofSlot slot: Int) -> Int64 {
    let product = UInt64(slot).multipliedFullWidth(by: busyLength)
    let offset = slots.dividingFullWidth(product).quotient
    return max(start, time(ofBusy: busyStart + Int64(offset)))
  }

  /// A time within a slot, chosen by random bits.
  func moment(inSlot slot: Int, bits: UInt64) -> Int64 {
    let first = start(ofSlot: slot)
    let length = UInt64(max(1, start(ofSlot: slot + 1) - first))
    return first + Int64(bits.multipliedFullWidth(by: length).high)
  }

  private func time(ofBusy busy: Int64) -> Int64 {
    let (day, position) = busy.quotientAndRemainder(dividingBy: Self.dayMilliseconds)
    // An hour has about ten shares, so this guess is at most a few hours off.
    var hour = Int(position / Self.hourMilliseconds)
    while busyHourStarts[hour] > position { hour -= 1 }
    while busyHourStarts[hour + 1] <= position { hour += 1 }
    return day * Self.dayMilliseconds + Int64(hour) * Self.hourMilliseconds
      + (position - busyHourStarts[hour]) * 10 / hourShares[hour]
  }

  private static func busyTime(of time: Int64, roundingUp: Bool) -> Int64 {
    let (day, position) = time.quotientAndRemainder(dividingBy: dayMilliseconds)
    let (hour, rest) = position.quotientAndRemainder(dividingBy: hourMilliseconds)
    let scaled = rest * hourShares[Int(hour)]
    return day * dayMilliseconds + busyHourStarts[Int(hour)]
      + (roundingUp ? (scaled + 9) / 10 : scaled / 10)
  }
}
