internal import Crypto

/// The SHA-256 of a purchase token: enough to compare two, useless to whoever reads it.
package struct TokenDigest: Equatable {
  let bytes: SIMD32<UInt8>
}

extension DecodedLine {
  /// The digest of a token's text, or the digest that the text itself stands for.
  package func tokenDigest(_ field: Field) throws(Rejection) -> TokenDigest? {
    try value(field) { raw throws(ValueProblem) in
      if raw.isAbsent { return nil }
      guard raw.kind == .string else {
        throw ValueProblem(.wrongType, "a token is a string, not \(raw.kindName)")
      }
      var text = raw.text
      if raw.isEscaped {
        let unescaped = arena.unescape(raw.text)
        guard unescaped.replacementCount == 0 else {
          throw ValueProblem(.invalidCharacter, "it holds a NUL or an unpaired surrogate")
        }
        text = unescaped.bytes
      }
      guard text.count <= rules.limits.textBytes else {
        throw ValueProblem(
          .textTooLong, "it has \(text.count) bytes; the limit is \(rules.limits.textBytes)")
      }
      var bytes = SIMD32<UInt8>()
      if let written = Secrets.digest(writtenAs: text) {
        for index in 0..<32 { bytes[index] = written[index] }
      } else {
        SHA256.hash(data: UnsafeRawBufferPointer(text.buffer)).withUnsafeBytes {
          bytes = $0.loadUnaligned(as: SIMD32<UInt8>.self)
        }
      }
      return TokenDigest(bytes: bytes)
    }
  }
}
