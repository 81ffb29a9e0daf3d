extension DecodedLine {
  /// The bytes of an identifier, unchanged but for secrets; nil when it is absent.
  ///
  /// The digits of a JSON integer are accepted too, because some exports drop the quotes.
  /// - Throws: `ValueProblem` when it is mandatory and blank, holds a character that PostgreSQL
  ///   cannot store, is too long, or is a number with a sign, a fraction or an exponent.
  mutating func identifier(_ raw: RawValue, isMandatory: Bool) throws(ValueProblem) -> KeptText? {
    if raw.isAbsent { return nil }
    switch raw.kind {
    case .string:
      var text = raw.text
      if raw.isEscaped {
        let unescaped = arena.unescape(raw.text)
        guard unescaped.replacementCount == 0 else {
          throw ValueProblem(
            .invalidCharacter, "it holds a NUL or an unpaired surrogate, which cannot be stored")
        }
        text = unescaped.bytes
      }
      // The limit is that of an index, and a digest can be longer than the secret that it replaces.
      let kept = arena.kept(text)
      guard kept.bytes.count <= rules.limits.identifierBytes else {
        throw ValueProblem(
          .identifierTooLong,
          "it has \(kept.bytes.count) bytes; the limit is \(rules.limits.identifierBytes)")
      }
      if isMandatory, ByteSlice.isWhiteSpace(text[0]), text.isBlank {
        throw ValueProblem(.emptyIdentifier, "it holds only white space")
      }
      return kept
    case .number:
      guard ScaledNumber.isDigits(raw.text) else {
        throw raw.text[0] == UInt8(ascii: "-")
          ? ValueProblem(.integerOutOfRange, "an identifier cannot be negative")
          : ValueProblem(
            .notAnInteger,
            "an identifier written as a number must not have a fraction or an exponent")
      }
      guard raw.text.count <= rules.limits.identifierBytes else {
        throw ValueProblem(
          .identifierTooLong,
          "it has \(raw.text.count) digits; the limit is \(rules.limits.identifierBytes)")
      }
      return KeptText(masked: raw.text)
    case .null, .true, .false, .array, .object:
      throw ValueProblem(.wrongType, "an identifier must be a string, not \(raw.kindName)")
    }
  }
}

/// An optional identifier, such as that of a product.
enum Identifier: IndependentKind {
  static let summary = "identifier"

  static func normalize(
    _ line: inout DecodedLine, _ raw: RawValue
  ) throws(ValueProblem) -> KeptText? { try line.identifier(raw, isMandatory: false) }
}

/// An identifier that every line must have.
enum MandatoryIdentifier: IndependentKind {
  static let summary = "identifier, mandatory"
  static var sample: StaticString? { "\"x\"" }

  static func normalize(
    _ line: inout DecodedLine, _ raw: RawValue
  ) throws(ValueProblem) -> KeptText? { try line.identifier(raw, isMandatory: true) }
}

/// The user that a line belongs to.
///
/// Erasures find a line by this field.
///
/// "0" is refused, because it is not a user.
/// - Source: the vendor's Unity SDK sends "0" while no user is logged in.
enum UserID: IndependentKind {
  static let summary = "user, mandatory"
  static var sample: StaticString? { "\"x\"" }
  static let isInEnvelope = true

  static func normalize(
    _ line: inout DecodedLine, _ raw: RawValue
  ) throws(ValueProblem) -> KeptText? {
    let user = try line.identifier(raw, isMandatory: true)
    if let user, user == "0" {
      throw ValueProblem(.notLoggedIn, "\"0\" is the mark for \"not logged in\", not a user")
    }
    return user
  }
}

/// The user of a line that may have none; "0" is none as well.
///
/// Erasures find a line by this field.
enum OptionalUserID: IndependentKind {
  static let summary = "user, or none"
  static let isInEnvelope = true

  static func normalize(
    _ line: inout DecodedLine, _ raw: RawValue
  ) throws(ValueProblem) -> KeptText? {
    let user = try line.identifier(raw, isMandatory: false)
    return user.map { $0 == "0" } ?? true ? nil : user
  }
}

/// The user of a line whose row has none: erasures suppress the line by it, and nothing stores it.
enum UnstoredUserID: IndependentKind {
  static let summary = OptionalUserID.summary
  static let columns: [Column] = []
  static let isInEnvelope = true
  static let isKeptInExtra = false

  static func normalize(
    _ line: inout DecodedLine, _ raw: RawValue
  ) throws(ValueProblem) -> KeptText? { try OptionalUserID.normalize(&line, raw) }

  static func write(_ value: Value?, of line: inout DecodedLine, to row: inout RowBuffer) {}
}

/// The application of a line, else the default of `--app-id`.
///
/// Without either it is empty, not NULL, because it is part of natural keys.
enum AppID: IndependentKind {
  static let summary = Identifier.summary
  static let columns = [Column(.text, .comparedUnlessEmpty)]
  static let isInEnvelope = true
  static let hasDefault = true

  static func normalize(
    _ line: inout DecodedLine, _ raw: RawValue
  ) throws(ValueProblem) -> KeptText? { try line.identifier(raw, isMandatory: false) }

  static func write(_ value: Value?, of line: inout DecodedLine, to row: inout RowBuffer) {
    if let value { row.text(value) } else { row.text(line.rules.appID) }
  }
}
