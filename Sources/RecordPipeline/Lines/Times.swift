extension DecodedLine {
  /// The time of a field, from 2000-01-01 to one day after the start of the run; noted as the record's.
  ///
  /// A field before it may have needed it already; then it is not judged again.
  mutating func recordTime(_ field: Field) -> EpochMilliseconds? {
    if !facts.isTimeJudged {
      facts.isTimeJudged = true
      facts.time = value(of: field, Self.time)
    }
    if facts.time != nil || field.kind != .observation || isRefused(field.slots) {
      return facts.time
    }
    return rules.observedAt ?? rules.startOfRun
  }

  /// The time of an event; nil when it is absent.
  static func time(_ line: inout Self, _ raw: RawValue) throws(Rejection) -> EpochMilliseconds? {
    try line.time(raw, latest: line.rules.latestTime)
  }

  /// The end of a subscription's period; 0 and negative numbers mean "no subscription".
  ///
  /// Both are stored as NULL, as an absent field is, but only a number must agree with the field's other values.
  /// - Source: in the vendor's samples, receipts for consumables have 0.
  /// - Returns: nil when it is absent; a nil within for "no subscription".
  static func expiry(
    _ line: inout Self, _ raw: RawValue
  ) throws(Rejection) -> EpochMilliseconds?? {
    if raw.isAbsent { return nil }
    return .some(try line.time(raw, latest: TimeRule.latestExpiry, hasSentinels: true))
  }

  /// - Parameter hasSentinels: true when 0 and negative numbers mean "does not apply".
  private mutating func time(
    _ raw: RawValue, latest: EpochMilliseconds, hasSentinels: Bool = false
  ) throws(Rejection) -> EpochMilliseconds? {
    if raw.isAbsent { return nil }
    let text = resolved(raw)
    let time: EpochMilliseconds
    switch raw.kind {
    case .string where !text.isDigits: time = try parseRFC3339(text)
    case .number, .string:
      let number = ExactNumber(text).whole(timesTenTo: rules.timeUnit.power)
      if number.isZero || number.isNegative {
        if hasSentinels { return nil }
        throw Rejection(.timeOutOfRange, "0 and negative numbers are not times")
      }
      if rules.timeUnit == .milliseconds, let problem = Self.unitMistake(number) { throw problem }
      guard number.isWhole else {
        throw Rejection(.timeTooPrecise, "it has a fraction of a millisecond")
      }
      guard let milliseconds = number.integer else {
        throw Rejection(.timeOutOfRange, "it does not fit 64 bits")
      }
      time = milliseconds
    default: throw wrongType("a time must be epoch milliseconds or an RFC 3339 string", raw)
    }
    guard time >= TimeRule.earliestPossible, time <= latest else {
      throw Rejection(
        .timeOutOfRange,
        hasSentinels
          ? "it is not between 2000-01-01 and 2100-01-01"
          : "it is before 2000-01-01 or more than a day after the start of the run, by the clock of the "
            + "database server (in validate, of this machine)")
    }
    return time
  }

  /// The problem of a number that is, by its size, in another unit than milliseconds; nil without one.
  ///
  /// For times from 2000 to 2286 the four units do not overlap: seconds have nine or ten digits,
  /// milliseconds twelve or thirteen, and so on.
  private static func unitMistake(_ number: ExactNumber.Whole) -> Rejection? {
    guard let magnitude = number.magnitude else { return nil }
    let first: UInt64 = 946_684_800
    let hint =
      "times are epoch milliseconds; if the whole file has this unit, load it with --time-unit"
    switch magnitude {
    case first..<10_000_000_000:
      return Rejection(.timeInSeconds, "it has the size of epoch seconds; \(hint) s")
    case first * 1_000_000..<10_000_000_000_000_000:
      return Rejection(.timeInMicroseconds, "it has the size of epoch microseconds; \(hint) us")
    case first * 1_000_000_000..<10_000_000_000_000_000_000:
      return Rejection(
        .timeInNanoseconds, "it has the size of epoch nanoseconds; times are epoch milliseconds")
    default:
      return nil
    }
  }
}

// MARK: - RFC 3339

/// Parses an RFC 3339 date-time with an offset or `Z`; `T` and `Z` must be in upper case.
///
/// There is no second 60, and only zeros may follow the milliseconds.
/// - Throws: `time_without_zone`, `time_too_precise` or `invalid_time`.
private func parseRFC3339(_ text: ByteSlice) throws(Rejection) -> EpochMilliseconds {
  let invalid = Rejection(
    .invalidTime, "it is neither epoch milliseconds nor a text like 2026-01-31T12:00:00.000+09:00")
  guard text.count >= 19, text.slice(10..<19).hasForm("T00:00:00"),
    let date = CalendarDay(text.slice(0..<10)), let clock = text.clock(at: 11),
    text.number(17..<19) <= 59
  else { throw invalid }

  let start = text.count > 19 && text[19] == UInt8(ascii: ".") ? 20 : 19
  let end = start == 19 ? 19 : start + text.buffer[start...].prefix(while: \.isDigit).count
  if end == 20 { throw invalid }
  let milliseconds = (start..<start + 3).reduce(0) {
    $0 * 10 + ($1 < end ? text.number($1..<$1 + 1) : 0)
  }

  let zone = text.slice(end..<text.count)
  if zone.isEmpty {
    throw Rejection(
      .timeWithoutZone, "it has no offset from UTC, so it does not identify an instant")
  }
  var offset = 0
  if !(zone == "Z") {
    guard zone.hasForm("+00:00") || zone.hasForm("-00:00"), let size = zone.clock(at: 1)
    else { throw invalid }
    offset = zone[0] == UInt8(ascii: "-") ? -size : size
  }
  if text.slice(min(start + 3, end)..<end).buffer.contains(where: { $0 != UInt8(ascii: "0") }) {
    throw Rejection(.timeTooPrecise, "it has a fraction of a millisecond")
  }
  let seconds = Int(date.daysSinceEpoch) * 86_400 + clock + text.number(17..<19) - offset
  return Int64(seconds * 1000 + milliseconds)
}

extension ByteSlice {
  /// The seconds of hours and minutes in the form `00:00`; nil above 23:59.
  fileprivate func clock(at start: Int) -> Int? {
    let (hours, minutes) = (number(start..<start + 2), number(start + 3..<start + 5))
    return hours <= 23 && minutes <= 59 ? hours * 3600 + minutes * 60 : nil
  }
}

/// The RFC 3339 time of an option as epoch milliseconds; nil when it is malformed.
package func epochMilliseconds(_ text: String) -> EpochMilliseconds? {
  Array(text.utf8).withSlice { try? parseRFC3339($0) }
}
