internal import Crypto

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
    var hash = SHA256()
    hash.update(bufferPointer: UnsafeRawBufferPointer(text.buffer))
    hash.finalize().withUnsafeBytes {
      digest = $0.loadUnaligned(as: SIMD32<UInt8>.self)
    }
    return PurchaseToken(sha256: digest, text: text)
  }

  static func write(_ value: Self?, of line: inout DecodedLine, to row: inout RowBuffer) {
    row.bytes(value?.sha256)
    row.text(secret: line.rules.storesPurchaseTokens ? value?.text : nil)
  }
}
