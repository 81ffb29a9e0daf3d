extension DecodedLine {
  /// A flag that is never guessed: `true`, `false`, `1`, `0`, and those four as strings.
  package func flag(_ field: Field) throws(Rejection) -> Bool? {
    try value(field) { line, raw throws(ValueProblem) in
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
      throw ValueProblem(.invalidFlag, "a flag is true, false, 1 or 0")
    }
  }

  /// What Android says of a purchase in place of two flags.
  package enum PurchaseType: Equatable { case test, promotion }

  package func purchaseType(_ field: Field) throws(Rejection) -> PurchaseType? {
    try value(field) { line, raw throws(ValueProblem) in
      if raw.isAbsent { return nil }
      if raw.kind == .string {
        let text = raw.isEscaped ? line.arena.unescape(raw.text).bytes : raw.text
        if text == "Test" { return .test }
        if text == "Promo" || text == "Promotion" { return .promotion }
      }
      throw ValueProblem(.invalidPurchaseType, "it is Test, Promo or Promotion")
    }
  }

  /// A flag that `purchaseType` can say as well: true when it does, and never false because of it.
  ///
  /// - Throws: `ambiguous_field` when the flag says false and `purchaseType` says otherwise.
  package func flag(
    _ field: Field, orImpliedBy implied: Bool, from other: Field
  ) throws(Rejection) -> Bool? {
    let flag = try flag(field)
    guard implied else { return flag }
    if flag == false {
      let names = (spelling(of: field), spelling(of: other))
      throw Rejection(
        .ambiguousField, field: names.1, "\(names.0) is false and \(names.1) says otherwise")
    }
    return true
  }
}
