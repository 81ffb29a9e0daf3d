/// A character's level, 0...2147483647, as a JSON number such as 20 or 20.0; a string is refused.
enum Level: IndependentKind {
  static let summary = "level, mandatory"
  static var sample: StaticString? { "0" }
  static let columns = [Column(.integer)]

  static func normalize(_ line: inout DecodedLine, _ raw: RawValue) throws(ValueProblem) -> Int32? {
    if raw.isAbsent { return nil }
    guard raw.kind == .number else {
      throw ValueProblem(.wrongType, "a level must be a number, not \(raw.kindName)")
    }
    let number = ScaledNumber(raw.text, timesTenTo: 0)
    guard number.isWhole else {
      throw ValueProblem(.notAnInteger, "a level must not have a fraction")
    }
    guard let value = number.integer, let level = Int32(exactly: value), level >= 0 else {
      throw ValueProblem(.integerOutOfRange, "a level must be between 0 and 2147483647")
    }
    return level
  }

  static func write(_ value: Value?, of line: inout DecodedLine, to row: inout RowBuffer) {
    row.integer(value)
  }
}

/// The code of an event, as a JSON number of integer value; a string is refused.
enum EventCode: IndependentKind {
  static let summary = "whole number"
  static let columns = [Column(.bigint)]

  static func normalize(_ line: inout DecodedLine, _ raw: RawValue) throws(ValueProblem) -> Int64? {
    if raw.isAbsent { return nil }
    guard raw.kind == .number else {
      throw ValueProblem(.wrongType, "a code must be a number, not \(raw.kindName)")
    }
    let number = ScaledNumber(raw.text, timesTenTo: 0)
    guard number.isWhole else {
      throw ValueProblem(.notAnInteger, "a code must not have a fraction")
    }
    guard let value = number.integer else {
      throw ValueProblem(.integerOutOfRange, "a code must fit 64 bits")
    }
    return value
  }

  static func write(_ value: Value?, of line: inout DecodedLine, to row: inout RowBuffer) {
    row.bigint(value)
  }
}

/// The number of an item in the vendor's console: a signed 64-bit integer, or a string of digits.
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
        throw ValueProblem(
          .notAnInteger, "an item number written as a string must hold only digits")
      }
    case .null, .true, .false, .array, .object:
      throw ValueProblem(.wrongType, "an item number must be a number, not \(raw.kindName)")
    }
    let number = ScaledNumber(text, timesTenTo: 0)
    guard number.isWhole else {
      throw ValueProblem(.notAnInteger, "an item number must not have a fraction")
    }
    guard let value = number.integer else {
      throw ValueProblem(.integerOutOfRange, "an item number must fit 64 bits")
    }
    return value
  }

  static func write(_ value: Value?, of line: inout DecodedLine, to row: inout RowBuffer) {
    row.bigint(value)
  }
}
