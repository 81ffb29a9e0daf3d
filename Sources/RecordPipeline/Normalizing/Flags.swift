/// A flag: `true`, `false`, `1`, `0`, or one of these four as a string.
///
/// Other values are refused, not guessed.
enum Flag: IndependentKind {
  static let summary = "flag: true, false, 1, 0"
  static let columns = [Column(.boolean)]

  static func normalize(_ line: inout DecodedLine, _ raw: RawValue) throws(ValueProblem) -> Bool? {
    switch raw.kind {
    case .null: return nil
    case .true: return true
    case .false: return false
    case .number, .string:
      let text = raw.isEscaped ? line.arena.unescape(raw.text).bytes : raw.text
      if text == "1" { return true }
      if text == "0" { return false }
      if raw.kind == .string, text == "true" { return true }
      if raw.kind == .string, text == "false" { return false }
    case .array, .object: break
    }
    throw ValueProblem(.invalidFlag, "a flag must be true, false, 1 or 0")
  }

  static func write(_ value: Value?, of line: inout DecodedLine, to row: inout RowBuffer) {
    row.boolean(value)
  }
}

/// The type of a purchase, which Android gives instead of the sandbox and promotion flags.
enum PurchaseType: ValueKind {
  case test, promotion

  static let summary = "Test, Promo or Promotion"
  static let columns: [Column] = []

  static func normalize(_ line: inout DecodedLine, _ raw: RawValue) throws(ValueProblem) -> Self? {
    if raw.isAbsent { return nil }
    if raw.kind == .string {
      let text = raw.isEscaped ? line.arena.unescape(raw.text).bytes : raw.text
      if text == "Test" { return .test }
      if text == "Promo" || text == "Promotion" { return .promotion }
    }
    throw ValueProblem(.invalidPurchaseType, "it must be Test, Promo or Promotion")
  }
}

extension DecodedLine {
  /// The value of a flag that `purchaseType` can make true, but never false.
  ///
  /// - Throws: `ambiguous_field` when the flag is false and `purchaseType` implies true.
  mutating func flag(
    _ field: FieldSlots, orImpliedBy implied: Bool, from other: FieldSlots
  ) throws(Rejection) -> Bool? {
    let flag = try value(field, Flag.normalize)
    guard implied else { return flag }
    if flag == false {
      let names = (spelling(of: field), spelling(of: other))
      throw Rejection(
        .ambiguousField, field: names.1, "\(names.0) is false, but \(names.1) implies true")
    }
    return true
  }
}
