/// Resolves escapes in bytes that may be no JSON: what is no escape stays as it is.
enum LenientUnescaping {
  /// Writes a text with its escapes resolved, which is never longer than the text itself.
  ///
  /// - Parameters:
  ///   - text: bytes without a surrounding quote.
  ///   - result: room for as many bytes; may be where the text is.
  /// - Returns: how many bytes were written, and whether one of them is a backslash.
  static func resolve(
    _ text: UnsafeBufferPointer<UInt8>, into result: UnsafeMutablePointer<UInt8>
  ) -> (count: Int, hasBackslash: Bool) {
    var count = 0
    var hasBackslash = false
    var index = 0
    while index < text.count {
      let byte = text[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < text.count else {
        hasBackslash = hasBackslash || byte == UInt8(ascii: "\\")
        result[count] = byte
        count += 1
        index += 1
        continue
      }
      if let (scalar, length) = unicodeEscape(text, at: index) {
        hasBackslash = hasBackslash || scalar == "\\"
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          result[count] = byte
          count += 1
        }
        index += length
      } else {
        let meaning = control(text[index + 1])
        hasBackslash = hasBackslash || meaning == UInt8(ascii: "\\")
        result[count] = meaning
        count += 1
        index += 2
      }
    }
    return (count, hasBackslash)
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
    _ text: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> (scalar: Unicode.Scalar, length: Int)? {
    guard let unit = unit(text, at: start) else { return nil }
    if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
    guard UTF16.isLeadSurrogate(unit), let trail = self.unit(text, at: start + 6),
      UTF16.isTrailSurrogate(trail)
    else { return nil }
    return (UTF16.decode(UTF16.EncodedScalar([unit, trail])), 12)
  }

  private static func unit(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt16? {
    guard start + 6 <= text.count, text[start] == UInt8(ascii: "\\"),
      text[start + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for offset in 2..<6 {
      guard let digit = digit(text[start + offset]) else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }

  private static func digit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
