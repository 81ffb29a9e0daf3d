internal import SHA256

extension DecodedLine {
  /// The bytes of an identifier, unchanged but for secrets; nil when it is absent.
  ///
  /// The digits of a JSON integer are accepted too, because some exports drop the quotes.
  @inline(__always)
  mutating func identifier(_ raw: RawValue, isMandatory: Bool) throws(Rejection) -> KeptText? {
    if raw.isAbsent { return nil }
    if raw.kind == .number { return try identifier(writtenAsNumber: raw.text) }
    guard raw.kind == .string else { throw wrongType("an identifier must be a string", raw) }
    let text = try storable(raw)
    // The limit is that of an index, and a digest can be longer than the secret that it replaces.
    let kept = arena.kept(text)
    try check(kept.bytes.count, .identifierTooLong, atMost: rules.limits.identifierBytes)
    if isMandatory, ByteSlice.isWhiteSpace(text[0]), text.isBlank {
      throw Rejection(.emptyIdentifier, "it holds only white space")
    }
    return kept
  }

  private func identifier(writtenAsNumber text: ByteSlice) throws(Rejection) -> KeptText {
    guard text.isDigits else {
      throw text[0] == UInt8(ascii: "-")
        ? Rejection(.integerOutOfRange, "an identifier cannot be negative")
        : Rejection(
          .notAnInteger, "an identifier written as a number must not have a fraction or an exponent"
        )
    }
    try check(text.count, .identifierTooLong, "digits", atMost: rules.limits.identifierBytes)
    return KeptText(masked: text)
  }

  /// The user of a line; nil when it is absent.
  ///
  /// "0" is not a user: it is refused where the user is mandatory, else it is none.
  /// - Source: the vendor's Unity SDK sends "0" while no user is logged in.
  mutating func user(_ raw: RawValue, isMandatory: Bool) throws(Rejection) -> KeptText? {
    guard let user = try identifier(raw, isMandatory: isMandatory) else { return nil }
    guard user.bytes.count == 1, user == "0" else { return user }
    if isMandatory {
      throw Rejection(.notLoggedIn, "\"0\" is the mark for \"not logged in\", not a user")
    }
    return nil
  }

  static func text(_ line: inout Self, _ raw: RawValue) throws(Rejection) -> KeptText? {
    try line.text(raw, noun: "a text")
  }

  /// A free text; NULs and unpaired surrogates become U+FFFD, and the row is marked as repaired.
  mutating func text(_ raw: RawValue, noun: StaticString) throws(Rejection) -> KeptText? {
    if raw.isAbsent { return nil }
    guard raw.kind == .string else { throw wrongType("\(noun) must be a string", raw) }
    let (text, replacementCount) = unescaped(raw)
    if replacementCount > 0 { isTextRepaired = true }
    let kept = arena.kept(text)
    try check(kept.bytes.count, .textTooLong, atMost: rules.limits.textBytes)
    return kept
  }

  /// A JSON array of strings and nothing else, kept as written; nil when it is absent.
  static func textList(_ line: inout Self, _ raw: RawValue) throws(Rejection) -> KeptText? {
    if raw.kind == .null { return nil }
    guard raw.kind == .array, holdsOnlyStrings(raw.text) else {
      throw Rejection(.wrongType, "it must be an array of strings")
    }
    return try line.json(raw)
  }

  /// - Parameter array: valid JSON.
  private static func holdsOnlyStrings(_ array: ByteSlice) -> Bool {
    var index = 1
    while index < array.count - 1 {
      if array[index] == UInt8(ascii: "\"") {
        index += 1
        while array[index] != UInt8(ascii: "\"") {
          index += array[index] == UInt8(ascii: "\\") ? 2 : 1
        }
      } else if array[index] != UInt8(ascii: ","), !ByteSlice.isWhiteSpace(array[index]) {
        return false
      }
      index += 1
    }
    return true
  }

  /// Any JSON value, as `extra` writes it.
  mutating func json(_ raw: RawValue) throws(Rejection) -> KeptText {
    var object = ExtraWriter()
    let name = raw.text.slice(0..<0)
    object.append(ObjectMember(key: name, isKeyEscaped: false, value: raw), limit: .max)
    if object.isRepaired { isTextRepaired = true }
    // The object so far is the value after an empty name.
    let kept = arena.copy(masked: object.bytes.dropFirst("{\"\":".utf8.count))
    try check(kept.bytes.count, .textTooLong, atMost: rules.limits.textBytes)
    return kept
  }

  /// The SHA-256 of a purchase token, which cannot consume a purchase; nil when it is absent.
  static func token(_ line: inout Self, _ raw: RawValue) throws(Rejection) -> PurchaseToken? {
    if raw.isAbsent { return nil }
    guard raw.kind == .string else { throw line.wrongType("a token must be a string", raw) }
    let text = try line.storable(raw)
    if let written = Secrets.digest(writtenAs: text) {
      return PurchaseToken(sha256: written, text: nil)
    }
    try line.check(text.count, .textTooLong, atMost: line.rules.limits.textBytes)
    line.hash.update(UnsafeRawBufferPointer(text.buffer))
    return PurchaseToken(sha256: line.hash.finish(), text: text)
  }

  /// The text of a string without characters that PostgreSQL cannot store.
  @inline(__always)
  private mutating func storable(_ raw: RawValue) throws(Rejection) -> ByteSlice {
    let (text, replacementCount) = unescaped(raw)
    guard replacementCount == 0 else {
      throw Rejection(
        .invalidCharacter, "it holds a NUL or an unpaired surrogate, which cannot be stored")
    }
    return text
  }

  @inline(__always)
  private func check(
    _ count: Int, _ code: RejectCode, _ unit: StaticString = "bytes", atMost limit: Int
  ) throws(Rejection) {
    if count > limit { throw Rejection(code, "it has \(count) \(unit); the limit is \(limit)") }
  }

  /// The text between the quotes of a string, with its escapes resolved; the text of any other value.
  @inline(__always)
  mutating func resolved(_ raw: RawValue) -> ByteSlice { unescaped(raw).bytes }

  @inline(__always)
  private mutating func unescaped(_ raw: RawValue) -> (bytes: ByteSlice, replacementCount: Int) {
    raw.isEscaped && raw.kind == .string ? arena.unescape(raw.text) : (raw.text, 0)
  }

  func wrongType(_ rule: String, _ raw: RawValue) -> Rejection {
    Rejection(.wrongType, "\(rule), not \(raw.kindName)")
  }
}

/// A purchase token, equal to another one with its digest.
struct PurchaseToken: Equatable {
  let sha256: SIMD32<UInt8>
  /// The token itself; nil when the line holds only its digest.
  let text: ByteSlice?

  static func == (left: Self, right: Self) -> Bool { left.sha256 == right.sha256 }
}
