internal import SHA256

/// The credentials that a line can hold, and the form in which they may be stored.
///
/// A token and the payment's number are enough to consume a purchase, so a stored copy of a line has the
/// SHA-256 of the token instead, and loads to the same digest as the line.
/// - Source: the vendor's purchase guide, "Consume Flow".
enum Secrets {
  /// The names of fields with credentials, in every stream, at any depth, and in any case of the letters.
  static let names: [StaticString] = ["purchaseToken", "accessToken", "paymentToken"]

  static let digestPrefix: StaticString = "sha256:"
  /// The length of a written digest, `sha256:<64 hex>`.
  static let writtenCount = digestPrefix.utf8CodeUnitCount + 64

  /// False for most texts that hold no secret: every name ends in "token", or has letters hidden by escapes.
  ///
  /// The loader asks this for each text of each line, so it reads eight bytes at once.
  @inline(__always)
  static func mayBeNamed(in text: ByteSlice) -> Bool {
    // The shortest name has 11 letters.
    guard text.count >= 11 else { return false }
    var index = 0
    while index + 8 <= text.count {
      let word = UnsafeRawPointer(text.start + index).loadUnaligned(as: UInt64.self)
      let lowerCase = word | 0x2020_2020_2020_2020
      // 0x6B is "k", and 0x5C, the backslash, is 0x7C with this bit.
      if hasZeroByte(lowerCase ^ 0x6B6B_6B6B_6B6B_6B6B)
        || hasZeroByte(lowerCase ^ 0x7C7C_7C7C_7C7C_7C7C),
        (index..<index + 8).contains(where: { isHint(at: $0, of: text) })
      {
        return true
      }
      index += 8
    }
    return (index..<text.count).contains { isHint(at: $0, of: text) }
  }

  /// - Source: "Bit Twiddling Hacks" by Sean Eron Anderson, "Determine if a word has a zero byte".
  @inline(__always)
  private static func hasZeroByte(_ word: UInt64) -> Bool {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0
  }

  /// True for the "k" of "token", and for the backslash of a `\u` escape.
  private static func isHint(at index: Int, of text: ByteSlice) -> Bool {
    switch text[index] {
    case UInt8(ascii: "\\"):
      index + 1 < text.count && text[index + 1] == UInt8(ascii: "u")
    case UInt8(ascii: "k"), UInt8(ascii: "K"):
      index >= 2 && index + 3 <= text.count
        && ByteSlice(start: text.start + index - 2, count: 5).equalsIgnoringCase("token")
    default: false
    }
  }

  /// The digest in a text of the form `sha256:<64 hex>`; nil for any other text.
  static func digest(writtenAs text: ByteSlice) -> SIMD32<UInt8>? {
    let prefix = digestPrefix.utf8CodeUnitCount
    guard text.count == writtenCount, text.slice(0..<prefix) == digestPrefix else { return nil }
    var digest = SIMD32<UInt8>()
    for index in 0..<32 {
      guard let byte = hexadecimal(text, at: prefix + 2 * index, count: 2) else { return nil }
      digest[index] = UInt8(byte)
    }
    return digest
  }

  /// A secret as `sha256:<64 hex>`; a secret that already has this form stays as it is.
  static func writtenDigest(of secret: ByteSlice) -> [UInt8] {
    if digest(writtenAs: secret) != nil { return Array(secret.buffer) }
    let hash = SHA256()
    hash.update(UnsafeRawBufferPointer(secret.buffer))
    return [UInt8](unsafeUninitializedCapacity: writtenCount) { text, count in
      if let start = text.baseAddress { write(hash.finish(), to: start) }
      count = writtenCount
    }
  }

  /// Writes a digest as `sha256:<64 hex>`.
  static func write(_ digest: SIMD32<UInt8>, to text: UnsafeMutablePointer<UInt8>) {
    let prefix = ByteSlice(digestPrefix)
    text.update(from: prefix.start, count: prefix.count)
    for index in 0..<64 {
      let digit = digest[index / 2] >> (index % 2 == 0 ? 4 : 0) & 0xF
      text[prefix.count + index] = digit < 10 ? 0x30 + digit : 0x57 + digit
    }
  }

  /// The digest of a secret as a JSON string.
  static func quotedDigest(of secret: ByteSlice) -> [UInt8] {
    [UInt8(ascii: "\"")] + writtenDigest(of: secret) + [UInt8(ascii: "\"")]
  }
}

/// True for the names of fields whose values are credentials.
package func isSecretFieldName(_ name: String) -> Bool {
  Secrets.names.contains { $0.description.lowercased() == name.lowercased() }
}
