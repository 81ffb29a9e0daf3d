extension DecodedLine {
  /// The time of a field, from 2000-01-01 to one day after the start of the run; noted as the record's.
  ///
  /// A field before it may have needed it already; then it is not judged again.
  mutating func recordTime(_ field: Field) -> EpochMilliseconds? {
    if facts.isTimeJudged { return facts.time }
    facts.isTimeJudged = true
    facts.time = value(of: field) { line, raw throws(Rejection) in try line.time(raw) }
    facts.hasObservedTime = facts.time != nil
    if field.kind == .observation, facts.time == nil, !isRefused(field) {
      facts.time = rules.observedAt
    }
    return facts.time
  }

  /// The time of an event; nil when it is absent.
  mutating func time(_ raw: RawValue) throws(Rejection) -> EpochMilliseconds? {
    try time(raw, latest: rules.latestTime)
  }

  /// The end of a subscription's period; 0 and negative numbers mean "no subscription".
  ///
  /// Both such a number and an absent field are stored as NULL, but only the number must agree with the line's
  /// other values of the field.
  /// - Source: in the vendor's samples, receipts for consumables have 0.
  /// - Returns: nil when it is absent; a nil within for "no subscription".
  mutating func expiry(_ raw: RawValue) throws(Rejection) -> EpochMilliseconds?? {
    if raw.isAbsent { return nil }
    return .some(try time(raw, latest: TimeRule.latestExpiry, hasSentinels: true))
  }

  /// - Parameter hasSentinels: true when 0 and negative numbers mean "does not apply"; otherwise they are problems.
  private mutating func time(
    _ raw: RawValue, latest: EpochMilliseconds, hasSentinels: Bool = false
  ) throws(Rejection) -> EpochMilliseconds? {
    if raw.isAbsent { return nil }
    let text = resolved(raw)
    let time: EpochMilliseconds
    switch raw.kind {
    case .string where !text.isDigits: time = try parseRFC3339(text)
    case .number, .string:
      guard let number = try self.time(ofNumber: text, hasSentinels) else { return nil }
      time = number
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

  /// The time that a number gives in the unit of `--time-unit`; nil for a sentinel.
  @inline(__always)
  private func time(
    ofNumber text: ByteSlice, _ hasSentinels: Bool
  ) throws(Rejection) -> EpochMilliseconds? {
    let number = ExactNumber(text).whole(timesTenTo: rules.timeUnit.power)
    if number.isZero || number.isNegative {
      if hasSentinels { return nil }
      throw Rejection(.timeOutOfRange, "0 and negative numbers are not times")
    }
    if rules.timeUnit == .milliseconds, let problem = Self.unitMistake(number) { throw problem }
    guard number.isWhole else {
      throw Rejection(.timeTooPrecise, "it has a fraction of a millisecond")
    }
    guard let time = number.integer else {
      throw Rejection(.timeOutOfRange, "it does not fit 64 bits")
    }
    return time
  }

  /// The problem of a number that is, by its size, in another unit than milliseconds; nil when it
  /// may be milliseconds.
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

extension TimeUnit {
  /// The power of ten from the unit to milliseconds.
  fileprivate var power: Int {
    switch self {
    case .seconds: 3
    case .milliseconds: 0
    case .microseconds: -3
    }
  }
}

// MARK: - RFC 3339

/// Parses an RFC 3339 date-time with an offset or `Z`; `T` and `Z` must be in upper case.
///
/// The rules are stricter than the RFC's: there is no second 60, and only zeros may follow the
/// milliseconds.
/// - Throws: `time_without_zone`, `time_too_precise` or `invalid_time`.
private func parseRFC3339(_ text: ByteSlice) throws(Rejection) -> EpochMilliseconds {
  let invalid = Rejection(
    .invalidTime, "it is neither epoch milliseconds nor a text like 2026-01-31T12:00:00.000+09:00")
  guard text.count >= 19, text.slice(0..<19).hasForm("0000-00-00T00:00:00"),
    let date = CalendarDay(
      year: text.number(0..<4), month: text.number(5..<7), day: text.number(8..<10)),
    text.number(11..<13) <= 23, text.number(14..<16) <= 59, text.number(17..<19) <= 59
  else { throw invalid }
  let seconds =
    Int(date.daysSinceEpoch) * 86_400 + text.number(11..<13) * 3600 + text.number(14..<16) * 60
    + text.number(17..<19)

  var fraction = text.slice(19..<19)
  if text.count > 19, text[19] == UInt8(ascii: ".") {
    fraction = text.slice(20..<20 + text.buffer[20...].prefix(while: \.isDigit).count)
    guard !fraction.isEmpty else { throw invalid }
  }
  let milliseconds = (0..<3).reduce(0) {
    $0 * 10 + ($1 < fraction.count ? fraction.number($1..<$1 + 1) : 0)
  }

  let zone = text.slice(fraction.isEmpty ? 19..<text.count : 20 + fraction.count..<text.count)
  if zone.isEmpty {
    throw Rejection(
      .timeWithoutZone, "it has no offset from UTC, so it does not identify an instant")
  }
  var offset = 0
  if !(zone == "Z") {
    guard zone.hasForm("+00:00") || zone.hasForm("-00:00"), zone.number(1..<3) <= 23,
      zone.number(4..<6) <= 59
    else { throw invalid }
    offset = zone.number(1..<3) * 3600 + zone.number(4..<6) * 60
    if zone[0] == UInt8(ascii: "-") { offset = -offset }
  }
  if fraction.buffer.dropFirst(3).contains(where: { $0 != UInt8(ascii: "0") }) {
    throw Rejection(.timeTooPrecise, "it has a fraction of a millisecond")
  }
  return Int64((seconds - offset) * 1000 + milliseconds)
}

extension ByteSlice {
  /// True for a text like a form, in which a 0 stands for any digit.
  fileprivate func hasForm(_ form: StaticString) -> Bool {
    count == form.utf8CodeUnitCount
      && (0..<count).allSatisfy { index in
        form.utf8Start[index] == UInt8(ascii: "0")
          ? self[index].isDigit : self[index] == form.utf8Start[index]
      }
  }

  /// The number that digits write.
  fileprivate func number(_ digits: Range<Int>) -> Int {
    digits.reduce(0) { $0 * 10 + Int(self[$1] &- 0x30) }
  }
}

/// The RFC 3339 time of an option as epoch milliseconds; nil when it is malformed.
package func epochMilliseconds(_ text: String) -> EpochMilliseconds? {
  Array(text.utf8).withSlice { try? parseRFC3339($0) }
}
