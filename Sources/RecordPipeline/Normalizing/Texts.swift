internal import SHA256

/// A free text of any characters; NULs and unpaired surrogates become U+FFFD, and the row is marked as
/// repaired.
enum FreeText: IndependentKind {
  static let summary = "free text"
  static let columns = [Column(.text, isPrivate: true)]

  static func normalize(
    _ line: inout DecodedLine, _ raw: RawValue
  ) throws(ValueProblem) -> KeptText? {
    if raw.isAbsent { return nil }
    guard raw.kind == .string else {
      throw ValueProblem(.wrongType, "a text must be a string, not \(raw.kindName)")
    }
    return try line.storableText(raw)
  }
}

extension DecodedLine {
  /// A string in a form that PostgreSQL can store, without secrets.
  ///
  /// - Throws: `text_too_long` above the limit for free texts.
  mutating func storableText(_ raw: RawValue) throws(ValueProblem) -> KeptText {
    var text = raw.text
    if raw.isEscaped {
      let unescaped = arena.unescape(raw.text)
      if unescaped.replacementCount > 0 { isTextRepaired = true }
      text = unescaped.bytes
    }
    let kept = arena.kept(text)
    guard kept.bytes.count <= rules.limits.textBytes else {
      throw ValueProblem(
        .textTooLong, "it has \(kept.bytes.count) bytes; the limit is \(rules.limits.textBytes)")
    }
    return kept
  }
}

/// A JSON array of strings and nothing else, kept as written.
///
/// Escapes of characters that PostgreSQL cannot store become U+FFFD, and the row is marked as
/// repaired.
enum TextList: IndependentKind {
  static let summary = "array of strings"
  static let columns = [Column(.json, isPrivate: true)]

  static func normalize(
    _ line: inout DecodedLine, _ raw: RawValue
  ) throws(ValueProblem) -> KeptText? {
    if raw.kind == .null { return nil }
    guard raw.kind == .array, holdsOnlyStrings(raw.text) else {
      throw ValueProblem(.wrongType, "it must be an array of strings")
    }
    var json = JSONValueWriter()
    let text = json.text(of: raw, in: &line.arena)
    if json.isRepaired { line.isTextRepaired = true }
    guard text.bytes.count <= line.rules.limits.textBytes else {
      throw ValueProblem(
        .textTooLong,
        "it has \(text.bytes.count) bytes; the limit is \(line.rules.limits.textBytes)")
    }
    return text
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
}

/// A purchase token.
///
/// Its SHA-256 is stored, which can be compared but cannot consume a purchase.
struct PurchaseToken: Equatable, IndependentKind {
  static let summary = "token, kept as SHA-256"
  static let columns = [
    Column(.bytea, isPrivate: true), Column(.text, .secret, isPrivate: true),
  ]

  let sha256: SIMD32<UInt8>
  /// The token itself; nil when the line holds only its digest.
  let text: ByteSlice?

  static func == (left: Self, right: Self) -> Bool { left.sha256 == right.sha256 }

  /// The digest of the token, or the digest that a masked line holds in its place.
  static func normalize(_ line: inout DecodedLine, _ raw: RawValue) throws(ValueProblem) -> Self? {
    if raw.isAbsent { return nil }
    guard raw.kind == .string else {
      throw ValueProblem(.wrongType, "a token must be a string, not \(raw.kindName)")
    }
    var text = raw.text
    if raw.isEscaped {
      let unescaped = line.arena.unescape(raw.text)
      guard unescaped.replacementCount == 0 else {
        throw ValueProblem(.invalidCharacter, "it holds a NUL or an unpaired surrogate")
      }
      text = unescaped.bytes
    }
    var digest = SIMD32<UInt8>()
    if let written = Secrets.digest(writtenAs: text) {
      for index in 0..<32 { digest[index] = written[index] }
      return PurchaseToken(sha256: digest, text: nil)
    }
    guard text.count <= line.rules.limits.textBytes else {
      throw ValueProblem(
        .textTooLong, "it has \(text.count) bytes; the limit is \(line.rules.limits.textBytes)")
    }
    line.hash.update(UnsafeRawBufferPointer(text.buffer))
    return PurchaseToken(sha256: line.hash.finish(), text: text)
  }

  static func write(_ value: Self?, of line: inout DecodedLine, to row: inout RowBuffer) {
    row.bytes(value?.sha256)
    row.text(secret: line.rules.storesPurchaseTokens ? value?.text : nil)
  }
}
