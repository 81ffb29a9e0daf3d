/// Parses an RFC 3339 date-time with an offset or `Z`; `T` and `Z` must be in upper case.
///
/// The rules are stricter than the RFC's: there is no second 60, and only zeros may follow the
/// milliseconds.
/// - Throws: `time_without_zone`, `time_too_precise` or `invalid_time`.
func parseRFC3339(_ text: ByteSlice) throws(ValueProblem) -> EpochMilliseconds {
  let invalid = ValueProblem(
    .invalidTime, "it is neither epoch milliseconds nor a text like 2026-01-31T12:00:00.000+09:00")
  func digits(_ start: Int, _ count: Int) throws(ValueProblem) -> Int {
    guard start + count <= text.count else { throw invalid }
    var value = 0
    for index in start..<start + count {
      guard ScaledNumber.isDigit(text[index]) else { throw invalid }
      value = value * 10 + Int(text[index] &- 0x30)
    }
    return value
  }
  func expect(_ byte: Unicode.Scalar, at index: Int) throws(ValueProblem) {
    guard index < text.count, text[index] == UInt8(ascii: byte) else { throw invalid }
  }

  let (year, month, day) = (try digits(0, 4), try digits(5, 2), try digits(8, 2))
  try expect("-", at: 4)
  try expect("-", at: 7)
  try expect("T", at: 10)
  let (hour, minute, second) = (try digits(11, 2), try digits(14, 2), try digits(17, 2))
  try expect(":", at: 13)
  try expect(":", at: 16)
  guard let date = CalendarDay(year: year, month: month, day: day), hour <= 23, minute <= 59,
    second <= 59
  else { throw invalid }

  var index = 19
  var milliseconds = 0
  var isTooPrecise = false
  if index < text.count, text[index] == UInt8(ascii: ".") {
    index += 1
    let start = index
    while index < text.count, ScaledNumber.isDigit(text[index]) {
      let digit = Int(text[index] &- 0x30)
      switch index - start {
      case 0: milliseconds += digit * 100
      case 1: milliseconds += digit * 10
      case 2: milliseconds += digit
      default: isTooPrecise = isTooPrecise || digit != 0
      }
      index += 1
    }
    guard index > start else { throw invalid }
  }

  guard index < text.count else {
    throw ValueProblem(
      .timeWithoutZone, "it has no offset from UTC, so it does not identify an instant")
  }
  var offsetMinutes = 0
  if text[index] == UInt8(ascii: "Z") {
    guard index + 1 == text.count else { throw invalid }
  } else {
    let sign = text[index] == UInt8(ascii: "+") ? 1 : -1
    guard sign == 1 || text[index] == UInt8(ascii: "-"), index + 6 == text.count else {
      throw invalid
    }
    let (hours, minutes) = (try digits(index + 1, 2), try digits(index + 4, 2))
    try expect(":", at: index + 3)
    guard hours <= 23, minutes <= 59 else { throw invalid }
    offsetMinutes = sign * (hours * 60 + minutes)
  }
  if isTooPrecise {
    throw ValueProblem(.timeTooPrecise, "it has a fraction of a millisecond")
  }

  let minutes = Int(date.daysSinceEpoch) * 1440 + hour * 60 + minute - offsetMinutes
  return Int64(minutes) * 60_000 + Int64(second * 1000 + milliseconds)
}

/// The RFC 3339 time of an option as epoch milliseconds; nil when it is malformed.
package func epochMilliseconds(_ text: String) -> EpochMilliseconds? {
  var text = text
  return text.withUTF8 { bytes in
    guard let start = bytes.baseAddress else { return nil }
    return try? parseRFC3339(ByteSlice(start: start, count: bytes.count))
  }
}
