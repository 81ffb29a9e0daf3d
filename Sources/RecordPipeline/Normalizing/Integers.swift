/// A character's level, 0...2147483647; `20.0` is 20, a text is not a level.
enum Level: IndependentKind {
  static let summary = "level, mandatory"
  static var sample: StaticString? { "0" }
  static let columns = [Column(.integer)]

  static func normalize(_ line: inout DecodedLine, _ raw: RawValue) throws(ValueProblem) -> Int32? {
    if raw.isAbsent { return nil }
    guard raw.kind == .number else {
      throw ValueProblem(.wrongType, "a level is a number, not \(raw.kindName)")
    }
    let number = ScaledNumber(raw.text, timesTenTo: 0)
    guard number.isWhole else {
      throw ValueProblem(.notAnInteger, "a level has no fraction")
    }
    guard let value = number.integer, let level = Int32(exactly: value), level >= 0 else {
      throw ValueProblem(.integerOutOfRange, "a level is from 0 to 2147483647")
    }
    return level
  }

  static func write(_ value: Value?, of line: inout DecodedLine, to row: inout RowBuffer) {
    row.integer(value)
  }
}

/// The console's number of an item, any signed 64-bit integer; also a text of digits.
enum ItemNumber: IndependentKind {
  static let summary = "whole number"
  static let columns = [Column(.bigint)]

  static func normalize(_ line: inout DecodedLine, _ raw: RawValue) throws(ValueProblem) -> Int64? {
    if raw.isAbsent { return nil }
    var text = raw.text
    switch raw.kind {
    case .number: break
    case .string:
      if raw.isEscaped { text = line.arena.unescape(text).bytes }
      guard ScaledNumber.isDigits(text) else {
        throw ValueProblem(.notAnInteger, "an item number written as a text holds only digits")
      }
    case .null, .true, .false, .array, .object:
      throw ValueProblem(.wrongType, "an item number is a number, not \(raw.kindName)")
    }
    let number = ScaledNumber(text, timesTenTo: 0)
    guard number.isWhole else {
      throw ValueProblem(.notAnInteger, "an item number has no fraction")
    }
    guard let value = number.integer else {
      throw ValueProblem(.integerOutOfRange, "an item number fits 64 bits")
    }
    return value
  }

  static func write(_ value: Value?, of line: inout DecodedLine, to row: inout RowBuffer) {
    row.bigint(value)
  }
}
