/// Resolves escapes in bytes that may be no JSON: what is no escape stays as it is.
enum LenientUnescaping {
  static func resolved(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < bytes.count else {
        result.append(byte)
        index += 1
        continue
      }
      if let (scalar, length) = unicodeEscape(bytes, at: index) {
        result.append(contentsOf: Array(String(Character(scalar)).utf8))
        index += length
      } else {
        result.append(control(bytes[index + 1]))
        index += 2
      }
    }
    return result
  }

  /// The letter after a backslash, or what it stands for.
  private static func control(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }

  private static func unicodeEscape(
    _ bytes: [UInt8], at start: Int
  ) -> (scalar: Unicode.Scalar, length: Int)? {
    guard let unit = unit(bytes, at: start) else { return nil }
    if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
    guard UTF16.isLeadSurrogate(unit), let trail = self.unit(bytes, at: start + 6),
      UTF16.isTrailSurrogate(trail)
    else { return nil }
    return (UTF16.decode(UTF16.EncodedScalar([unit, trail])), 12)
  }

  private static func unit(_ bytes: [UInt8], at start: Int) -> UInt16? {
    guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"),
      bytes[start + 1] == UInt8(ascii: "u")
    else { return nil }
    return UInt16(String(decoding: bytes[start + 2..<start + 6], as: UTF8.self), radix: 16)
  }
}
