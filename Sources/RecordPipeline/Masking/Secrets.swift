internal import Crypto

/// The credentials that a line can hold, and the form in which they may be stored.
///
/// A token and the payment's number are enough to consume a purchase. A stored copy of a line
/// therefore has the SHA-256 of the token instead, and loads to the same digest as the line.
/// - Source: the vendor's purchase guide, "Consume Flow".
enum Secrets {
  /// The names of fields with credentials, in every stream and at any depth.
  static let names: [StaticString] = ["purchaseToken", "accessToken", "paymentToken"]

  static let digestPrefix: StaticString = "sha256:"

  static func isSecret(_ key: ByteSlice) -> Bool { names.contains { key == $0 } }

  static func isSecretEscaped(_ key: ByteSlice) -> Bool {
    // An escaped character takes at most six bytes, and the longest name has 13 characters.
    guard key.count <= 6 * 13 else { return false }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 6 * 13) { room in
      guard let start = room.baseAddress else { return false }
      let count = unescapeJSON(key, into: start).count
      return isSecret(ByteSlice(start: UnsafePointer(start), count: count))
    }
  }

  /// The digest in a text of the form `sha256:<64 hex>`; nil for any other text.
  static func digest(writtenAs text: ByteSlice) -> [UInt8]? {
    let prefix = digestPrefix.utf8CodeUnitCount
    guard text.count == prefix + 64,
      ByteSlice(start: text.start, count: prefix) == digestPrefix
    else { return nil }
    var digest: [UInt8] = []
    digest.reserveCapacity(32)
    for index in stride(from: prefix, to: text.count, by: 2) {
      guard let high = hexDigit(text[index]), let low = hexDigit(text[index + 1]) else {
        return nil
      }
      digest.append(high << 4 | low)
    }
    return digest
  }

  static let refusedDigestLength = digestPrefix.utf8CodeUnitCount + 64 + 4

  /// The digest of a refused secret in a text of the form `["sha256:<64 hex>"]`; nil for any other text.
  static func refusedDigest(_ text: ByteSlice) -> ByteSlice? {
    guard text.count == refusedDigestLength,
      text[0] == UInt8(ascii: "["), text[1] == UInt8(ascii: "\""),
      text[text.count - 2] == UInt8(ascii: "\""), text[text.count - 1] == UInt8(ascii: "]")
    else { return nil }
    let digest = ByteSlice(start: text.start + 2, count: text.count - 4)
    return Self.digest(writtenAs: digest) == nil ? nil : digest
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x61...0x66: byte - 0x61 + 10
    case 0x41...0x46: byte - 0x41 + 10
    default: nil
    }
  }

  /// Appends a secret as `sha256:<64 hex>`; a secret that already has this form stays as it is.
  static func appendDigest(of secret: ByteSlice, to output: inout [UInt8]) {
    if digest(writtenAs: secret) != nil {
      output.append(contentsOf: secret.buffer)
      return
    }
    digestPrefix.withUTF8Buffer { output.append(contentsOf: $0) }
    for byte in SHA256.hash(data: UnsafeRawBufferPointer(secret.buffer)) {
      output.append(lowerHex[Int(byte >> 4)])
      output.append(lowerHex[Int(byte & 0xF)])
    }
  }

  private static let lowerHex = Array("0123456789abcdef".utf8)
}

/// True for the names of fields whose values are credentials.
package func isSecretFieldName(_ name: String) -> Bool {
  Secrets.names.contains { $0.description == name }
}
